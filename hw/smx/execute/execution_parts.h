// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/blocks/block_table.h"
#include "hw/smx/execute/execution_observer.h"
#include "hw/smx/execute/opcode_unit.h"
#include "hw/smx/lsu/load_store_unit.h"
#include "hw/smx/pipeline/register_file.h"

namespace heddle {

/// The parts that opcode units use. They outlive the units.
struct execution_parts {
    unsigned warp_size;
    register_file& registers;
    block_table& blocks;
    load_store_unit& lsu;
    const observer_holder& observer;

    /// Reports that the instruction is illegal in `lanes` of the group.
    [[gnu::cold]] execution_outcome refuse(const issued_group& issued, isa::lane_mask lanes) const;
    /// Reports a fault of the group's thread in `lane`.
    [[gnu::cold]] execution_outcome fault(const issued_group& issued, unsigned lane,
                                          const std::string& what) const;
    [[nodiscard]] execution_counts& counts(const issued_group& issued) const {
        return *blocks.block(issued.threads.block).counts;
    }
};

}  // namespace heddle
