// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "include/heddle/retire.h"

namespace heddle {

/// The line that names the columns of retired_text().
[[nodiscard]] std::string_view retired_columns() noexcept;

/// Appends what an instruction did as a line of columns separated by tabs:
///
/// | column | |
/// |---|---|
/// | cycle, smx, slot | as in the record |
/// | launch, block, warp, n | which warp it is, and which of its instructions |
/// | pc, mask | address; active lanes, lane 0 in the lowest bit |
/// | instruction | as an assembler would print it |
/// | address | of a load, store or atomic, as its threads see it |
/// | result | NAME=values of the destination register; of a store what it stores |
///
/// Values are hexadecimal, of the active lanes from the lowest up: `7` if all have it, `0+4` if
/// each is 4 more than the last (without carry out of 32 bits), else `7,9,b`. "-": there is none;
/// `?`: they come in records of their own.
void append_retired_text(fmt::memory_buffer& to, const heddle_retired& retired);

}  // namespace heddle
