// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/find.h"

// The device has no images (CL_DEVICE_IMAGE_SUPPORT): what makes one or a sampler is an invalid
// operation, and so there is none that another call could take.
namespace heddle::opencl {
namespace {

cl_mem no_image(cl_context context, cl_int* code) {
    return made_by(code, [&]() -> cl_mem {
        (void)find(context);
        throw error(CL_INVALID_OPERATION);
    });
}

cl_int no_image_in(cl_command_queue queue) {
    return code_of([&] {
        (void)find(queue);
        throw error(CL_INVALID_OPERATION);
    });
}

cl_int no_sampler() {
    return CL_INVALID_SAMPLER;
}

}  // namespace

cl_mem clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*, const cl_image_desc*,
                     void*, cl_int* code) {
    return no_image(context, code);
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                       size_t, void*, cl_int* code) {
    return no_image(context, code);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                       size_t, size_t, size_t, void*, cl_int* code) {
    return no_image(context, code);
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type,
                                  cl_uint count, cl_image_format* formats, cl_uint* found) {
    return code_of([&] {
        (void)opencl::find(context);
        require(formats == nullptr || count != 0, CL_INVALID_VALUE);
        if (found != nullptr) *found = 0;
    });
}

cl_int clGetImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) {
    return CL_INVALID_MEM_OBJECT;
}

cl_sampler clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode,
                           cl_int* code) {
    return made_by(code, [&]() -> cl_sampler {
        (void)find(context);
        throw error(CL_INVALID_OPERATION);
    });
}

cl_int clRetainSampler(cl_sampler) {
    return no_sampler();
}

cl_int clReleaseSampler(cl_sampler) {
    return no_sampler();
}

cl_int clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void*, size_t*) {
    return no_sampler();
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*,
                          size_t, size_t, void*, cl_uint, const cl_event*, cl_event*) {
    return no_image_in(queue);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*,
                           size_t, size_t, const void*, cl_uint, const cl_event*, cl_event*) {
    return no_image_in(queue);
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem, const void*, const size_t*,
                          const size_t*, cl_uint, const cl_event*, cl_event*) {
    return no_image_in(queue);
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem, cl_mem, const size_t*, const size_t*,
                          const size_t*, cl_uint, const cl_event*, cl_event*) {
    return no_image_in(queue);
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem, cl_mem, const size_t*,
                                  const size_t*, size_t, cl_uint, const cl_event*, cl_event*) {
    return no_image_in(queue);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem, cl_mem, size_t, const size_t*,
                                  const size_t*, cl_uint, const cl_event*, cl_event*) {
    return no_image_in(queue);
}

void* clEnqueueMapImage(cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, const size_t*,
                        const size_t*, size_t*, size_t*, cl_uint, const cl_event*, cl_event*,
                        cl_int* code) {
    return made_by(code, [&]() -> void* {
        (void)find(queue);
        throw error(CL_INVALID_OPERATION);
    });
}

}  // namespace heddle::opencl
