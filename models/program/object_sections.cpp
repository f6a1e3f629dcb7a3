// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/object_sections.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>

#include "models/base/error.h"
#include "models/program/work_folder.h"

namespace heddle::program {
namespace {

constexpr std::string_view archive_mark = "!<arch>\n";

/// Of an archive's member (ar.h); numbers are texts.
struct member_head {
    char name[16], date[12], user[6], group[6], mode[8], size[10], end[2];
};

}  // namespace

void object_sections::refuse(const char* why) const {
    throw configuration_error(name_ + ": " + why);
}

object_sections::object_sections(std::string bytes, const std::string& name)
    : bytes_(std::move(bytes)), name_(name) {
    Elf32_Ehdr head{};
    if (bytes_.size() < sizeof head || bytes_.compare(0, SELFMAG, ELFMAG) != 0) {
        refuse("no object file");
    }
    if (bytes_[EI_CLASS] != ELFCLASS32) {
        refuse(
            "an object of 64 bits; CUDA programs have 32 bits here: compile it by "
            "`heddle nvcc -c`, or with -m32");
    }
    std::memcpy(&head, bytes_.data(), sizeof head);
    const std::uint64_t table = head.e_shoff;
    if (table + std::uint64_t{head.e_shnum} * sizeof(Elf32_Shdr) > bytes_.size() ||
        (head.e_shnum != 0 && head.e_shentsize != sizeof(Elf32_Shdr))) {
        refuse("damaged: its sections are not there");
    }
    std::vector<std::uint32_t> names;
    for (unsigned i = 0; i < head.e_shnum; ++i) {
        Elf32_Shdr from{};
        std::memcpy(&from, bytes_.data() + table + i * sizeof from, sizeof from);
        if (from.sh_type != SHT_NOBITS &&
            std::uint64_t{from.sh_offset} + from.sh_size > bytes_.size()) {
            refuse("damaged: a section is not there");
        }
        const std::uint32_t size = from.sh_type == SHT_NOBITS ? 0 : from.sh_size;
        sections_.push_back({"", from.sh_type, from.sh_offset, size, from.sh_link});
        names.push_back(from.sh_name);
    }
    for (std::size_t i = 0; i < sections_.size() && head.e_shstrndx < sections_.size(); ++i) {
        sections_[i].name = text_at(sections_[head.e_shstrndx], names[i]);
    }
    for (const section& each : sections_) {
        if (each.type != SHT_SYMTAB || each.link >= sections_.size()) continue;
        for (std::uint32_t at = 0; at + sizeof(Elf32_Sym) <= each.size; at += sizeof(Elf32_Sym)) {
            Elf32_Sym from{};
            std::memcpy(&from, bytes_.data() + each.offset + at, sizeof from);
            if (ELF32_ST_BIND(from.st_info) == STB_LOCAL) continue;
            symbols_.push_back(
                {text_at(sections_[each.link], from.st_name), from.st_shndx != SHN_UNDEF});
        }
    }
}

std::string object_sections::text_at(const section& strings, std::uint32_t offset) const {
    if (offset >= strings.size) return "";
    const char* const begin = bytes_.data() + strings.offset + offset;
    return {begin, ::strnlen(begin, strings.size - offset)};
}

std::string object_sections::contents(std::string_view section) const {
    std::string all;
    for (const auto& each : sections_) {
        if (each.name == section) all.append(bytes_, each.offset, each.size);
    }
    return all;
}

std::vector<object_sections> objects_in(const std::string& file) {
    const auto bytes = read_file<std::string>(file);
    std::vector<object_sections> found;
    if (bytes.compare(0, archive_mark.size(), archive_mark) != 0) {
        if (bytes.compare(0, SELFMAG, ELFMAG) == 0) found.emplace_back(bytes, file);
        return found;
    }
    for (std::size_t at = archive_mark.size(); at + sizeof(member_head) <= bytes.size();) {
        member_head head{};
        std::memcpy(&head, bytes.data() + at, sizeof head);
        at += sizeof head;
        const std::size_t size = std::strtoul(std::string(head.size, 10).c_str(), nullptr, 10);
        if (size > bytes.size() - at) throw configuration_error(file + ": a damaged archive");
        // Others are indices, and tables of long names.
        if (bytes.compare(at, SELFMAG, ELFMAG) == 0) {
            found.emplace_back(bytes.substr(at, size), file);
        }
        at += size + size % 2;
    }
    return found;
}

}  // namespace heddle::program
