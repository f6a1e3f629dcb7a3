// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "models/program/control_flow.h"
#include "models/program/elf_file.h"

namespace heddle::program {

/// An object of the shared window, as the linker placed it.
struct shared_object {
    std::string name;
    std::uint32_t address = 0, size = 0;
    std::uint32_t alignment = 1;  ///< that its address can be relied on to have
};

/// An instruction whose immediate is part of an address in the shared window.
struct shared_reference {
    enum class part : std::uint8_t { high, low_i, low_s, pc_high, pc_low_i, pc_low_s };
    std::uint32_t pc = 0;
    part what = part::high;
    std::size_t object = 0;     ///< index into references::objects
    std::uint32_t offset = 0;   ///< of the address from the object's start (modulo 2^32)
    std::uint32_t high_pc = 0;  ///< pc_*: address of the auipc
};

/// PCs of instructions whose immediate is part of an address of data that the program can't write.
struct address_users {
    std::set<std::uint32_t> constant;   ///< in section .constant: variables, literals
    std::set<std::uint32_t> read_only;  ///< in other sections: tables, strings
};

/// What the relocations of a program tell about addresses.
struct references {
    std::vector<shared_object> objects;    ///< by ascending address
    std::vector<shared_reference> shared;  ///< by ascending pc
    /// (pc, function start): instructions that form a function's address without calling it.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> function_addresses;
    address_users constants;
    std::set<std::uint32_t> functions_in_data;  ///< starts of functions whose address data holds
    jump_tables tables;
};

/// Function that contains pc, nullptr when none does. `functions` by ascending start.
const function_range* function_at(const std::vector<function_range>& functions, std::uint32_t pc);

/// Reads the relocations. Throws configuration_error for an undefined symbol, a shared-memory
/// address in a data section (it differs from kernel to kernel), or a relocation of a
/// shared-memory address that can't be rebased.
references find_references(const elf_file& file, const code_text& text,
                           const std::vector<function_range>& functions);

}  // namespace heddle::program
