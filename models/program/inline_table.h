// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/program/elf_file.h"
#include "models/program/image.h"

namespace heddle::program {

/// Which code was inlined into which line, from DWARF's inlined subroutines.
class inline_table {
public:
    /// Reads all compilation units (libdw). Debug information that is missing or damaged gives an
    /// empty or partial table.
    static inline_table read(const elf_file& file);

    /// Lines that called the inlined functions which a pc lies in, the innermost call first; empty
    /// when none was inlined there. O(number of inlined calls).
    [[nodiscard]] std::vector<source_line> calls(std::uint32_t pc) const;

private:
    class reader;
    struct inlined_call {
        std::uint32_t low, high;  ///< code of the callee, [low, high)
        std::uint32_t file;       ///< index into files_
        unsigned line;
    };
    std::vector<inlined_call> calls_;  ///< a caller before what it inlines
    std::vector<std::string> files_;
};

}  // namespace heddle::program
