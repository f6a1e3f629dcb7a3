// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/opencl/image_descriptor.h"
#include "runtime/opencl/find.h"

namespace heddle::opencl {
namespace {

std::uint32_t bits_of(cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
    std::uint32_t bits = normalized != CL_FALSE ? HEDDLE_SAMPLER_NORMALIZED : 0;
    switch (addressing) {
        case CL_ADDRESS_NONE:
            bits |= HEDDLE_SAMPLER_NONE;
            break;
        case CL_ADDRESS_CLAMP_TO_EDGE:
            bits |= HEDDLE_SAMPLER_CLAMP_TO_EDGE;
            break;
        case CL_ADDRESS_CLAMP:
            bits |= HEDDLE_SAMPLER_CLAMP;
            break;
        case CL_ADDRESS_REPEAT:
            bits |= HEDDLE_SAMPLER_REPEAT;
            break;
        case CL_ADDRESS_MIRRORED_REPEAT:
            bits |= HEDDLE_SAMPLER_MIRRORED_REPEAT;
            break;
        default:
            throw error(CL_INVALID_VALUE);
    }
    require(filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR, CL_INVALID_VALUE);
    return bits | (filter == CL_FILTER_LINEAR ? HEDDLE_SAMPLER_LINEAR : HEDDLE_SAMPLER_NEAREST);
}

}  // namespace

cl_sampler clCreateSampler(cl_context handle, cl_bool normalized, cl_addressing_mode addressing,
                           cl_filter_mode filter, cl_int* code) {
    return made_by(code, [&] {
        const auto sampler = std::make_shared<_cl_sampler>();
        sampler->context = find(handle);
        sampler->bits = bits_of(normalized, addressing, filter);
        sampler->normalized = normalized;
        sampler->addressing = addressing;
        sampler->filter = filter;
        return the_library().samplers.add(sampler);
    });
}

cl_int clRetainSampler(cl_sampler sampler) {
    return code_of([&] { require(the_library().samplers.retain(sampler), CL_INVALID_SAMPLER); });
}

cl_int clReleaseSampler(cl_sampler sampler) {
    return code_of([&] { require(the_library().samplers.release(sampler), CL_INVALID_SAMPLER); });
}

cl_int clGetSamplerInfo(cl_sampler handle, cl_sampler_info name, size_t size, void* value,
                        size_t* size_ret) {
    return code_of([&] {
        const auto sampler = find(handle);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_SAMPLER_REFERENCE_COUNT:
                return place.put(cl_uint{sampler->references});
            case CL_SAMPLER_CONTEXT:
                return place.put(sampler->context.get());
            case CL_SAMPLER_NORMALIZED_COORDS:
                return place.put(sampler->normalized);
            case CL_SAMPLER_ADDRESSING_MODE:
                return place.put(sampler->addressing);
            case CL_SAMPLER_FILTER_MODE:
                return place.put(sampler->filter);
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

}  // namespace heddle::opencl
