// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/instruction_executor.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/pipeline/warp_waits.h"
#include "hw/smx/tm/smx_transactions.h"

namespace heddle {

/// What a front works with; all of it outlives the front.
struct front_parts {
    unsigned lanes;  ///< of a warp
    const issue_table& table;
    block_table& blocks;
    instruction_executor& executor;
    load_store_unit& lsu;
    warp_waits& waits;
    const observer_holder& observer;
    register_file& registers;
    smx_transactions& transactions;
};

}  // namespace heddle
