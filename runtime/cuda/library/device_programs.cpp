// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/device_programs.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <utility>

namespace heddle::cuda {

CUmod_st& device_programs::load(const std::vector<std::byte>& executable) {
    runtime::loaded_answer answer;
    try {
        answer = session_.call(runtime::load_request{"program", executable});
    } catch (const runtime::request_refused& why) {
        std::fprintf(stderr, "heddle: %s\n", why.what());
        throw error(cudaErrorInvalidKernelImage);
    }
    auto made = std::make_unique<CUmod_st>();
    made->number = answer.program;
    for (std::uint32_t i = 0; i < answer.kernels.size(); ++i) {
        auto function = std::make_unique<CUfunc_st>();
        function->program = answer.program;
        function->number = i;
        function->text = answer.kernels[i];
        function->most_dynamic_bytes =
            std::int64_t{session_.description().shared_bytes} - function->text.static_shared_bytes;
        made->functions[function->text.name] = std::move(function);
    }
    for (const auto& each : answer.variables) made->variables[each.name] = each;
    modules_.push_back(std::move(made));
    return *modules_.back();
}

CUmod_st& device_programs::program_of(binary_id binary) {
    const auto found = loaded_.find(binary);
    if (found != loaded_.end()) return *found->second;
    unload_removed();
    CUmod_st& made = load(all_.executable(binary));
    loaded_[binary] = &made;
    share_managed(binary, made);
    return made;
}

void device_programs::share_managed(binary_id binary, CUmod_st& program) {
    std::uint64_t begin = UINT64_MAX;
    std::uint64_t end = 0;
    std::vector<std::pair<void**, std::uint32_t>> places;
    for (const managed_variable& each : all_.managed()) {
        if (each.binary != binary) continue;
        const auto found = program.variables.find(each.name);
        if (found == program.variables.end()) continue;  // no kernel uses it
        runtime::variable_description& variable = found->second;
        begin = std::min<std::uint64_t>(begin, variable.address);
        end = std::max(end, std::uint64_t{variable.address} + variable.bytes);
        places.emplace_back(each.pointer, variable.address);
        variable.bytes = static_cast<std::uint32_t>(each.bytes);
    }
    if (places.empty()) return;
    const auto address = static_cast<std::uint32_t>(begin);
    if (!session_.managed().map(session_, address, end - begin, true)) {
        std::fprintf(stderr, "heddle: the program uses addresses of its __managed__ variables\n");
        throw error(cudaErrorMemoryAllocation);
    }
    program.managed = address;
    for (const auto& [pointer, at] : places) {
        *pointer = reinterpret_cast<void*>(std::uintptr_t{at});
    }
}

void device_programs::begin_managed() {
    for (const managed_variable& each : all_.managed()) (void)program_of(each.binary);
}

void device_programs::forget_managed() {
    for (const managed_variable& each : all_.managed()) *each.pointer = each.shadow;
}

/// Those of shared libraries that the program has closed.
void device_programs::unload_removed() {
    for (auto found = loaded_.begin(); found != loaded_.end();) {
        const auto [binary, module] = *found;
        found = all_.has(binary) ? std::next(found) : loaded_.erase(found);
        if (!all_.has(binary)) unload(module);
    }
}

CUfunc_st& device_programs::function(const void* stub) {
    const registered* const found = all_.find_kernel(stub);
    require(found != nullptr, cudaErrorInvalidDeviceFunction);
    auto& functions = program_of(found->binary).functions;
    const auto kernel = functions.find(found->name);
    require(kernel != functions.end(), cudaErrorInvalidDeviceFunction);
    return *kernel->second;
}

const runtime::variable_description& device_programs::variable(const registered* found,
                                                               cudaError_t otherwise) {
    require(found != nullptr, otherwise);
    const auto& variables = program_of(found->binary).variables;
    const auto variable = variables.find(found->name);
    require(variable != variables.end(), otherwise);
    return variable->second;
}

const runtime::variable_description& device_programs::variable(const void* host) {
    // A managed variable has its address on both sides.
    const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(host));
    const registered* const found = all_.find_variable(host);
    const auto* const same = found == nullptr ? variable_at(address, 1) : nullptr;
    return same != nullptr && same->address == address ? *same
                                                       : variable(found, cudaErrorInvalidSymbol);
}

const runtime::variable_description& device_programs::texture(const void* host) {
    return variable(all_.find_texture(host), cudaErrorInvalidTexture);
}

const runtime::variable_description& device_programs::surface(const void* host) {
    return variable(all_.find_surface(host), cudaErrorInvalidSurface);
}

const runtime::variable_description* device_programs::variable_at(std::uint32_t address,
                                                                  std::uint64_t bytes) const {
    for (const auto& module : modules_) {
        for (const auto& [name, variable] : module->variables) {
            const std::uint64_t offset = address - variable.address;
            if (address >= variable.address && offset + bytes <= variable.bytes) return &variable;
        }
    }
    return nullptr;
}

void device_programs::unload(CUmod_st* gone) {
    const auto found = std::find_if(modules_.begin(), modules_.end(),
                                    [&](const auto& each) { return each.get() == gone; });
    require(found != modules_.end(), cudaErrorInvalidResourceHandle);
    cudaError_t earlier = cudaSuccess;
    if (gone->managed != 0) {
        earlier = wait_for_all_of(session_);  // launches use them until they end
        session_.managed().unmap(session_, gone->managed);
    } else {
        session_.submit();
    }
    session_.post(runtime::unload_request{gone->number});
    modules_.erase(found);
    require(earlier == cudaSuccess, earlier);  // of a launch
}

bool device_programs::has(const CUmod_st* module) const {
    return std::any_of(modules_.begin(), modules_.end(),
                       [&](const auto& each) { return each.get() == module; });
}

bool device_programs::has(const CUfunc_st* function) const {
    for (const auto& module : modules_) {
        for (const auto& [name, each] : module->functions) {
            if (each.get() == function) return true;
        }
    }
    return false;
}

}  // namespace heddle::cuda
