// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/program_store.h"

#include <algorithm>
#include <utility>

#include "models/base/error.h"
#include "models/device/launch_limits.h"
#include "models/program/address_map.h"

namespace heddle::runtime {
namespace {

argument_kind kind_of(program::kernel_parameter::kind what) noexcept {
    using kind = program::kernel_parameter::kind;
    switch (what) {
        case kind::integer:
            return argument_kind::integer;
        case kind::floating:
            return argument_kind::floating;
        case kind::pointer:
            return argument_kind::pointer;
        case kind::aggregate:
            return argument_kind::aggregate;
        case kind::local_pointer:
            return argument_kind::local_pointer;
    }
    return argument_kind::aggregate;
}

parameter_description describe_parameter(const program::kernel_parameter& parameter) {
    parameter_description text;
    text.name = parameter.name;
    text.type = parameter.type;
    text.what = kind_of(parameter.what);
    text.offset = parameter.offset;
    text.size = parameter.size;
    if (const auto& opencl = parameter.opencl) {
        text.type = opencl->type;
        text.space = static_cast<address_space>(opencl->where);
        text.access = opencl->access;
        text.qualifiers = opencl->qualifiers;
        text.base_type = opencl->base_type;
    }
    return text;
}

program::image read_image(const std::vector<std::byte>& binary, const std::string& name) {
    return program::image::load(reinterpret_cast<const std::uint8_t*>(binary.data()), binary.size(),
                                name);
}

/// What it takes of the device's addresses.
program::program_extent extent_of(const program::image& image) {
    struct span {
        std::uint32_t begin = ~std::uint32_t{0}, end = 0;
        void add(const program::segment& s) {
            begin = std::min(begin, s.address);
            end = std::max(end, s.address + s.size);
        }
        [[nodiscard]] std::uint32_t size() const { return end > begin ? end - begin : 0; }
    } code, data;
    for (const program::segment& s : image.segments()) {
        if (s.size != 0) (program::code_window.contains(s.address) ? code : data).add(s);
    }
    constexpr std::uint32_t alignment = program::program_place::alignment;
    return {code.size() + alignment, data.size() + alignment};
}

}  // namespace

std::uint32_t program_store::max_threads(const program::kernel& kernel) const {
    if (kernel.required_block) {
        return kernel.required_block->x * kernel.required_block->y * kernel.required_block->z;
    }
    const std::uint32_t warp = machine_.warp_size;
    std::uint32_t threads = std::min(max_threads_per_block, machine_.smx.max_threads);
    threads -= threads % warp;
    const std::uint32_t bound = kernel.most_threads.value_or(threads);
    for (; threads > warp; threads -= warp) {
        launch_shape shape;
        shape.block = {std::min(threads, bound), 1, 1};
        try {
            if (smx_capacity(machine_.smx).fits(check_launch(kernel, shape, machine_))) break;
        } catch (const run_error&) {
            continue;  // too many for its registers
        }
    }
    return std::max(std::min(threads, bound), std::uint32_t{1});
}

kernel_description program_store::describe(const program::kernel& kernel) const {
    kernel_description text;
    text.name = kernel.name;
    for (const program::kernel_parameter& each : kernel.parameters) {
        text.parameters.push_back(describe_parameter(each));
    }
    text.static_shared_bytes = kernel.static_shared_bytes;
    text.private_bytes = kernel.stack_bytes.value_or(machine_.smx.private_bytes);
    text.registers = kernel.registers;
    text.max_threads = max_threads(kernel);
    if (kernel.required_block) {
        text.required_block = {kernel.required_block->x, kernel.required_block->y,
                               kernel.required_block->z};
    }
    return text;
}

program::program_place program_store::likely_place() const {
    // Most programs are smaller; the others are linked again when they are loaded.
    constexpr std::uint32_t room = std::uint32_t{1} << 20;
    return gpu_.free_place({room, room});
}

built_answer program_store::build(const build_request& request) {
    return builder_.compile(request, likely_place());
}

built_answer program_store::link(const link_request& request) {
    return builder_.link(request, likely_place());
}

program_store::stored program_store::place(const load_request& request) {
    auto image = std::make_shared<program::image>(read_image(request.binary, request.name));
    try {
        return {image, gpu_.load(image)};
    } catch (const configuration_error&) {
        // Another program is there.
        const program::program_place free = gpu_.free_place(extent_of(*image));
        const auto moved = builder_.move(request.binary, free);
        image = std::make_shared<program::image>(read_image(moved, request.name));
        return {image, gpu_.load(image)};
    }
}

loaded_answer program_store::load(const load_request& request) {
    settle();
    const stored placed = place(request);
    loaded_answer answer;
    answer.program = next_++;
    for (const program::kernel& kernel : placed.image->kernels()) {
        answer.kernels.push_back(describe(kernel));
    }
    for (const program::symbol& each : placed.image->symbols()) {
        if (!each.function && each.size != 0) {
            answer.variables.push_back({each.name, each.address, each.size});
        }
    }
    programs_[answer.program] = placed;
    return answer;
}

void program_store::unload(std::uint32_t program) {
    const auto found = programs_.find(program);
    if (found == programs_.end()) return;
    leaving_.push_back(found->second.id);
    programs_.erase(found);
    settle();
}

void program_store::settle() {
    std::vector<program_id> left;
    for (const program_id each : leaving_) {
        try {
            gpu_.unload(each);
        } catch (const configuration_error&) {
            left.push_back(each);  // a launch of it has not ended
        }
    }
    leaving_ = std::move(left);
}

std::uint32_t program_store::blocks_per_unit(const occupancy_request& of) const {
    launch_shape shape;
    shape.block = {of.threads, 1, 1};
    shape.dynamic_shared_bytes = of.dynamic_shared_bytes;
    try {
        return smx_capacity(machine_.smx)
            .count(check_launch(kernel(of.program, of.kernel), shape, machine_));
    } catch (const run_error& refused) {
        if (refused.kind() == error_kind::configuration) throw;
        return 0;
    }
}

const program::kernel& program_store::kernel(std::uint32_t program, std::uint32_t kernel) const {
    const auto found = programs_.find(program);
    if (found == programs_.end() || kernel >= found->second.image->kernels().size()) {
        throw configuration_error("launch of a kernel that was never loaded");
    }
    return found->second.image->kernels()[kernel];
}

}  // namespace heddle::runtime
