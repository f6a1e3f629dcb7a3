// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "models/program/opencl/image_descriptor.h"
#include "runtime/opencl/find.h"
#include "runtime/opencl/image_format.h"
#include "runtime/opencl/memory_flags.h"

// Images of two dimensions. Their pixels are rows without gaps in device memory; a descriptor that
// kernels read says where.
namespace heddle::opencl {
namespace {

struct image_request {
    cl_mem_flags flags;
    cl_image_format format;
    std::size_t width, height, row_pitch;
    void* host;
};

std::size_t check_request(const image_request& wanted, cl_int wrong_size) {
    check_memory_flags(wanted.flags);
    require(is_format(wanted.format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    const std::size_t pixel = pixel_bytes(wanted.format);
    require(pixel != 0, CL_IMAGE_FORMAT_NOT_SUPPORTED);
    require(wanted.width != 0 && wanted.height != 0, wrong_size);
    require(wanted.width <= max_image_extent && wanted.height <= max_image_extent,
            CL_INVALID_IMAGE_SIZE);
    const bool needs_pointer = (wanted.flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    require(needs_pointer == (wanted.host != nullptr), CL_INVALID_HOST_PTR);
    const bool pitch_fits = wanted.row_pitch == 0 ||
                            (wanted.host != nullptr && wanted.row_pitch >= wanted.width * pixel &&
                             wanted.row_pitch % pixel == 0);
    require(pitch_fits, wrong_size);
    return pixel;
}

cl_mem make_image(cl_context handle, const image_request& wanted, cl_int wrong_size) {
    const auto context = find(handle);
    const std::size_t pixel = check_request(wanted, wrong_size);
    const std::size_t row = wanted.width * pixel;
    device_session& device = *context->device;
    const auto memory = std::make_shared<_cl_mem>();
    memory->flags = with_default_access(wanted.flags);
    memory->size = row * wanted.height;
    auto image = std::make_unique<image_shape>();
    image->format = wanted.format;
    image->pixel = pixel;
    image->width = wanted.width;
    image->height = wanted.height;
    image->host_pitch = wanted.row_pitch != 0 ? wanted.row_pitch : row;
    if ((wanted.flags & CL_MEM_USE_HOST_PTR) != 0) memory->host_pointer = wanted.host;
    const std::string name = "image " + std::to_string(context->buffers++);
    memory->address = device.allocate(memory->size, name);
    memory->context = context;
    image->descriptor = device.allocate(sizeof(heddle_image_descriptor), "descriptor of " + name);
    const heddle_image_descriptor descriptor{memory->address,
                                             static_cast<unsigned>(wanted.width),
                                             static_cast<unsigned>(wanted.height),
                                             static_cast<unsigned>(row),
                                             wanted.format.image_channel_order,
                                             wanted.format.image_channel_data_type,
                                             {}};
    const std::uint64_t bytes = sizeof descriptor;
    device.write(&descriptor, bytes, bytes, {image->descriptor, bytes, bytes}, {bytes, 1, 1});
    if (wanted.host != nullptr) {
        device.write(wanted.host, image->host_pitch, 0, {memory->address, row, memory->size},
                     {row, wanted.height, 1});
    }
    memory->image = std::move(image);
    return the_library().memories.add(memory);
}

}  // namespace

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* shape, void* host, cl_int* code) {
    return made_by(code, [&] {
        (void)find(context);
        require(format != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        require(shape != nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
        const cl_mem_object_type type = shape->image_type;
        require(type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
                CL_INVALID_IMAGE_DESCRIPTOR);
        // The device has those of two dimensions only.
        require(type == CL_MEM_OBJECT_IMAGE2D, CL_INVALID_OPERATION);
        require(shape->num_mip_levels == 0 && shape->num_samples == 0 && shape->buffer == nullptr,
                CL_INVALID_IMAGE_DESCRIPTOR);
        return make_image(
            context,
            {flags, *format, shape->image_width, shape->image_height, shape->image_row_pitch, host},
            CL_INVALID_IMAGE_DESCRIPTOR);
    });
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                       size_t width, size_t height, size_t row_pitch, void* host, cl_int* code) {
    return made_by(code, [&] {
        (void)find(context);
        require(format != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        return make_image(context, {flags, *format, width, height, row_pitch, host},
                          CL_INVALID_IMAGE_SIZE);
    });
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                       size_t, size_t, size_t, void*, cl_int* code) {
    return made_by(code, [&]() -> cl_mem {
        (void)find(context);
        throw error(CL_INVALID_OPERATION);
    });
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint count, cl_image_format* formats, cl_uint* found) {
    return code_of([&] {
        (void)find(context);
        check_memory_flags(flags);
        require(type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
                CL_INVALID_VALUE);
        require(formats == nullptr || count != 0, CL_INVALID_VALUE);
        const bool is_there = type == CL_MEM_OBJECT_IMAGE2D;
        const auto all = is_there ? supported_formats() : std::vector<cl_image_format>();
        if (found != nullptr) *found = static_cast<cl_uint>(all.size());
        if (formats == nullptr) return;
        std::copy_n(all.begin(), std::min<std::size_t>(count, all.size()), formats);
    });
}

cl_int clGetImageInfo(cl_mem handle, cl_image_info name, size_t size, void* value,
                      size_t* size_ret) {
    return code_of([&] {
        const auto memory = find_image(handle);
        const image_shape& image = *memory->image;
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_IMAGE_FORMAT:
                return place.put(image.format);
            case CL_IMAGE_ELEMENT_SIZE:
                return place.put(image.pixel);
            case CL_IMAGE_ROW_PITCH:
                return place.put(image.host_pitch);
            case CL_IMAGE_WIDTH:
                return place.put(image.width);
            case CL_IMAGE_HEIGHT:
                return place.put(image.height);
            case CL_IMAGE_SLICE_PITCH:
            case CL_IMAGE_DEPTH:
            case CL_IMAGE_ARRAY_SIZE:
                return place.put(std::size_t{0});
            case CL_IMAGE_BUFFER:
                return place.put(cl_mem{nullptr});
            case CL_IMAGE_NUM_MIP_LEVELS:
            case CL_IMAGE_NUM_SAMPLES:
                return place.put(cl_uint{0});
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

}  // namespace heddle::opencl
