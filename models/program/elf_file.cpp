// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/base/error.h"

namespace heddle::program {

bool elf_section::allocated() const {
    return (flags & SHF_ALLOC) != 0;
}
bool elf_section::writable() const {
    return allocated() && (flags & SHF_WRITE) != 0;
}
bool elf_section::executable() const {
    return allocated() && (flags & SHF_EXECINSTR) != 0;
}

void fail(const elf_file& file, const std::string& reason) {
    throw configuration_error(file.name + ": " + reason);
}

namespace {

/// Copies a structure out of the file, which need not be aligned.
template <typename T>
T read(const elf_file& file, std::uint64_t offset, const char* what) {
    T value;
    if (offset + sizeof(T) > file.bytes.size()) {
        fail(file, std::string("truncated: ") + what + " at byte " + std::to_string(offset) +
                       " lies beyond the end of the file (" + std::to_string(file.bytes.size()) +
                       " bytes)");
    }
    std::memcpy(&value, file.bytes.data() + offset, sizeof(T));
    return value;
}

void check_range(const elf_file& file, std::uint64_t offset, std::uint64_t size,
                 const std::string& what) {
    if (offset + size > file.bytes.size()) {
        fail(file, "truncated: " + what + " takes bytes " + std::to_string(offset) + " to " +
                       std::to_string(offset + size) + " of a file of " +
                       std::to_string(file.bytes.size()) + " bytes");
    }
}

void check_header(const elf_file& file, const Elf32_Ehdr& header) {
    if (header.e_ident[EI_CLASS] != ELFCLASS32) {
        fail(file, "is not a 32-bit program; compile it for riscv32 (heddle compile does)");
    }
    if (header.e_ident[EI_DATA] != ELFDATA2LSB) fail(file, "is not little-endian");
    if (header.e_machine != EM_RISCV) {
        fail(file, "is for ELF machine " + std::to_string(header.e_machine) +
                       ", not for RISC-V (243); compile it for riscv32 (heddle compile does)");
    }
    if (header.e_type != ET_EXEC) {
        const char* kind = header.e_type == ET_REL   ? "an object file that is not linked yet"
                           : header.e_type == ET_DYN ? "position independent"
                                                     : "not an executable";
        fail(file, std::string("is ") + kind + "; link it as heddle compile does");
    }
    if ((header.e_flags & EF_RISCV_RVC) != 0) {
        fail(file, "has compressed instructions (RVC flag); compile without the C extension");
    }
    if ((header.e_flags & EF_RISCV_FLOAT_ABI) != EF_RISCV_FLOAT_ABI_SOFT) {
        fail(file,
             "passes floats in floating-point registers (hard-float ABI); "
             "compile with -mabi=ilp32");
    }
    if ((header.e_flags & EF_RISCV_RVE) != 0) {
        fail(file, "uses the RV32E register set; compile with -mabi=ilp32");
    }
}

std::string string_at(const elf_file& file, const elf_section& table, std::uint32_t index) {
    const std::string_view content = file.content(table);
    if (index >= content.size()) return {};
    const std::string_view rest = content.substr(index);
    return std::string(rest.substr(0, rest.find('\0')));
}

void read_sections(elf_file& file, const Elf32_Ehdr& header) {
    if (header.e_shnum == 0) fail(file, "has no section headers; don't strip it");
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        const auto raw = read<Elf32_Shdr>(
            file, std::uint64_t{header.e_shoff} + std::uint64_t{i} * sizeof(Elf32_Shdr),
            "section header");
        elf_section section;
        section.type = raw.sh_type;
        section.flags = raw.sh_flags;
        section.address = raw.sh_addr;
        section.offset = raw.sh_offset;
        section.size = raw.sh_size;
        section.link = raw.sh_link;
        section.info = raw.sh_info;
        section.alignment = std::max<std::uint32_t>(1, raw.sh_addralign);
        if (section.type != SHT_NOBITS && section.type != SHT_NULL) {
            check_range(file, section.offset, section.size, "section " + std::to_string(i));
        }
        if (section.allocated() && std::uint64_t{section.address} + section.size > std::uint64_t{1}
                                                                                       << 32) {
            fail(file, "section " + std::to_string(i) + " wraps around the address space");
        }
        section.name = std::to_string(raw.sh_name);  // resolved below
        file.sections.push_back(std::move(section));
    }
    if (header.e_shstrndx >= file.sections.size()) fail(file, "has no section name table");
    const elf_section names = file.sections[header.e_shstrndx];
    for (auto& section : file.sections) {
        section.name = string_at(file, names, static_cast<std::uint32_t>(std::stoul(section.name)));
    }
}

void read_segments(elf_file& file, const Elf32_Ehdr& header) {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        const auto raw = read<Elf32_Phdr>(
            file, std::uint64_t{header.e_phoff} + std::uint64_t{i} * sizeof(Elf32_Phdr),
            "program header");
        if (raw.p_type != PT_LOAD || raw.p_memsz == 0) continue;
        check_range(file, raw.p_offset, raw.p_filesz, "segment " + std::to_string(i));
        if (raw.p_filesz > raw.p_memsz) {
            fail(file, "segment " + std::to_string(i) + " is larger in the file than in memory");
        }
        file.segments.push_back({raw.p_vaddr, raw.p_offset, raw.p_filesz, raw.p_memsz,
                                 (raw.p_flags & PF_X) != 0, (raw.p_flags & PF_W) != 0});
    }
}

void read_symbols(elf_file& file) {
    for (const auto& table : file.sections) {
        if (table.type != SHT_SYMTAB) continue;
        if (table.link >= file.sections.size()) fail(file, "symbol table without names");
        const elf_section names = file.sections[table.link];
        for (std::uint32_t at = 0; at + sizeof(Elf32_Sym) <= table.size; at += sizeof(Elf32_Sym)) {
            const auto raw = read<Elf32_Sym>(file, std::uint64_t{table.offset} + at, "symbol");
            elf_symbol symbol;
            symbol.name = string_at(file, names, raw.st_name);
            symbol.address = raw.st_value;
            symbol.size = raw.st_size;
            symbol.type = ELF32_ST_TYPE(raw.st_info);
            symbol.defined = raw.st_shndx != SHN_UNDEF;
            if (raw.st_shndx < file.sections.size()) symbol.section = raw.st_shndx;
            symbol.weak = ELF32_ST_BIND(raw.st_info) == STB_WEAK;
            file.symbols.push_back(std::move(symbol));
        }
        return;
    }
    fail(file, "has no symbol table; don't strip it");
}

void read_relocations(elf_file& file) {
    for (const auto& table : file.sections) {
        if (table.type != SHT_RELA) continue;
        file.has_relocation_sections = true;
        if (table.info >= file.sections.size() || !file.sections[table.info].allocated()) continue;
        for (std::uint32_t at = 0; at + sizeof(Elf32_Rela) <= table.size;
             at += sizeof(Elf32_Rela)) {
            const auto raw = read<Elf32_Rela>(file, std::uint64_t{table.offset} + at, "relocation");
            const std::uint32_t symbol = ELF32_R_SYM(raw.r_info);
            if (symbol >= file.symbols.size()) {
                fail(file, "a relocation of section " + file.sections[table.info].name +
                               " names symbol " + std::to_string(symbol) + " of " +
                               std::to_string(file.symbols.size()));
            }
            file.relocations.push_back({raw.r_offset,
                                        static_cast<std::uint32_t>(ELF32_R_TYPE(raw.r_info)),
                                        symbol, raw.r_addend, table.info});
        }
    }
    std::stable_sort(file.relocations.begin(), file.relocations.end(),
                     [](const auto& a, const auto& b) { return a.address < b.address; });
}

}  // namespace

elf_file elf_file::parse(std::vector<std::uint8_t> bytes, std::string name) {
    elf_file file;
    file.bytes = std::move(bytes);
    file.name = std::move(name);
    if (file.bytes.size() < SELFMAG || std::memcmp(file.bytes.data(), ELFMAG, SELFMAG) != 0) {
        fail(file, "is not an ELF file");
    }
    const auto header = read<Elf32_Ehdr>(file, 0, "ELF header");
    check_header(file, header);
    read_sections(file, header);
    if (const auto* attributes = file.find_section(".riscv.attributes")) {
        check_attributes(file.content(*attributes), file.name);
    }
    read_segments(file, header);
    read_symbols(file);
    read_relocations(file);
    return file;
}

const elf_section* elf_file::find_section(std::string_view section_name) const {
    for (const auto& section : sections) {
        if (section.name == section_name) return &section;
    }
    return nullptr;
}

std::string_view elf_file::content(const elf_section& section) const {
    if (section.type == SHT_NOBITS || section.type == SHT_NULL) return {};
    return {reinterpret_cast<const char*>(bytes.data()) + section.offset, section.size};
}

}  // namespace heddle::program
