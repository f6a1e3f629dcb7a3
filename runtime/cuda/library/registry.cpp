// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/registry.h"

#include <elf.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "runtime/cuda/library/error.h"

namespace heddle::cuda {
namespace {

/// What clang puts around a program.
struct wrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const void* data;
    const void* unused;
};
constexpr std::uint32_t wrapper_magic = 0x466243b1;

/// In front of a program of `heddle nvcc`.
struct head {
    char mark[8];
    std::uint32_t kind;
    std::uint32_t bytes;
};
constexpr std::uint32_t whole_program = 1;  // parts are registered when they are linked to one

bool has_head(const void* image) {
    return std::memcmp(image, "HEDDLECU", sizeof head::mark) == 0;
}

head head_at(const void* image) {
    head found;
    std::memcpy(&found, image, sizeof found);
    return found;
}

/// Up to its section headers, or the last section.
std::size_t size_of_elf(const void* image) {
    Elf32_Ehdr file;
    std::memcpy(&file, image, sizeof file);
    require(file.e_ident[EI_CLASS] == ELFCLASS32 && file.e_shentsize == sizeof(Elf32_Shdr),
            cudaErrorNoKernelImageForDevice);
    std::size_t end = file.e_shoff + std::size_t{file.e_shnum} * sizeof(Elf32_Shdr);
    for (unsigned i = 0; i < file.e_shnum; ++i) {
        Elf32_Shdr section;
        std::memcpy(&section, static_cast<const char*>(image) + file.e_shoff + i * sizeof section,
                    sizeof section);
        if (section.sh_type == SHT_NOBITS) continue;
        end = std::max(end, std::size_t{section.sh_offset} + section.sh_size);
    }
    return end;
}

/// Of an ELF file of `heddle nvcc` with the object behind it that it can be linked of again for
/// other addresses, and their sizes (models/program/cuda_build.h).
std::size_t size_of_program(const void* image) {
    const std::size_t executable = size_of_elf(image);
    const auto* const object = static_cast<const char*>(image) + executable;
    if (std::memcmp(object, ELFMAG, SELFMAG) != 0) return executable;
    const std::size_t both = executable + size_of_elf(object);
    const auto* const end = static_cast<const char*>(image) + both;
    constexpr std::size_t sizes = 2 * sizeof(std::uint32_t);
    constexpr char mark[] = "HEDDLEOB";
    if (std::memcmp(end + sizes, mark, sizeof mark - 1) != 0) return executable;
    return both + sizes + sizeof mark - 1;
}

const registered* find_in(const std::unordered_map<const void*, registered>& table,
                          const void* key) {
    const auto found = table.find(key);
    return found == table.end() ? nullptr : &found->second;
}

/// The text at an address of which nothing is known; empty where there is none.
std::string text_at(const void* address) {
    constexpr std::size_t page = 4096, most = 512;
    std::string text(most, '\0');
    std::size_t done = 0;
    while (done < most) {
        // A read fails as a whole, so that none crosses into another page.
        const std::size_t place = reinterpret_cast<std::uintptr_t>(address) + done;
        const iovec from{reinterpret_cast<void*>(place),
                         std::min(most - done, page - place % page)};
        const iovec to{&text[done], from.iov_len};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) <= 0) break;
        done += from.iov_len;
    }
    const std::size_t end = text.find('\0');
    return end < done ? text.substr(0, end) : std::string();
}

/// By its address, or, as in CUDA before version 5, by a text that is its name.
const registered* find_or_named(const std::unordered_map<const void*, registered>& table,
                                const void* key) {
    const registered* found = find_in(table, key);
    if (found != nullptr) return found;
    const std::string name = text_at(key);
    if (name.empty()) return nullptr;
    for (const auto& [host, each] : table) {
        const bool first = found == nullptr || each.binary < found->binary;
        if (first && each.name == name) found = &each;
    }
    return found;
}

}  // namespace

std::uint64_t bytes_with_head(const void* image) {
    return std::uint64_t{sizeof(head)} + head_at(image).bytes;
}

std::vector<std::byte> executable_at(const void* image) {
    require(image != nullptr, cudaErrorInvalidValue);
    const auto* begin = static_cast<const std::byte*>(image);
    if (std::memcmp(image, ELFMAG, SELFMAG) == 0) return {begin, begin + size_of_program(image)};
    require(has_head(image), cudaErrorInvalidKernelImage);
    const head found = head_at(image);
    require(found.kind == whole_program, cudaErrorInvalidKernelImage);
    begin += sizeof found;
    return {begin, begin + found.bytes};
}

binary_id registry::add(const void* fat_binary) {
    binaries_.push_back(fat_binary);
    return binaries_.size() - 1;
}

void registry::remove(binary_id binary) {
    binaries_.at(binary) = nullptr;
    managed_.erase(std::remove_if(managed_.begin(), managed_.end(),
                                  [&](const auto& each) { return each.binary == binary; }),
                   managed_.end());
    for (table* const each : {&kernels_, &variables_, &textures_, &surfaces_}) {
        for (auto found = each->begin(); found != each->end();) {
            found = found->second.binary == binary ? each->erase(found) : std::next(found);
        }
    }
}

std::size_t registry::heap_bytes() const {
    std::size_t most = 0;
    for (binary_id binary = 0; binary < binaries_.size(); ++binary) {
        if (!has(binary)) continue;
        const std::vector<std::byte> all = executable(binary);
        const std::string_view text(reinterpret_cast<const char*>(all.data()), all.size());
        // heddle::detail::device_heap<units>::blocks (heddle_cuda/heap.h)
        constexpr std::string_view name = "_ZN6heddle6detail11device_heapILj";
        constexpr std::size_t unit_bytes = 16;
        const std::size_t found = text.find(name);
        if (found == std::string_view::npos) continue;
        most = std::max<std::size_t>(
            most, unit_bytes * std::strtoul(&text[found + name.size()], nullptr, 10));
    }
    return most;
}

const registered* registry::find_kernel(const void* stub) const {
    return find_in(kernels_, stub);
}

const registered* registry::find_variable(const void* host) const {
    return find_or_named(variables_, host);
}

const registered* registry::find_texture(const void* host) const {
    return find_or_named(textures_, host);
}

const registered* registry::find_surface(const void* host) const {
    return find_in(surfaces_, host);
}

std::vector<std::byte> registry::executable(binary_id binary) const {
    wrapper found;
    std::memcpy(&found, binaries_.at(binary), sizeof found);
    require(found.magic == wrapper_magic && found.data != nullptr, cudaErrorInvalidKernelImage);
    return executable_at(found.data);
}

}  // namespace heddle::cuda
