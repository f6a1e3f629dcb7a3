/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_RUNTIME_TEMPLATES_H
#define HEDDLE_CUDA_RUNTIME_TEMPLATES_H

/* What C++ has beside cuda_runtime_api.h: the same functions with the program's own types. */

/* Memory */
template <class T>
inline cudaError_t cudaMalloc(T** devPtr, size_t size) {
    return ::cudaMalloc((void**)devPtr, size);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void**)devPtr, pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** devPtr, size_t size,
                                     unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void**)devPtr, size, flags);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** devPtr, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void**)devPtr, size, stream);
}
inline cudaError_t cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc(ptr, size, flags);
}
template <class T>
inline cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
    return ::cudaHostAlloc((void**)ptr, size, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void**)ptr, size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void**)pDevice, pHost, flags);
}

/* Symbols */
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count,
                                      size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void*)&symbol, src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                           size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void*)&symbol, src, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(dst, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol) {
    return ::cudaGetSymbolAddress(devPtr, (const void*)&symbol);
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
    return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

/* Launches */
template <class T>
inline cudaError_t cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                    size_t sharedMem = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                               size_t sharedMem = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void*)func, gridDim, blockDim, args, sharedMem,
                                         stream);
}
/* The arguments become what the kernel's parameters are. */
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                      void (*kernel)(Parameters...), Arguments&&... args) {
    return [&](Parameters... converted) {
        void* places[] = {(void*)&converted..., 0};
        return ::cudaLaunchKernelExC(config, (const void*)kernel, places);
    }(static_cast<Arguments&&>(args)...);
}
template <class T>
inline cudaError_t cudaSetupArgument(T arg, size_t offset) {
    return ::cudaSetupArgument((const void*)&arg, sizeof(T), offset);
}
template <class T>
inline cudaError_t cudaLaunch(T* func) {
    return ::cudaLaunch((const void*)func);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, T* func) {
    return ::cudaFuncGetAttributes(attr, (const void*)func);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T* func, enum cudaFuncAttribute attr, int value) {
    return ::cudaFuncSetAttribute((const void*)func, attr, value);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* func, enum cudaFuncCache cacheConfig) {
    return ::cudaFuncSetCacheConfig((const void*)func, cacheConfig);
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* func, enum cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void*)func, config);
}
template <class T>
inline cudaError_t cudaFuncGetName(const char** name, T* func) {
    return ::cudaFuncGetName(name, (const void*)func);
}

/* Occupancy */
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T func,
                                                                 int blockSize,
                                                                 size_t dynamicSMemSize) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void*)func, blockSize,
                                                           dynamicSMemSize);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T func,
                                                                          int blockSize,
                                                                          size_t dynamicSMemSize,
                                                                          unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, (const void*)func, blockSize, dynamicSMemSize, flags);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, T* func,
                                                             int numBlocks, int blockSize) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void*)func,
                                                       numBlocks, blockSize);
}

/* The size of a block, in whole warps, with which an SMX holds most threads: the largest one of
 * several. `blocks(size, &count)` says how many blocks of a size it holds. */
template <class Blocks>
inline cudaError_t heddle_cuda_choose_block(int* minGridSize, int* blockSize, int limit, int warp,
                                            int units, Blocks blocks) {
    int most = 0;
    *minGridSize = *blockSize = 0;
    for (int size = (limit + warp - 1) / warp * warp; size > 0; size -= warp) {
        const int threads = size < limit ? size : limit;
        int count = 0;
        const cudaError_t code = blocks(threads, &count);
        if (code != cudaSuccess) return code;
        if (count * threads <= most) continue;
        most = count * threads;
        *blockSize = threads;
        *minGridSize = count * units;
    }
    return cudaSuccess;
}

template <class Bytes>
struct heddle_cuda_blocks_of {
    const void* func;
    Bytes bytes;
    unsigned int flags;
    cudaError_t operator()(int threads, int* count) {
        return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(count, func, threads,
                                                                        bytes(threads), flags);
    }
};

/* `bytes(size)`: the dynamic shared memory of a block of that size. */
template <class Bytes, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize,
                                                                           int* blockSize, T func,
                                                                           Bytes bytes,
                                                                           int blockSizeLimit = 0,
                                                                           unsigned int flags = 0) {
    if (minGridSize == 0 || blockSize == 0) return cudaErrorInvalidValue;
    int units = 0, warp = 0;
    cudaFuncAttributes text;
    cudaError_t code = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0);
    if (code == cudaSuccess) code = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0);
    if (code == cudaSuccess) code = ::cudaFuncGetAttributes(&text, (const void*)func);
    if (code != cudaSuccess) return code;
    int limit = text.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
    heddle_cuda_blocks_of<Bytes> blocks = {(const void*)func, bytes, flags};
    return heddle_cuda_choose_block(minGridSize, blockSize, limit, warp, units, blocks);
}
template <class Bytes, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                                  T func, Bytes bytes,
                                                                  int blockSizeLimit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                   bytes, blockSizeLimit, 0);
}

struct heddle_cuda_same_bytes {
    size_t bytes;
    size_t operator()(int) const { return bytes; }
};
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                               T func, size_t dynamicSMemSize = 0,
                                                               int blockSizeLimit = 0,
                                                               unsigned int flags = 0) {
    heddle_cuda_same_bytes bytes;
    bytes.bytes = dynamicSMemSize;
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                   bytes, blockSizeLimit, flags);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func,
                                                      size_t dynamicSMemSize = 0,
                                                      int blockSizeLimit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
                                                       dynamicSMemSize, blockSizeLimit, 0);
}

/* Events */
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

/* Textures: a texture<> is a textureReference, which knows the format of its elements. */
inline cudaError_t cudaBindTexture(size_t* offset, const textureReference& tex, const void* devPtr,
                                   const cudaChannelFormatDesc& desc, size_t size = UINT_MAX) {
    return ::cudaBindTexture(offset, &tex, devPtr, &desc, size);
}
inline cudaError_t cudaBindTexture(size_t* offset, const textureReference& tex, const void* devPtr,
                                   size_t size = UINT_MAX) {
    return ::cudaBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
inline cudaError_t cudaBindTexture2D(size_t* offset, const textureReference& tex,
                                     const void* devPtr, const cudaChannelFormatDesc& desc,
                                     size_t width, size_t height, size_t pitch) {
    return ::cudaBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}
inline cudaError_t cudaBindTexture2D(size_t* offset, const textureReference& tex,
                                     const void* devPtr, size_t width, size_t height,
                                     size_t pitch) {
    return ::cudaBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}
inline cudaError_t cudaBindTextureToArray(const textureReference& tex, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
    return ::cudaBindTextureToArray(&tex, array, &desc);
}
inline cudaError_t cudaBindTextureToArray(const textureReference& tex, cudaArray_const_t array) {
    cudaChannelFormatDesc desc;
    const cudaError_t code = ::cudaGetChannelDesc(&desc, array);
    return code == cudaSuccess ? ::cudaBindTextureToArray(&tex, array, &desc) : code;
}
inline cudaError_t cudaUnbindTexture(const textureReference& tex) {
    return ::cudaUnbindTexture(&tex);
}
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference& tex) {
    return ::cudaGetTextureAlignmentOffset(offset, &tex);
}

inline cudaError_t cudaBindSurfaceToArray(const surfaceReference& surf, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
    return ::cudaBindSurfaceToArray(&surf, array, &desc);
}
inline cudaError_t cudaBindSurfaceToArray(const surfaceReference& surf, cudaArray_const_t array) {
    return ::cudaBindSurfaceToArray(&surf, array, 0);
}

#include "channel_descriptor.h"

#endif
