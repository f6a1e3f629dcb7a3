// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::program {

/// A section of an ELF file, inside the file's bytes.
struct elf_section {
    std::string name;
    std::uint32_t type = 0, flags = 0, address = 0, offset = 0, size = 0, link = 0, info = 0;
    std::uint32_t alignment = 1;

    [[nodiscard]] bool allocated() const;
    [[nodiscard]] bool executable() const;
    [[nodiscard]] bool writable() const;
    [[nodiscard]] bool contains(std::uint32_t pc) const { return pc - address < size; }
};

/// A program header of type PT_LOAD.
struct elf_segment {
    std::uint32_t address = 0, offset = 0, file_size = 0, memory_size = 0;
    bool executable = false, writable = false;
};

struct elf_symbol {
    std::string name;
    std::uint32_t address = 0, size = 0;
    std::uint8_t type = 0;  ///< STT_…
    bool defined = false, weak = false;
    std::uint32_t section = 0;  ///< index into elf_file::sections; 0: none
};

/// A relocation that the linker applied and kept (--emit-relocs).
struct elf_relocation {
    std::uint32_t address = 0;  ///< of the relocated bytes
    std::uint32_t type = 0;     ///< R_RISCV_…
    std::uint32_t symbol = 0;   ///< index into elf_file::symbols
    std::int32_t addend = 0;
    std::uint32_t section = 0;  ///< index into elf_file::sections, of the relocated bytes
};

/// A 32-bit little-endian RISC-V executable, taken apart and checked: nothing in here points
/// outside the file. Knows nothing about kernels.
struct elf_file {
    std::string name;
    std::vector<std::uint8_t> bytes;
    std::vector<elf_section> sections;
    std::vector<elf_segment> segments;
    std::vector<elf_symbol> symbols;
    /// Of allocated sections, by ascending address.
    std::vector<elf_relocation> relocations;
    bool has_relocation_sections = false;

    /// Takes a file apart. Throws configuration_error that names it: not ELF, truncated or
    /// inconsistent, not a linked RV32 executable, wrong ABI flags, unsupported extension.
    static elf_file parse(std::vector<std::uint8_t> bytes, std::string name);

    /// nullptr when there is none.
    [[nodiscard]] const elf_section* find_section(std::string_view section_name) const;
    /// Bytes of a section that the file holds; empty for NOBITS.
    [[nodiscard]] std::string_view content(const elf_section& section) const;
};

/// Throws configuration_error that names the file.
[[noreturn]] void fail(const elf_file& file, const std::string& reason);

/// Throws configuration_error when the `.riscv.attributes` section asks for an extension that the
/// machine lacks, or is not well-formed. (RISC-V ELF psABI, "Attributes".)
void check_attributes(std::string_view content, const std::string& name);

}  // namespace heddle::program
