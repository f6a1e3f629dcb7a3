/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
/* Programs ask whether this name is defined. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#if defined(__cplusplus)

/* The format of a type: its channels with their bits. Other types have none. */
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define HEDDLE_CUDA_CHANNELS(type, x, y, z, w, kind)                                  \
    template <>                                                                       \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                      \
        const int bits = 8 * (int)sizeof(type) / ((x) + (y) + (z) + (w));             \
        return ::cudaCreateChannelDesc((x)*bits, (y)*bits, (z)*bits, (w)*bits, kind); \
    }
#define HEDDLE_CUDA_VECTOR_CHANNELS(name, kind)     \
    HEDDLE_CUDA_CHANNELS(name##1, 1, 0, 0, 0, kind) \
    HEDDLE_CUDA_CHANNELS(name##2, 1, 1, 0, 0, kind) \
    HEDDLE_CUDA_CHANNELS(name##4, 1, 1, 1, 1, kind)

HEDDLE_CUDA_CHANNELS(char, 1, 0, 0, 0, cudaChannelFormatKindSigned)
HEDDLE_CUDA_CHANNELS(signed char, 1, 0, 0, 0, cudaChannelFormatKindSigned)
HEDDLE_CUDA_CHANNELS(unsigned char, 1, 0, 0, 0, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_CHANNELS(short, 1, 0, 0, 0, cudaChannelFormatKindSigned)
HEDDLE_CUDA_CHANNELS(unsigned short, 1, 0, 0, 0, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_CHANNELS(int, 1, 0, 0, 0, cudaChannelFormatKindSigned)
HEDDLE_CUDA_CHANNELS(unsigned int, 1, 0, 0, 0, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_CHANNELS(long, 1, 0, 0, 0, cudaChannelFormatKindSigned)
HEDDLE_CUDA_CHANNELS(unsigned long, 1, 0, 0, 0, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_CHANNELS(float, 1, 0, 0, 0, cudaChannelFormatKindFloat)
HEDDLE_CUDA_VECTOR_CHANNELS(char, cudaChannelFormatKindSigned)
HEDDLE_CUDA_VECTOR_CHANNELS(uchar, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_VECTOR_CHANNELS(short, cudaChannelFormatKindSigned)
HEDDLE_CUDA_VECTOR_CHANNELS(ushort, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_VECTOR_CHANNELS(int, cudaChannelFormatKindSigned)
HEDDLE_CUDA_VECTOR_CHANNELS(uint, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_VECTOR_CHANNELS(long, cudaChannelFormatKindSigned)
HEDDLE_CUDA_VECTOR_CHANNELS(ulong, cudaChannelFormatKindUnsigned)
HEDDLE_CUDA_VECTOR_CHANNELS(float, cudaChannelFormatKindFloat)
#undef HEDDLE_CUDA_VECTOR_CHANNELS
#undef HEDDLE_CUDA_CHANNELS

#endif

#endif
