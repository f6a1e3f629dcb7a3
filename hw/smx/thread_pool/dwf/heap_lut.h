// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/thread_pool/dwf/pc_table.h"

namespace heddle {

/// The MHeap LUT (Fung 2008, 4.4): where in the Max-Heap the entry of a PC is (MH#).
using heap_lut = pc_table<std::uint32_t>;

}  // namespace heddle
