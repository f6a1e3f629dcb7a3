// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/program/elf_file.h"

namespace heddle::program {

/// Source lines of a program's code, from its DWARF line programs.
class line_table {
public:
    /// Reads all compilation units (libdw). Debug information that is missing or damaged gives an
    /// empty or partial table: a program runs without it.
    static line_table read(const elf_file& file);

    /// File and line of a pc; {"", 0} when not known.
    [[nodiscard]] std::pair<std::string, unsigned> find(std::uint32_t pc) const;

private:
    struct row {
        std::uint32_t pc;
        std::uint32_t file;  ///< index into files_; no_file at the end of a sequence
        unsigned line;
    };
    std::vector<row> rows_;  ///< by ascending pc
    std::vector<std::string> files_;
};

}  // namespace heddle::program
