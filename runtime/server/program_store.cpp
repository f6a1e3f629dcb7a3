// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/program_store.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/device/launch_limits.h"

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

}  // namespace

std::uint32_t program_store::max_threads(const program::kernel& kernel) const {
    if (kernel.required_block) {
        return kernel.required_block->x * kernel.required_block->y * kernel.required_block->z;
    }
    const std::uint32_t warp = machine_.warp_size;
    std::uint32_t threads = std::min(max_threads_per_block, machine_.smx.max_threads);
    threads -= threads % warp;
    for (; threads > warp; threads -= warp) {
        launch_shape shape;
        shape.block = {threads, 1, 1};
        try {
            if (smx_capacity(machine_.smx).fits(check_launch(kernel, shape, machine_))) break;
        } catch (const run_error&) {
            continue;  // too many for its registers
        }
    }
    return std::max(threads, std::uint32_t{1});
}

kernel_description program_store::describe(const program::kernel& kernel) const {
    kernel_description text;
    text.name = kernel.name;
    for (const program::kernel_parameter& each : kernel.parameters) {
        text.parameters.push_back({each.name, each.type, kind_of(each.what), each.size});
    }
    text.static_shared_bytes = kernel.static_shared_bytes;
    text.private_bytes = kernel.stack_bytes.value_or(machine_.smx.private_bytes);
    text.max_threads = max_threads(kernel);
    if (kernel.required_block) {
        text.required_block = {kernel.required_block->x, kernel.required_block->y,
                               kernel.required_block->z};
    }
    return text;
}

loaded_answer program_store::load(const load_request& request) {
    const auto image = std::make_shared<program::image>(program::image::load(
        reinterpret_cast<const std::uint8_t*>(request.binary.data()), request.binary.size(),
        request.name));
    gpu_.load(image);
    loaded_answer answer;
    answer.program = next_++;
    for (const program::kernel& kernel : image->kernels()) {
        answer.kernels.push_back(describe(kernel));
    }
    programs_[answer.program] = image;
    return answer;
}

void program_store::unload(std::uint32_t program) {
    programs_.erase(program);
}

const program::kernel& program_store::kernel(std::uint32_t program, std::uint32_t kernel) const {
    const auto found = programs_.find(program);
    if (found == programs_.end() || kernel >= found->second->kernels().size()) {
        throw configuration_error("launch of a kernel that was never loaded");
    }
    return found->second->kernels()[kernel];
}

}  // namespace heddle::runtime
