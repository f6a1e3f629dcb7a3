// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/image_format.h"

namespace heddle::opencl {
namespace {

constexpr cl_channel_order first_order = CL_R, last_order = CL_RGBx;
constexpr cl_channel_type first_type = CL_SNORM_INT8, last_type = CL_FLOAT;

bool is_packed(cl_channel_type type) {
    return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
}

std::size_t channel_bytes(cl_channel_type type) {
    switch (type) {
        case CL_SNORM_INT8:
        case CL_UNORM_INT8:
        case CL_SIGNED_INT8:
        case CL_UNSIGNED_INT8:
            return 1;
        case CL_SIGNED_INT32:
        case CL_UNSIGNED_INT32:
        case CL_FLOAT:
            return 4;
        default:
            return 2;
    }
}

bool reads_as_float(cl_channel_type type) {
    return type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || type == CL_UNORM_INT8 ||
           type == CL_UNORM_INT16 || type == CL_HALF_FLOAT || type == CL_FLOAT;
}

}  // namespace

std::size_t pixel_bytes(const cl_image_format& format) {
    const cl_channel_type type = format.image_channel_data_type;
    if (type < first_type || type > last_type) return 0;
    if (is_packed(type)) {
        if (format.image_channel_order != CL_RGB) return 0;
        return type == CL_UNORM_INT_101010 ? 4 : 2;
    }
    switch (format.image_channel_order) {
        case CL_R:
        case CL_A:
            return channel_bytes(type);
        case CL_INTENSITY:
        case CL_LUMINANCE:
            return reads_as_float(type) ? channel_bytes(type) : 0;
        case CL_RG:
        case CL_RA:
            return 2 * channel_bytes(type);
        case CL_RGBA:
            return 4 * channel_bytes(type);
        case CL_BGRA:
        case CL_ARGB:
            return channel_bytes(type) == 1 ? 4 : 0;
        default:
            return 0;
    }
}

bool is_format(const cl_image_format& format) {
    const cl_channel_order order = format.image_channel_order;
    const cl_channel_type type = format.image_channel_data_type;
    if (order < first_order || order > last_order || type < first_type || type > last_type) {
        return false;
    }
    if (order == CL_RGB || order == CL_RGBx) return is_packed(type);
    if (is_packed(type)) return false;
    if (order == CL_INTENSITY || order == CL_LUMINANCE) return reads_as_float(type);
    return (order != CL_BGRA && order != CL_ARGB) || channel_bytes(type) == 1;
}

std::vector<cl_image_format> supported_formats() {
    std::vector<cl_image_format> all;
    for (cl_channel_order order = first_order; order <= last_order; ++order) {
        for (cl_channel_type type = first_type; type <= last_type; ++type) {
            if (pixel_bytes({order, type}) != 0) all.push_back({order, type});
        }
    }
    return all;
}

}  // namespace heddle::opencl
