// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/texture_table.h"

#include <cstring>

namespace heddle::cuda {
namespace {

unsigned channels_of(const cudaChannelFormatDesc& format) {
    const int bits = format.x;
    if (format.y == 0 && format.z == 0 && format.w == 0) return 1;
    if (format.y == bits && format.z == 0 && format.w == 0) return 2;
    require(format.y == bits && format.z == bits && format.w == bits,
            cudaErrorInvalidChannelDescriptor);
    return 4;
}

unsigned kind_of(cudaChannelFormatKind kind) {
    switch (kind) {
        case cudaChannelFormatKindSigned:
            return heddle_texture_signed;
        case cudaChannelFormatKindUnsigned:
            return heddle_texture_unsigned;
        case cudaChannelFormatKindFloat:
            return heddle_texture_float;
        default:
            throw error(cudaErrorInvalidChannelDescriptor);
    }
}

/// Wrap and mirror need normalized coordinates; without them they are clamp, as CUDA has it.
unsigned address_of(cudaTextureAddressMode mode, bool normalized) {
    require(mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder, cudaErrorInvalidValue);
    const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    return repeats && !normalized ? unsigned{heddle_texture_clamp} : static_cast<unsigned>(mode);
}

/// As the texture is read: a float, or an integer.
unsigned border_bits(float value, bool real) {
    unsigned bits = 0;
    if (real) {
        std::memcpy(&bits, &value, sizeof bits);
    } else if (value > -2147483648.0F && value < 4294967296.0F) {
        bits = static_cast<unsigned>(static_cast<long long>(value));
    }
    return bits;
}

}  // namespace

heddle_texture describe_texture(const cudaChannelFormatDesc& format,
                                const texture_settings& settings) {
    require(format.x == 8 || format.x == 16 || format.x == 32, cudaErrorInvalidChannelDescriptor);
    heddle_texture made{};
    made.channels = channels_of(format);
    made.bits = static_cast<unsigned>(format.x);
    made.kind = kind_of(format.f);
    require(format.f != cudaChannelFormatKindFloat || format.x == 32,
            cudaErrorInvalidChannelDescriptor);
    const bool real = format.f == cudaChannelFormatKindFloat;
    require(
        settings.read == cudaReadModeElementType || settings.read == cudaReadModeNormalizedFloat,
        cudaErrorInvalidValue);
    // A float is one already.
    const bool normalized = settings.read == cudaReadModeNormalizedFloat && !real;
    require(!normalized || format.x <= 16, cudaErrorInvalidNormSetting);
    require(settings.filter == cudaFilterModePoint || settings.filter == cudaFilterModeLinear,
            cudaErrorInvalidValue);
    require(settings.filter == cudaFilterModePoint || real || normalized,
            cudaErrorInvalidFilterSetting);
    made.filter = static_cast<unsigned>(settings.filter);
    made.address_x = address_of(settings.address[0], settings.normalized);
    made.address_y = address_of(settings.address[1], settings.normalized);
    made.address_z = address_of(settings.address[2], settings.normalized);
    made.normalized = settings.normalized ? 1 : 0;
    made.read = normalized ? heddle_texture_normalized_float : heddle_texture_element;
    for (int i = 0; i < 4; ++i)
        made.border[i] = border_bits(settings.border[i], real || normalized);
    return made;
}

}  // namespace heddle::cuda
