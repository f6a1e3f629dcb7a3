// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What each call of OpenCL says of wrong use: images and samplers.
#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

class opencl_image_errors : public opencl_test {};

TEST_F(opencl_image_errors, of_images) {
    const cl_image_format format{CL_RGBA, CL_FLOAT}, none{CL_RGBA, 1}, strange{CL_RGB, CL_FLOAT};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = 8;
    shape.image_height = 4;
    const auto make = [&](const cl_image_format* of, const cl_image_desc* how) {
        code = 0;
        EXPECT_EQ(clCreateImage(context, 0, of, how, nullptr, &code), nullptr);
        return code;
    };
    EXPECT_EQ(make(&none, &shape), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    EXPECT_EQ(make(&strange, &shape), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    EXPECT_EQ(make(nullptr, &shape), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    EXPECT_EQ(make(&format, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
    cl_image_desc other = shape;
    other.image_width = 0;
    EXPECT_EQ(make(&format, &other), CL_INVALID_IMAGE_DESCRIPTOR);
    other.image_width = 16385;
    EXPECT_EQ(make(&format, &other), CL_INVALID_IMAGE_SIZE);
    other = shape;
    other.image_type = CL_MEM_OBJECT_IMAGE3D;
    EXPECT_EQ(make(&format, &other), CL_INVALID_OPERATION);
    other = shape;
    other.image_row_pitch = 128;
    EXPECT_EQ(make(&format, &other), CL_INVALID_IMAGE_DESCRIPTOR);
    EXPECT_EQ(clCreateImage3D(context, 0, &format, 4, 4, 4, 0, 0, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    const cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &shape, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    std::size_t size = 0;
    EXPECT_EQ(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof size, &size, nullptr), CL_SUCCESS);
    EXPECT_EQ(size, 128u);
    EXPECT_EQ(clGetImageInfo(image, 1, sizeof size, &size, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetImageInfo(buffer(4), CL_IMAGE_WIDTH, sizeof size, &size, nullptr),
              CL_INVALID_MEM_OBJECT);
    float host[200] = {};
    const std::size_t origin[3] = {0, 0, 0}, all[3] = {8, 4, 1}, larger[3] = {8, 5, 1},
                      deep[3] = {8, 4, 2}, aside[3] = {1, 0, 0};
    const auto read = [&](cl_mem from, const std::size_t* at, const std::size_t* region,
                          std::size_t row) {
        return clEnqueueReadImage(queue, from, CL_TRUE, at, region, row, 0, host, 0, nullptr,
                                  nullptr);
    };
    EXPECT_EQ(read(image, origin, all, 0), CL_SUCCESS);
    EXPECT_EQ(read(image, origin, larger, 0), CL_INVALID_VALUE);
    EXPECT_EQ(read(image, origin, deep, 0), CL_INVALID_VALUE);
    EXPECT_EQ(read(image, aside, all, 0), CL_INVALID_VALUE);
    EXPECT_EQ(read(image, origin, all, 64), CL_INVALID_VALUE);
    EXPECT_EQ(read(buffer(4), origin, all, 0), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clEnqueueReadBuffer(queue, image, CL_TRUE, 0, 4, host, 0, nullptr, nullptr),
              CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clEnqueueCopyImage(queue, image, image, origin, origin, all, 0, nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(
        clEnqueueCopyImageToBuffer(queue, image, buffer(4), origin, all, 0, 0, nullptr, nullptr),
        CL_INVALID_VALUE);
    cl_uint formats = 0;
    EXPECT_EQ(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &formats),
              CL_SUCCESS);
    EXPECT_GT(formats, 40u);
    EXPECT_EQ(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE3D, 0, nullptr, &formats),
              CL_SUCCESS);
    EXPECT_EQ(formats, 0u);
}

TEST_F(opencl_image_errors, of_samplers_and_their_arguments) {
    EXPECT_EQ(clCreateSampler(context, 0, 3, CL_FILTER_NEAREST, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateSampler(context, 0, CL_ADDRESS_NONE, 3, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    const cl_sampler sampler =
        clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &code);
    cl_addressing_mode mode = 0;
    EXPECT_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(mode, cl_addressing_mode{CL_ADDRESS_REPEAT});
    EXPECT_EQ(clGetSamplerInfo(sampler, 1, sizeof mode, &mode, nullptr), CL_INVALID_VALUE);
    const cl_kernel k =
        kernel(built("kernel void k(read_only image2d_t a, sampler_t b, write_only image2d_t c) {"
                     "  write_imagef(c, (int2)(0), read_imagef(a, b, (float2)(0.5f))); }"),
               "k");
    const cl_mem plain = buffer(64);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof plain, &plain), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clSetKernelArg(k, 1, sizeof plain, &plain), CL_INVALID_SAMPLER);
    EXPECT_EQ(clSetKernelArg(k, 1, 4, &sampler), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(k, 1, sizeof sampler, &sampler), CL_SUCCESS);
    char text[40];
    cl_kernel_arg_access_qualifier access = 0;
    EXPECT_EQ(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(std::string(text), "image2d_t");
    EXPECT_EQ(
        clGetKernelArgInfo(k, 2, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(access, cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_WRITE_ONLY});
    EXPECT_EQ(clRetainSampler(sampler), CL_SUCCESS);
    EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    EXPECT_EQ(clReleaseSampler(stranger<cl_sampler>()), CL_INVALID_SAMPLER);
}

}  // namespace
}  // namespace heddle
