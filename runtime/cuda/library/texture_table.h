// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "runtime/cuda/include/heddle_cuda/texture_descriptor.h"
#include "runtime/cuda/library/error.h"

namespace heddle::cuda {

/// How a texture is read.
struct texture_settings {
    cudaTextureAddressMode address[3];
    cudaTextureFilterMode filter;
    cudaTextureReadMode read;
    bool normalized;
    float border[4] = {};
};

}  // namespace heddle::cuda

/// What CUtexref points to: a texture reference of a module.
struct CUtexref_st {
    std::uint32_t variable = 0;  ///< of the device
    cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
    heddle::cuda::texture_settings settings{
        {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp},
        cudaFilterModePoint,
        cudaReadModeElementType,
        false};
    heddle_texture place{};   ///< what it is bound to; without an address nothing
    std::uint64_t bytes = 0;  ///< of linear memory; 0: it is something else
};

namespace heddle::cuda {

/// Textures that the program has made or bound.
struct texture_table {
    struct object {
        cudaResourceDesc resource;
        cudaTextureDesc settings;
    };
    std::map<cudaTextureObject_t, object> objects;
    std::map<cudaSurfaceObject_t, cudaResourceDesc> surfaces;
    std::map<const textureReference*, std::size_t> bound;              ///< offset in bytes
    std::map<std::uint32_t, std::unique_ptr<CUtexref_st>> references;  ///< by variable
};

/// The device's form of a texture over memory with these elements. Throws
/// error(cudaErrorInvalidChannelDescriptor) for a format that textures have not, and
/// cudaErrorInvalidFilterSetting, cudaErrorInvalidNormSetting for what does not go with it.
[[nodiscard]] heddle_texture describe_texture(const cudaChannelFormatDesc& format,
                                              const texture_settings& settings);

}  // namespace heddle::cuda
