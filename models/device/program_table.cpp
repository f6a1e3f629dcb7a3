// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/program_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/device/find_variable.h"
#include "models/program/image.h"
#include "models/program/variables.h"

namespace heddle {
namespace {

/// FNV-1a, over what the program puts into memory, and where.
std::uint64_t contents_of(const program::image& image) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3u; };
    for (const program::segment& s : image.segments()) {
        add(s.address);
        add(s.size);
        for (const std::uint8_t byte : s.data) add(byte);
    }
    return hash;
}

bool has_name(const program::image& image, std::string_view file) {
    return image.name() == file || std::filesystem::path(image.name()).filename().string() == file;
}

/// Calls `has` for each program that "FILE:NAME", or NAME alone, may mean, with NAME. False if no
/// call gives true. Throws configuration_error if several do, or there is no such program.
template <class Has>
bool for_named(const program_table& programs, std::string_view name, const Has& has,
               const char* what) {
    const std::size_t colon = name.rfind(':');
    const bool is_file_named = colon != std::string_view::npos;
    const std::string_view wanted = is_file_named ? name.substr(colon + 1) : name;
    if (programs.held().empty()) (void)programs.only();
    const program::image* in = nullptr;
    bool is_there = false;
    for (const auto& [id, each] : programs.held()) {
        const program::image& image = *each->image;
        if (is_file_named && !has_name(image, name.substr(0, colon))) continue;
        is_there = true;
        if (!has(image, wanted)) continue;
        if (in != nullptr) {
            throw configuration_error(
                fmt::format("'{}' and '{}' have a {} '{}' both; 'FILE:{}' says which one is meant",
                            in->name(), image.name(), what, wanted, wanted));
        }
        in = &image;
    }
    if (!is_there) {
        throw configuration_error(fmt::format("no program '{}'; the device holds {}",
                                              name.substr(0, colon), programs.names()));
    }
    return in != nullptr;
}

}  // namespace

const held_program::counted_kernel& held_program::counted(
    const program::kernel& kernel) const noexcept {
    return kernels[static_cast<std::size_t>(&kernel - image->kernels().data())];
}

const held_program& program_table::add(std::shared_ptr<const program::image> image) {
    auto made = std::make_unique<held_program>();
    made->id = program_id(loads_++);
    const std::uint64_t contents = contents_of(*image);
    for (const program::kernel& k : image->kernels()) {
        made->kernels.push_back(label(k.name, contents));
    }
    made->image = std::move(image);
    const program_id id = made->id;
    return *(held_[id] = std::move(made));
}

held_program::counted_kernel program_table::label(const std::string& kernel,
                                                  std::uint64_t program) {
    std::vector<namesake>& all = namesakes_[kernel];
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const namesake& n) { return n.program == program; });
    if (known != all.end()) return {known->number, labels_[known->number]};
    const auto number = static_cast<std::uint32_t>(labels_.size());
    all.push_back({program, number});
    labels_.push_back(all.size() == 1 ? kernel : fmt::format("{}@{}", kernel, all.size()));
    return {number, labels_.back()};
}

std::unique_ptr<const held_program> program_table::remove(program_id id) {
    (void)get(id);
    return std::move(held_.extract(id).mapped());
}

const held_program& program_table::get(program_id id) const {
    const auto found = held_.find(id);
    if (found != held_.end()) return *found->second;
    throw configuration_error(id.value() < loads_
                                  ? fmt::format("program {} is not loaded any more", id.value())
                                  : fmt::format("program {} was never loaded", id.value()));
}

const held_program& program_table::only() const {
    if (held_.empty()) throw configuration_error("the device has no program loaded");
    if (held_.size() == 1) return *held_.begin()->second;
    throw configuration_error(
        fmt::format("the device holds {} programs, {}; say which one", held_.size(), names()));
}

const held_program* program_table::owner(const program::kernel& kernel) const noexcept {
    for (const auto& [id, each] : held_) {
        const program::kernel* const first = each->image->kernels().data();
        const program::kernel* const end = first + each->image->kernels().size();
        if (!std::less<>()(&kernel, first) && std::less<>()(&kernel, end)) return each.get();
    }
    return nullptr;
}

const held_program* program_table::at(std::uint32_t pc) const noexcept {
    for (const auto& [id, each] : held_) {
        if (each->image->code().contains(pc)) return each.get();
    }
    return nullptr;
}

const program::kernel& program_table::find_kernel(std::string_view name) const {
    const program::kernel* found = nullptr;
    const bool one = for_named(
        *this, name,
        [&](const program::image& in, std::string_view wanted) {
            const program::kernel* const here = in.find_kernel(wanted);
            if (here != nullptr) found = here;
            return here != nullptr;
        },
        "kernel");
    if (one) return *found;
    if (held_.size() == 1) return only().image->get_kernel(name);
    std::vector<std::string> all;
    for (const auto& [id, each] : held_) {
        for (const program::kernel& k : each->image->kernels()) all.push_back(k.name);
    }
    throw configuration_error(fmt::format("no kernel '{}'; the programs {} have {}{}", name,
                                          names(), joined(all), hint(name, all)));
}

const program::symbol& find_variable(const program_table& programs, std::string_view name) {
    const program::symbol* found = nullptr;
    const bool one = for_named(
        programs, name,
        [&](const program::image& in, std::string_view wanted) {
            const program::symbol* const here = in.find_symbol(wanted);
            const bool is_variable = here != nullptr && !here->function;
            if (is_variable) found = here;
            return is_variable;
        },
        "variable");
    if (one) return *found;
    if (programs.held().size() == 1) return program::find_variable(*programs.only().image, name);
    throw configuration_error(
        fmt::format("no variable '{}' in the programs {}", name, programs.names()));
}

std::string program_table::names() const {
    std::string text;
    for (const auto& [id, each] : held_) {
        text += fmt::format("{}'{}'", text.empty() ? "" : ", ", each->image->name());
    }
    return text;
}

}  // namespace heddle
