// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>

#include "runtime/cuda/include/heddle_cuda/texture_descriptor.h"
#include "runtime/cuda/library/error.h"

namespace heddle::cuda {

/// Textures that the program has made or bound.
struct texture_table {
    struct object {
        cudaResourceDesc resource;
        cudaTextureDesc settings;
    };
    std::map<cudaTextureObject_t, object> objects;
    std::map<const textureReference*, std::size_t> bound;  ///< offset in bytes
};

/// How a texture is read.
struct texture_settings {
    cudaTextureAddressMode address[2];
    cudaTextureFilterMode filter;
    cudaTextureReadMode read;
    bool normalized;
};

/// The device's form of a texture over memory with these elements. Throws
/// error(cudaErrorInvalidChannelDescriptor) for a format that textures have not, and
/// cudaErrorInvalidFilterSetting, cudaErrorInvalidNormSetting for what does not go with it.
[[nodiscard]] heddle_texture describe_texture(const cudaChannelFormatDesc& format,
                                              const texture_settings& settings);

}  // namespace heddle::cuda
