// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>
#include <map>

#include "runtime/cuda/library/driver.h"
#include "runtime/cuda/library/launch.h"

namespace {

using namespace heddle::cuda;

template <class Call>
CUresult with_kernel(CUfunction function, const Call& call) {
    return in_context([&] {
        return code_of([&] {
            device_objects& device = the_device();
            require(device.programs.has(function), cudaErrorInvalidResourceHandle);
            call(device, *function);
        });
    });
}

/// The buffer that cuLaunchKernel's `extra` names. Throws error(cudaErrorInvalidValue).
std::pair<const std::byte*, std::size_t> buffer_of(void** extra) {
    const std::byte* buffer = nullptr;
    const std::size_t* bytes = nullptr;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            buffer = static_cast<const std::byte*>(extra[1]);
        } else {
            require(*extra == CU_LAUNCH_PARAM_BUFFER_SIZE, cudaErrorInvalidValue);
            bytes = static_cast<const std::size_t*>(extra[1]);
        }
    }
    require(buffer != nullptr && bytes != nullptr, cudaErrorInvalidValue);
    return {buffer, *bytes};
}

void launch_buffer(device_objects& device, const CUfunc_st& kernel, const launch_place& place,
                   const std::byte* buffer, std::size_t bytes) {
    std::vector<const void*> arguments;
    for (const auto& each : kernel.text.parameters) {
        require(std::size_t{each.offset} + each.size <= bytes, cudaErrorInvalidValue);
        arguments.push_back(buffer + each.offset);
    }
    launch(device, kernel, place, arguments.data());
}

/// What the calls before cuLaunch have said of a kernel.
struct old_call {
    dim3 block;
    unsigned shared_bytes = 0;
    std::vector<std::byte> arguments;
};

/// Under the library's lock. A kernel that is gone leaves its own behind.
old_call& call_of(CUfunction function) {
    static auto* const calls = new std::map<CUfunction, old_call>;
    return (*calls)[function];
}

CUresult set_parameter(CUfunction hfunc, int offset, const void* value, std::size_t bytes) {
    return with_kernel(hfunc, [&](device_objects&, CUfunc_st&) {
        constexpr std::size_t most = 4096;
        require(offset >= 0 && value != nullptr && bytes <= most &&
                    static_cast<std::size_t>(offset) <= most - bytes,
                cudaErrorInvalidValue);
        auto& arguments = call_of(hfunc).arguments;
        const auto begin = static_cast<std::size_t>(offset);
        if (arguments.size() < begin + bytes) arguments.resize(begin + bytes);
        std::memcpy(arguments.data() + begin, value, bytes);
    });
}

CUresult launch_old(CUfunction f, int width, int height, CUstream stream) {
    return with_kernel(f, [&](device_objects& device, CUfunc_st& kernel) {
        require(width > 0 && height > 0, cudaErrorInvalidValue);
        const old_call& call = call_of(f);
        const dim3 grid(static_cast<unsigned>(width), static_cast<unsigned>(height));
        launch_buffer(device, kernel, {grid, call.block, call.shared_bytes, stream, false},
                      call.arguments.data(), call.arguments.size());
    });
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                        void** kernelParams, void** extra) {
    return with_kernel(f, [&](device_objects& device, CUfunc_st& kernel) {
        require(kernelParams == nullptr || extra == nullptr, cudaErrorInvalidValue);
        const launch_place place{{gridDimX, gridDimY, gridDimZ},
                                 {blockDimX, blockDimY, blockDimZ},
                                 sharedMemBytes,
                                 hStream,
                                 false};
        if (extra == nullptr) return launch(device, kernel, place, kernelParams);
        const auto [buffer, bytes] = buffer_of(extra);
        launch_buffer(device, kernel, place, buffer, bytes);
    });
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void** kernelParams) {
    return with_kernel(f, [&](device_objects& device, CUfunc_st& kernel) {
        launch(device, kernel,
               {{gridDimX, gridDimY, gridDimZ},
                {blockDimX, blockDimY, blockDimZ},
                sharedMemBytes,
                hStream,
                true},
               kernelParams);
    });
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
    return in_context([&] { return cudaLaunchHostFunc(hStream, fn, userData); });
}

CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z) {
    return with_kernel(hfunc, [&](device_objects&, CUfunc_st&) {
        require(x > 0 && y > 0 && z > 0, cudaErrorInvalidValue);
        call_of(hfunc).block =
            dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
    });
}

CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes) {
    return with_kernel(hfunc,
                       [&](device_objects&, CUfunc_st&) { call_of(hfunc).shared_bytes = bytes; });
}

CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes) {
    return with_kernel(hfunc, [&](device_objects&, CUfunc_st&) {
        require(numbytes <= 4096, cudaErrorInvalidValue);
        call_of(hfunc).arguments.resize(numbytes);
    });
}

CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value) {
    return set_parameter(hfunc, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction hfunc, int offset, float value) {
    return set_parameter(hfunc, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes) {
    return set_parameter(hfunc, offset, ptr, numbytes);
}

CUresult cuLaunch(CUfunction f) {
    return launch_old(f, 1, 1, nullptr);
}

CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height) {
    return launch_old(f, grid_width, grid_height, nullptr);
}

CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream) {
    return launch_old(f, grid_width, grid_height, hStream);
}

}  // extern "C"
