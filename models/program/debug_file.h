// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <elfutils/libdw.h>
#include <libelf.h>

#include <vector>

#include "models/program/elf_file.h"

namespace heddle::program {

/// A program's debug information opened with libdw, on a copy of its bytes.
class debug_file {
public:
    explicit debug_file(const elf_file& file) : bytes_(file.bytes.begin(), file.bytes.end()) {
        elf_version(EV_CURRENT);
        elf_ = elf_memory(bytes_.data(), bytes_.size());
        if (elf_ != nullptr) dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
    }
    debug_file(const debug_file&) = delete;
    debug_file& operator=(const debug_file&) = delete;
    ~debug_file() {
        if (dwarf_ != nullptr) dwarf_end(dwarf_);
        if (elf_ != nullptr) elf_end(elf_);
    }

    /// Calls visit(Dwarf_Die& unit) for every compilation unit; none without debug information.
    template <typename Visit>
    void for_each_unit(Visit visit) const {
        Dwarf_Off offset = 0, next = 0;
        std::size_t header = 0;
        while (dwarf_ != nullptr &&
               dwarf_nextcu(dwarf_, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
            Dwarf_Die unit;
            if (dwarf_offdie(dwarf_, offset + header, &unit) != nullptr) visit(unit);
            if (next <= offset) return;
            offset = next;
        }
    }

private:
    std::vector<char> bytes_;
    Elf* elf_ = nullptr;
    Dwarf* dwarf_ = nullptr;
};

}  // namespace heddle::program
