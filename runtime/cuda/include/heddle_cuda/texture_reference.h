/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * texture<T, dimensions, mode>: a variable of the program that stands for a texture. The host has
 * its settings, the device a descriptor, which the runtime library writes when the texture is
 * bound. */
#ifndef HEDDLE_CUDA_TEXTURE_REFERENCE_H
#define HEDDLE_CUDA_TEXTURE_REFERENCE_H

#include "channel_descriptor.h"
#include "heddle_cuda/texture_descriptor.h"
#include "texture_types.h"

#if defined(__cplusplus)
struct heddle_texture_slot {
    struct heddle_texture heddle_descriptor;
    /* A copy, as functions take by value, stands for the variable that it was made of. */
    unsigned heddle_is_copy, heddle_variable;
};

#if defined(__CUDA__)
#define HEDDLE_TEXTURE_TYPE __attribute__((device_builtin_texture_type))
#else
#define HEDDLE_TEXTURE_TYPE
#endif

template <class T, int dimensions = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct HEDDLE_TEXTURE_TYPE texture :
#if defined(__CUDA_ARCH__)
    public heddle_texture_slot, /* first, so that its address is the variable's */
#endif
    public textureReference {
#if !defined(__CUDA_ARCH__)
    texture(int is_normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
            enum cudaTextureAddressMode address = cudaAddressModeClamp) {
        set(is_normalized, filter, address, cudaCreateChannelDesc<T>());
    }
    texture(int is_normalized, enum cudaTextureFilterMode filter,
            enum cudaTextureAddressMode address, struct cudaChannelFormatDesc channels) {
        set(is_normalized, filter, address, channels);
    }
#if defined(__CUDA__)
    __device__ unsigned heddle_address() const;
#endif

private:
    void set(int is_normalized, enum cudaTextureFilterMode filter,
             enum cudaTextureAddressMode address, struct cudaChannelFormatDesc channels) {
        normalized = is_normalized;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = channels;
    }
#else
    /* The device's variable begins as zeros: not bound. */
    texture() = default;
    constexpr texture(int, enum cudaTextureFilterMode = cudaFilterModePoint,
                      enum cudaTextureAddressMode = cudaAddressModeClamp)
        : heddle_texture_slot(), textureReference() {}
    constexpr texture(int, enum cudaTextureFilterMode, enum cudaTextureAddressMode,
                      struct cudaChannelFormatDesc)
        : heddle_texture_slot(), textureReference() {}
    __device__ __inline__ __attribute__((always_inline)) texture(const texture& other)
        : heddle_texture_slot(), textureReference() {
        this->heddle_is_copy = 1;
        this->heddle_variable = other.heddle_address();
    }
    /* That it is a copy is known to the compiler: functions that take one are inlined
     * (models/program/pass/texture_copies.h). Without optimization the copy is asked. */
    __device__ __inline__ __attribute__((always_inline)) unsigned heddle_address() const {
#if !defined(__CUDACC_DEBUG__)
        if (!__builtin_constant_p(this->heddle_is_copy)) return (unsigned)(unsigned long)this;
#endif
        return this->heddle_is_copy != 0 ? this->heddle_variable : (unsigned)(unsigned long)this;
    }
#endif
};
#undef HEDDLE_TEXTURE_TYPE
#endif

#endif
