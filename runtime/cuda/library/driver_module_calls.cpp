// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>
#include <fstream>
#include <iterator>

#include "runtime/cuda/library/driver.h"
#include "runtime/cuda/library/function_attributes.h"

namespace {

using namespace heddle::cuda;

template <class Call>
CUresult with_device(const Call& call) {
    return in_context([&] { return code_of([&] { call(the_device()); }); });
}

template <class Call>
CUresult with_kernel(CUfunction function, const Call& call) {
    return with_device([&](device_objects& device) {
        require(device.programs.has(function), cudaErrorInvalidResourceHandle);
        call(device, *function);
    });
}

CUmod_st& module_of(const device_objects& device, CUmodule module) {
    require(device.programs.has(module), cudaErrorInvalidResourceHandle);
    return *module;
}

/// What `heddle nvcc` has written with -cubin, -fatbin or -ptx. Throws
/// error(cudaErrorFileNotFound), error(cudaErrorInvalidKernelImage).
std::vector<std::byte> contents_of(const char* file) {
    std::ifstream in(file, std::ios::binary);
    require(in.good(), cudaErrorFileNotFound);
    const std::vector<char> text{std::istreambuf_iterator<char>(in),
                                 std::istreambuf_iterator<char>()};
    require(text.size() > 16, cudaErrorInvalidKernelImage);
    const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
    if (std::memcmp(text.data(), "HEDDLECU", 8) == 0) {
        require(bytes_with_head(begin) <= text.size(), cudaErrorInvalidKernelImage);
        return executable_at(begin);
    }
    return {begin, begin + text.size()};
}

void load_data(device_objects& device, CUmodule* module, const void* image) {
    require(module != nullptr, cudaErrorInvalidValue);
    *module = &device.programs.load(executable_at(image));
}

CUresult occupancy(int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize,
                   unsigned flags) {
    return with_kernel(func, [&](device_objects& device, CUfunc_st& kernel) {
        require(numBlocks != nullptr && blockSize > 0 && (flags & ~1u) == 0, cudaErrorInvalidValue);
        *numBlocks = static_cast<int>(
            blocks_per_unit(device, kernel, static_cast<unsigned>(blockSize), dynamicSMemSize));
    });
}

int attribute_of(const CUfunc_st& kernel, CUfunction_attribute which) {
    const cudaFuncAttributes all = attributes_of(kernel);
    switch (which) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            return all.maxThreadsPerBlock;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            return static_cast<int>(all.sharedSizeBytes);
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            return static_cast<int>(all.constSizeBytes);
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            return static_cast<int>(all.localSizeBytes);
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            return all.numRegs;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            return all.ptxVersion;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            return all.binaryVersion;
        case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
            return all.cacheModeCA;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            return all.maxDynamicSharedSizeBytes;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return all.preferredShmemCarveout;
        default:
            throw error(cudaErrorInvalidValue);
    }
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* fname) {
    return with_device([&](device_objects& device) {
        require(module != nullptr && fname != nullptr, cudaErrorInvalidValue);
        *module = &device.programs.load(contents_of(fname));
    });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return with_device([&](device_objects& device) { load_data(device, module, image); });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions,
                            CUjit_option* options, void** optionValues) {
    return with_device([&](device_objects& device) {
        // Nothing is compiled here: options of the compiler have nothing to say.
        require(numOptions == 0 || (options != nullptr && optionValues != nullptr),
                cudaErrorInvalidValue);
        load_data(device, module, image);
    });
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) {
    return cuModuleLoadData(module, fatCubin);
}

CUresult cuModuleUnload(CUmodule hmod) {
    return with_device([&](device_objects& device) {
        for (const auto& [name, variable] : module_of(device, hmod).variables) {
            device.textures.references.erase(variable.address);
        }
        device.programs.unload(hmod);
    });
}

CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
    return with_device([&](device_objects& device) {
        require(hfunc != nullptr && name != nullptr, cudaErrorInvalidValue);
        const auto& functions = module_of(device, hmod).functions;
        const auto found = functions.find(name);
        require(found != functions.end(), cudaErrorSymbolNotFound);
        *hfunc = found->second.get();
    });
}

CUresult cuModuleGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name) {
    return with_device([&](device_objects& device) {
        require(name != nullptr && (dptr != nullptr || bytes != nullptr), cudaErrorInvalidValue);
        const auto& variables = module_of(device, hmod).variables;
        const auto found = variables.find(name);
        require(found != variables.end(), cudaErrorSymbolNotFound);
        if (dptr != nullptr) *dptr = found->second.address;
        if (bytes != nullptr) *bytes = found->second.bytes;
    });
}

CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
    return with_kernel(
        hfunc, [&](device_objects&, CUfunc_st& kernel) { put(pi, attribute_of(kernel, attrib)); });
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
    return with_kernel(hfunc, [&](device_objects& device, CUfunc_st& kernel) {
        if (attrib == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
            set_most_dynamic_bytes(device, kernel, value);
        } else {
            require(attrib == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                    cudaErrorInvalidValue);
            set_carveout(kernel, value);
        }
    });
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
    return with_kernel(hfunc, [&](device_objects&, CUfunc_st&) {
        require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL,
                cudaErrorInvalidValue);
    });
}

CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
    return with_kernel(hfunc, [&](device_objects&, CUfunc_st&) {
        require(config >= CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
                    config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
                cudaErrorInvalidValue);
    });
}

CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
    return with_kernel(
        hfunc, [&](device_objects&, CUfunc_st& kernel) { put(name, kernel.text.name.c_str()); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize) {
    return occupancy(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func,
                                                              int blockSize, size_t dynamicSMemSize,
                                                              unsigned int flags) {
    return occupancy(numBlocks, func, blockSize, dynamicSMemSize, flags);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
                                                     blockSizeToDynamicSMemSize, dynamicSMemSize,
                                                     blockSizeLimit, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                   CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit,
                                                   unsigned int flags) {
    return with_kernel(func, [&](device_objects& device, CUfunc_st& kernel) {
        require(minGridSize != nullptr && blockSize != nullptr && blockSizeLimit >= 0 &&
                    (flags & ~1u) == 0,
                cudaErrorInvalidValue);
        const auto& machine = device.session.description();
        const int most = static_cast<int>(kernel.text.max_threads);
        const int limit = blockSizeLimit == 0 ? most : std::min(most, blockSizeLimit);
        (void)heddle_cuda_choose_block(
            minGridSize, blockSize, limit, static_cast<int>(machine.warp_size),
            static_cast<int>(machine.units), [&](int threads, int* count) {
                const size_t bytes = blockSizeToDynamicSMemSize == nullptr
                                         ? dynamicSMemSize
                                         : blockSizeToDynamicSMemSize(threads);
                *count = static_cast<int>(
                    blocks_per_unit(device, kernel, static_cast<unsigned>(threads), bytes));
                return cudaSuccess;
            });
    });
}

}  // extern "C"
