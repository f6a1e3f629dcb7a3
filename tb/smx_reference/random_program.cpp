// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/random_program.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "models/program/address_map.h"
#include "models/program/elf_file.h"
#include "tb/smx_reference/random_code.h"

namespace heddle::smx_reference {

namespace {

constexpr std::size_t body = 800;  ///< instructions: canvas_kernel.cpp
constexpr std::uint32_t nop = 0x00000013;

std::vector<std::uint8_t> contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("can't read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::uint32_t address_of(const program::elf_file& elf, const std::string& name) {
    for (const program::elf_symbol& s : elf.symbols) {
        if (s.name == name) return s.address;
    }
    throw std::runtime_error("the canvas has no '" + name + "'");
}

/// Where the body of a kernel is in the file.
std::size_t body_of(const program::elf_file& elf, const std::string& kernel) {
    const std::uint32_t start = address_of(elf, kernel);
    for (const program::elf_segment& s : elf.segments) {
        if (start < s.address || start >= s.address + s.file_size) continue;
        for (std::size_t at = s.offset + (start - s.address); at + 4 * body < elf.bytes.size();
             at += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, &elf.bytes[at], sizeof word);
            if (word == nop) return at;
        }
    }
    throw std::runtime_error("the canvas' kernel '" + kernel + "' has no body");
}

}  // namespace

std::shared_ptr<const program::image> make_random_program(const std::string& canvas,
                                                          const random_stream& random) {
    std::vector<std::uint8_t> bytes = contents(canvas);
    const program::elf_file elf = program::elf_file::parse(bytes, canvas);
    const std::vector<memory_piece> pieces = {{address_of(elf, "canvas_data"), 15, true},
                                              {address_of(elf, "canvas_data"), 15, true},
                                              {program::shared_window.base, 12, true},
                                              {program::private_window.base, 10, true},
                                              {address_of(elf, "canvas_constants"), 12, false, 8},
                                              {address_of(elf, "canvas_table"), 11, false, 9}};
    random_stream draws = random;
    for (unsigned k = 0; k < 4; ++k) {
        const std::vector<std::uint32_t> code = random_code(draws, pieces).make(body);
        const std::size_t at = body_of(elf, "random_" + std::to_string(k));
        std::memcpy(&bytes[at], code.data(), 4 * code.size());
    }
    return std::make_shared<program::image>(
        program::image::load(bytes.data(), bytes.size(), canvas));
}

}  // namespace heddle::smx_reference
