// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>

#include "runtime/cuda/library/launch.h"

namespace {

using namespace heddle::cuda;

/// `<<<...>>>` of a call that has begun: its arguments come between it and the launch.
struct configured_call {
    launch_place place;
    std::vector<std::byte> arguments;  ///< as cudaSetupArgument puts them
};

std::vector<configured_call>& calls_of_thread() {
    thread_local std::vector<configured_call> calls;
    return calls;
}

configured_call pop() {
    auto& calls = calls_of_thread();
    require(!calls.empty(), cudaErrorMissingConfiguration);
    configured_call last = std::move(calls.back());
    calls.pop_back();
    return last;
}

cudaError_t launch_stub(const void* func, const launch_place& place, void** args) {
    return code_of([&] {
        device_objects& device = the_device();
        launch(device, device.programs.function(func), place, args);
    });
}

/// Hints have no effect.
void take(launch_place& place, const cudaLaunchAttribute& attribute) {
    const auto& cluster = attribute.val.clusterDim;
    switch (attribute.id) {
        case cudaLaunchAttributeCooperative:
            place.cooperative = attribute.val.cooperative != 0;
            return;
        case cudaLaunchAttributeClusterDimension:
            require(cluster.x == 1 && cluster.y == 1 && cluster.z == 1, cudaErrorNotSupported);
            return;
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        case cudaLaunchAttributeProgrammaticStreamSerialization:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain:
            return;
        case cudaLaunchAttributeProgrammaticEvent:
            throw error(cudaErrorNotSupported);
    }
    throw error(cudaErrorInvalidValue);
}

}  // namespace

extern "C" {

unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                         cudaStream_t stream) {
    calls_of_thread().push_back({{gridDim, blockDim, sharedMem, stream, false}, {}});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                       void* stream) {
    return code_of([&] {
        const launch_place place = pop().place;
        *gridDim = place.grid;
        *blockDim = place.block;
        *sharedMem = static_cast<size_t>(place.shared_bytes);
        *static_cast<cudaStream_t*>(stream) = place.stream;
    });
}

cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                             size_t sharedMem, cudaStream_t stream) {
    return launch_stub(func, {gridDim, blockDim, sharedMem, stream, false}, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                        size_t sharedMem, cudaStream_t stream) {
    return launch_stub(func, {gridDim, blockDim, sharedMem, stream, true}, args);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
    launch_place place;
    const cudaError_t code = code_of([&] {
        require(config != nullptr && (config->attrs != nullptr || config->numAttrs == 0),
                cudaErrorInvalidValue);
        place = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream,
                 false};
        for (unsigned i = 0; i < config->numAttrs; ++i) take(place, config->attrs[i]);
    });
    return code == cudaSuccess ? launch_stub(func, place, args) : code;
}

cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream) {
    return code_of([&] {
        for (const unsigned extent :
             {gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z}) {
            require(extent != 0, cudaErrorInvalidConfiguration);
        }
        (void)__cudaPushCallConfiguration(gridDim, blockDim, sharedMem, stream);
    });
}

cudaError_t cudaSetupArgument(const void* arg, size_t size, size_t offset) {
    return code_of([&] {
        constexpr size_t most = 4096;
        require(arg != nullptr && size <= most && offset <= most - size, cudaErrorInvalidValue);
        require(!calls_of_thread().empty(), cudaErrorMissingConfiguration);
        auto& bytes = calls_of_thread().back().arguments;
        bytes.resize(std::max(bytes.size(), offset + size));
        std::memcpy(bytes.data() + offset, arg, size);
    });
}

cudaError_t cudaLaunch(const void* func) {
    return code_of([&] {
        const configured_call call = pop();
        device_objects& device = the_device();
        const CUfunc_st& kernel = device.programs.function(func);
        std::vector<const void*> arguments;
        for (const auto& each : kernel.text.parameters) {
            require(std::size_t{each.offset} + each.size <= call.arguments.size(),
                    cudaErrorInvalidValue);
            arguments.push_back(call.arguments.data() + each.offset);
        }
        launch(device, kernel, call.place, arguments.data());
    });
}

}  // extern "C"
