// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/cuda/library/driver.h"

namespace heddle::cuda {

/// The runtime's form of an array's format. Throws error(cudaErrorInvalidValue) for one that CUDA
/// has not.
[[nodiscard]] inline cudaChannelFormatDesc format_of(CUarray_format format, unsigned channels) {
    int bits = 0;
    cudaChannelFormatKind kind = cudaChannelFormatKindUnsigned;
    switch (format) {
        case CU_AD_FORMAT_UNSIGNED_INT8:
        case CU_AD_FORMAT_SIGNED_INT8:
            bits = 8;
            break;
        case CU_AD_FORMAT_UNSIGNED_INT16:
        case CU_AD_FORMAT_SIGNED_INT16:
        case CU_AD_FORMAT_HALF:
            bits = 16;
            break;
        case CU_AD_FORMAT_UNSIGNED_INT32:
        case CU_AD_FORMAT_SIGNED_INT32:
        case CU_AD_FORMAT_FLOAT:
            bits = 32;
            break;
    }
    if (format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT) {
        kind = cudaChannelFormatKindFloat;
    } else if (format >= CU_AD_FORMAT_SIGNED_INT8) {
        kind = cudaChannelFormatKindSigned;
    }
    require(bits != 0 && (channels == 1 || channels == 2 || channels == 4), cudaErrorInvalidValue);
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

}  // namespace heddle::cuda
