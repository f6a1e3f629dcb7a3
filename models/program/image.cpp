// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/image.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/program/address_map.h"
#include "models/program/elf_file.h"
#include "models/program/image_builder.h"
#include "models/program/inline_table.h"
#include "models/program/line_table.h"
#include "models/program/program_place.h"

namespace heddle::program {

struct image::contents {
    std::string name;
    built_image built;
    line_table lines;
    inline_table inlined;
};

namespace {

std::string demangled(const std::string& name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    const std::string result = status == 0 && text != nullptr ? text : name;
    std::free(text);
    return result;
}

std::vector<std::uint8_t> read_file(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        const bool there = std::filesystem::exists(path, error);
        throw configuration_error(
            path + (there ? ": is no file, but a directory or device" : ": no such file"));
    }
    std::ifstream in(path, std::ios::binary);
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in) throw configuration_error(path + ": can't be read: " + std::strerror(errno));
    return bytes;
}

}  // namespace

std::string source_location::text() const {
    std::ostringstream out;
    if (!file.empty()) out << file << ':' << line;
    for (const source_line& call : inlined_at) {
        out << ", inlined at " << call.file << ':' << call.line;
    }
    if (!function.empty()) out << (file.empty() ? "in " : " in ") << function;
    return out.str();
}

image image::load(const std::string& path) {
    const auto bytes = read_file(path);
    return load(bytes.data(), bytes.size(), path);
}

image image::load(const std::uint8_t* bytes, std::size_t size, const std::string& name) {
    const auto file = elf_file::parse({bytes, bytes + size}, name);
    auto made = std::make_shared<contents>();
    made->name = name;
    made->built = build_image(file);
    made->lines = line_table::read(file);
    made->inlined = inline_table::read(file);
    return image(std::move(made));
}

const std::string& image::name() const {
    return contents_->name;
}
const std::vector<segment>& image::segments() const {
    return contents_->built.segments;
}
const std::vector<kernel>& image::kernels() const {
    return contents_->built.kernels;
}
const kernel_code& image::code() const {
    return contents_->built.kernels.front().code;
}
const std::vector<symbol>& image::symbols() const {
    return contents_->built.symbols;
}

const kernel* image::find_kernel(std::string_view name) const {
    for (const auto& kernel : kernels()) {
        if (kernel.name == name) return &kernel;
    }
    return nullptr;
}

const kernel& image::get_kernel(std::string_view name) const {
    if (const kernel* found = find_kernel(name)) return *found;
    std::vector<std::string> names;
    for (const auto& kernel : kernels()) names.push_back(kernel.name);
    throw configuration_error(this->name() + ": has no kernel '" + std::string(name) +
                              "'; it has " + joined(names) + hint(name, names));
}

const kernel* image::kernel_at(std::uint32_t address) const {
    for (const auto& kernel : kernels()) {
        if (kernel.function == address || kernel.entry == address) return &kernel;
    }
    return nullptr;
}

const symbol* image::find_symbol(std::string_view name) const {
    for (const auto& symbol : symbols()) {
        if (symbol.name == name) return &symbol;
    }
    return nullptr;
}

const symbol* image::symbol_at(std::uint32_t address) const {
    const auto& all = symbols();
    auto next =
        std::upper_bound(all.begin(), all.end(), address,
                         [](std::uint32_t value, const symbol& s) { return value < s.address; });
    while (next != all.begin()) {
        --next;
        if (address - next->address < next->size) return &*next;
    }
    return nullptr;
}

program_extent extent_of(const image& program, const program_place& place) {
    program_extent extent;
    for (const segment& s : program.segments()) {
        const bool in_code = code_window.contains(s.address);
        std::uint32_t& bytes = in_code ? extent.code : extent.data;
        bytes = std::max(bytes, s.address + s.size - (in_code ? place.code : place.data));
    }
    return extent;
}

source_location image::locate(std::uint32_t pc) const {
    source_location location;
    std::tie(location.file, location.line) = contents_->lines.find(pc);
    if (!location.file.empty()) location.inlined_at = contents_->inlined.calls(pc);
    const symbol* found = symbol_at(pc);
    if (found != nullptr && found->function) {
        const kernel* const own = kernel_at(found->address);  // which its entry stub inlines
        location.function = demangled(own != nullptr ? own->name : found->name);
    }
    return location;
}

}  // namespace heddle::program
