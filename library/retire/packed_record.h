// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "include/heddle/retire.h"

/// The record as a vector of bits, as SystemVerilog has it: the fields in the order of the
/// definition, the first one in the lowest bits. A number has its bits, a mask one for each lane of
/// the warp, a field by lanes its numbers, lane 0 lowest. Words have 32 bits, the lowest first.
namespace heddle::library {

/// A record is packed for warps of its own warp_size, 1 to HEDDLE_LANES; anything else, and a mask
/// with a lane beyond them, throws configuration_error.
[[nodiscard]] std::vector<std::uint32_t> packed(const heddle_retired& record);

/// `words` are at least those of a record for `lanes` lanes, else it throws configuration_error; so
/// do numbers of lanes that no warp has. What the record says of itself is not checked.
[[nodiscard]] heddle_retired unpacked(unsigned lanes, const std::uint32_t* words,
                                      std::size_t count);

}  // namespace heddle::library
