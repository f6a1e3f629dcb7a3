// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/smx/pipeline/code_profile.h"

namespace heddle::command {

/// An instruction, or a line of source with all instructions of it, and what it cost.
struct cost_row {
    std::string file;         ///< empty: unknown; entry_file: how a kernel starts
    unsigned line = 0;        ///< of `file`; 0: unknown
    std::string function;     ///< or kernel that the code lies in
    std::uint32_t pc = 0;     ///< of a line: of its first instruction
    std::string instruction;  ///< assembler text; empty for a line
    std::string source;       ///< text of the line; empty: the file can't be read
    instruction_cost cost;

    /// The `file` of the code that compile() puts before a kernel: it loads the arguments.
    static constexpr const char* entry_file = "<entry>";

    /// "saxpy.cpp:12"; "entry of saxpy"; "0x00010040 in saxpy" if the line is not known.
    [[nodiscard]] std::string place() const;
};

/// A row for each instruction that cost something, the one that lost most cycles first. Code that
/// is inlined from Heddle's own headers counts for the line that calls it.
[[nodiscard]] std::vector<cost_row> rows_by_instruction(const code_costs& costs);
/// The same by line. An instruction without a line has a row of its own.
[[nodiscard]] std::vector<cost_row> rows_by_line(const std::vector<cost_row>& instructions);

}  // namespace heddle::command
