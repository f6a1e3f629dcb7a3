// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/blocks/block_table.h"
#include "hw/smx/issue/issue_front.h"
#include "hw/smx/lsu/load_store_unit.h"
#include "hw/smx/pipeline/register_file.h"
#include "hw/smx/shared_memory/shared_memory.h"

namespace heddle {

/// What a debugger reads and changes in an SMX.
struct smx_inside {
    register_file& registers;
    block_table& blocks;
    issue_front& front;
    load_store_unit& lsu;
    shared_memory& shared;
};

}  // namespace heddle
