// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Buffers and images: who keeps them, what is copied and filled.
#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

class opencl_memory : public opencl_test {};

TEST_F(opencl_memory, kernels_keep_no_buffer_alive) {
    static bool gone;
    gone = false;
    const cl_kernel k = kernel(built("kernel void k(global int* a) { a[0] = 1; }"), "k");
    const cl_mem memory = buffer(4);
    EXPECT_EQ(clSetMemObjectDestructorCallback(
                  memory, [](cl_mem, void*) { gone = true; }, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
    EXPECT_EQ(launch(k, 1, 1), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_FALSE(gone);  // the launch needs it
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_TRUE(gone);
    EXPECT_EQ(launch(k, 1, 1), CL_INVALID_KERNEL_ARGS);
}

TEST_F(opencl_memory, memory_of_commands_that_wait_comes_back_when_it_is_needed) {
    const cl_kernel k = kernel(built("kernel void k(global int* a) { a[0] += 1; }"), "k");
    for (int round = 0; round < 6; ++round) {  // of which the device holds three
        const cl_mem memory = buffer(std::size_t{900} << 20);
        ASSERT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
        ASSERT_EQ(launch(k, 1, 1), CL_SUCCESS);
        ASSERT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    }
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

/// Two parts that begin at one pointer, unmapped in both orders: what was mapped for writing is on
/// the device when the program has unmapped it, and what kernels write behind that stays.
class opencl_two_maps : public opencl_memory, public testing::WithParamInterface<bool> {
protected:
    int* map(cl_mem memory, cl_map_flags flags, std::size_t bytes) {
        void* const mapped =
            clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, 0, bytes, 0, nullptr, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return static_cast<int*>(mapped);
    }
    void unmap(cl_mem memory, void* pointer) {
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, pointer, 0, nullptr, nullptr), CL_SUCCESS);
    }
    std::vector<int> contents(cl_mem memory) {
        std::vector<int> found(16);
        EXPECT_EQ(
            clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 64, found.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
        return found;
    }
};
INSTANTIATE_TEST_SUITE_P(writing_first, opencl_two_maps, testing::Bool());

TEST_P(opencl_two_maps, of_one_pointer_send_what_was_written) {
    const cl_mem memory = buffer(64);
    int* const first = map(memory, GetParam() ? CL_MAP_WRITE : CL_MAP_READ, 64);
    int* const second = map(memory, GetParam() ? CL_MAP_READ : CL_MAP_WRITE, 32);
    EXPECT_EQ(first, second);
    first[1] = 5;
    unmap(memory, first);
    EXPECT_EQ(contents(memory)[1], 5);
    // Either of them may still be mapped for writing.
    first[2] = 6;
    unmap(memory, second);
    EXPECT_EQ(contents(memory)[2], 6);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, first, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_P(opencl_two_maps, of_one_pointer_leave_what_a_kernel_writes) {
    const cl_kernel k = kernel(built("kernel void k(global int* a) { a[12] = 7; }"), "k");
    const cl_mem memory = buffer(64);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
    int* const wide = map(memory, GetParam() ? CL_MAP_WRITE : CL_MAP_READ, 64);
    int* const narrow = map(memory, GetParam() ? CL_MAP_READ : CL_MAP_WRITE, 32);
    wide[0] = 4;
    unmap(memory, wide);
    EXPECT_EQ(launch(k, 1, 1), CL_SUCCESS);  // beyond the part that is mapped still
    unmap(memory, narrow);
    EXPECT_EQ(contents(memory)[0], 4);
    EXPECT_EQ(contents(memory)[12], 7);
}

TEST_F(opencl_memory, boxes_do_not_wrap_or_overlap) {
    const cl_mem a = buffer(1024);
    char host[64];
    const std::size_t origin[3] = {0, 0, 0}, row[3] = {8, 1, 1};
    const auto read = [&](const std::size_t* from, std::size_t row_pitch, std::size_t slice_pitch) {
        return clEnqueueReadBufferRect(queue, a, CL_TRUE, from, origin, row, row_pitch, slice_pitch,
                                       8, 0, host, 0, nullptr, nullptr);
    };
    const std::size_t below[3] = {~std::size_t{0}, 0, 0}, far[3] = {0, std::size_t{1} << 61, 0},
                      deep[3] = {0, 0, std::size_t{1} << 62};
    EXPECT_EQ(read(below, 8, 8), CL_INVALID_VALUE);
    EXPECT_EQ(read(far, 8, 8), CL_INVALID_VALUE);
    EXPECT_EQ(read(deep, 8, 8), CL_INVALID_VALUE);
    EXPECT_EQ(read(origin, 1 << 20, 1 << 20), CL_SUCCESS);  // pitches of one row say nothing
    // One slice on and one row up: rows of two slices meet.
    const std::size_t three[3] = {8, 3, 2}, up[3] = {0, 1, 0}, on[3] = {0, 0, 1};
    const auto copy = [&](cl_mem from, cl_mem to, const std::size_t* begin, const std::size_t* end,
                          const std::size_t* region) {
        const std::size_t slice = region[2] == 1 ? 0 : 96;
        return clEnqueueCopyBufferRect(queue, from, to, begin, end, region, 16, slice, 16, slice, 0,
                                       nullptr, nullptr);
    };
    EXPECT_EQ(copy(a, a, up, on, three), CL_MEM_COPY_OVERLAP);
    const std::size_t flat[3] = {8, 3, 1}, beside[3] = {8, 1, 0};
    EXPECT_EQ(copy(a, a, up, on, flat), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(copy(a, a, up, beside, flat), CL_SUCCESS);
    // Parts of one buffer.
    const cl_buffer_region first{0, 512}, second{256, 512};
    const cl_mem b = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, &code);
    const cl_mem c = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &code);
    const std::size_t sixteen[3] = {0, 16, 0}, tall[3] = {16, 16, 1}, taller[3] = {16, 17, 1};
    EXPECT_EQ(copy(b, c, sixteen, origin, tall), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(copy(b, c, origin, origin, tall), CL_SUCCESS);
    EXPECT_EQ(copy(b, a, sixteen, sixteen, tall), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(copy(b, c, origin, origin, taller), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(opencl_memory, maps_of_one_buffer_are_apart) {
    const cl_mem whole = buffer(1024);
    const cl_buffer_region region{256, 512};
    const cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    const auto map = [&](cl_mem memory, cl_map_flags flags, std::size_t at) {
        void* const made =
            clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, at, 8, 0, nullptr, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return static_cast<unsigned char*>(made);
    };
    const int pattern = 0x01010101;
    EXPECT_EQ(clEnqueueFillBuffer(queue, whole, &pattern, 4, 0, 1024, 0, nullptr, nullptr),
              CL_SUCCESS);
    unsigned char* const first = map(whole, CL_MAP_WRITE, 0);
    unsigned char* const second = map(whole, CL_MAP_WRITE_INVALIDATE_REGION, 16);
    unsigned char* const third = map(part, CL_MAP_READ | CL_MAP_WRITE, 8);
    EXPECT_EQ(first[7], 1);
    EXPECT_EQ(third[7], 1);
    for (int i = 0; i < 8; ++i) {
        first[i] = 2;
        second[i] = 3;
        third[i] = 4;
    }
    for (const auto& [memory, pointer] :
         {std::pair{whole, second}, {part, third}, {whole, first}}) {
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, pointer, 0, nullptr, nullptr), CL_SUCCESS);
    }
    unsigned char found[1024];
    EXPECT_EQ(clEnqueueReadBuffer(queue, whole, CL_TRUE, 0, 1024, found, 0, nullptr, nullptr),
              CL_SUCCESS);
    for (int i = 0; i < 1024; ++i) {
        const int wanted = i < 8 ? 2 : i >= 16 && i < 24 ? 3 : i >= 264 && i < 272 ? 4 : 1;
        EXPECT_EQ(found[i], wanted) << i;
    }
}

TEST_F(opencl_memory, maps_of_images_have_the_rows_of_the_host) {
    unsigned char host[3 * 12];  // three rows of two pixels and a gap
    for (unsigned i = 0; i < sizeof host; ++i) host[i] = static_cast<unsigned char>(i);
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = 2;
    shape.image_height = 3;
    shape.image_row_pitch = 12;
    const cl_mem image = clCreateImage(context, CL_MEM_USE_HOST_PTR, &format, &shape, host, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const std::size_t origin[3] = {1, 1, 0}, region[3] = {1, 2, 1};
    const cl_uint fill[4] = {91, 92, 93, 94};
    EXPECT_EQ(clEnqueueFillImage(queue, image, fill, origin, region, 0, nullptr, nullptr),
              CL_SUCCESS);
    std::size_t pitch = 0;
    void* const mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region,
                                           &pitch, nullptr, 0, nullptr, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(pitch, 12u);
    EXPECT_EQ(mapped, host + 12 + 4);
    for (const int at : {16, 28}) {
        EXPECT_EQ(host[at], 91);
        EXPECT_EQ(host[at + 3], 94);
    }
    EXPECT_EQ(host[20], 20);  // the gap
    EXPECT_EQ(host[15], 15);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(opencl_memory, images_of_a_kernel_can_be_used_so) {
    const cl_program program = built(
        "kernel void k(read_only image2d_t a, write_only image2d_t b) {"
        "  write_imagef(b, (int2)(0, 0), read_imagef(a, (int2)(0, 0))); }");
    const cl_kernel k = kernel(program, "k");
    const cl_image_format format{CL_RGBA, CL_FLOAT};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = 1;
    const auto set = [&](cl_uint index, cl_mem_flags flags) {
        const cl_mem image = clCreateImage(context, flags, &format, &shape, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return clSetKernelArg(k, index, sizeof image, &image);
    };
    EXPECT_EQ(set(0, CL_MEM_WRITE_ONLY), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(set(0, CL_MEM_READ_ONLY), CL_SUCCESS);
    EXPECT_EQ(set(0, 0), CL_SUCCESS);
    EXPECT_EQ(set(1, CL_MEM_READ_ONLY), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(set(1, CL_MEM_WRITE_ONLY), CL_SUCCESS);
}

TEST_F(opencl_memory, vectors_are_arguments) {
    struct vector_type {
        const char* name;
        std::size_t bytes, stored;
    };
    for (const auto& [name, bytes, stored] : {vector_type{"char2", 2, 2},
                                              {"uchar4", 4, 4},
                                              {"short2", 4, 4},
                                              {"ushort8", 16, 16},
                                              {"int2", 8, 8},
                                              {"int3", 16, 12},
                                              {"float3", 16, 12},
                                              {"float4", 16, 16},
                                              {"uint8", 32, 32},
                                              {"float16", 64, 64},
                                              {"long2", 16, 16},
                                              {"double2", 16, 16},
                                              {"double4", 32, 32}}) {
        SCOPED_TRACE(name);
        const std::string type = name;
        const cl_kernel k = kernel(
            built(("kernel void k(global int* a, int first, " + type + " v, char last, global " +
                   type + "* to) { a[0] = first; a[1] = last; *to = v; }")
                      .c_str()),
            "k");
        const cl_mem a = buffer(8), to = buffer(64);
        unsigned char given[64], found[64];
        for (unsigned i = 0; i < sizeof given; ++i)
            given[i] = static_cast<unsigned char>(17 * i + 5);
        const int first = 1234567;
        const cl_char last = -7;
        EXPECT_EQ(clSetKernelArg(k, 0, sizeof a, &a), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 1, sizeof first, &first), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 2, bytes, given), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 3, 1, &last), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 4, sizeof to, &to), CL_SUCCESS);
        EXPECT_EQ(launch(k, 1, 1), CL_SUCCESS);
        int others[2] = {};
        EXPECT_EQ(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 8, others, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_THAT(others, testing::ElementsAre(first, -7));
        EXPECT_EQ(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, bytes, found, 0, nullptr, nullptr),
                  CL_SUCCESS);
        for (std::size_t i = 0; i < stored; ++i) EXPECT_EQ(found[i], given[i]) << i;
    }
}

/// A format, four numbers to fill with, and the bytes of a pixel that it makes.
struct filled_format {
    cl_channel_order order;
    cl_channel_type type;
    std::vector<float> colour;
    std::vector<int> bytes;
};

TEST_F(opencl_memory, images_of_every_format_are_filled) {
    const filled_format formats[] = {
        {CL_R, CL_HALF_FLOAT, {0, 0, 0, 0}, {0, 0}},
        {CL_R, CL_HALF_FLOAT, {-0.0f, 0, 0, 0}, {0, 0x80}},
        {CL_R, CL_HALF_FLOAT, {1.5f, 0, 0, 0}, {0, 0x3e}},
        {CL_R, CL_HALF_FLOAT, {5.9604645e-8f, 0, 0, 0}, {1, 0}},
        {CL_R, CL_HALF_FLOAT, {65519, 0, 0, 0}, {0xff, 0x7b}},
        {CL_R, CL_HALF_FLOAT, {65520, 0, 0, 0}, {0, 0x7c}},
        {CL_R, CL_FLOAT, {-2, 0, 0, 0}, {0, 0, 0, 0xc0}},
        {CL_RGBA, CL_UNORM_INT8, {0, 1, 0.5f, 2}, {0, 255, 128, 255}},
        {CL_BGRA, CL_UNORM_INT8, {0, 0.2f, 1, 0.6f}, {255, 51, 0, 153}},
        {CL_RGBA, CL_SNORM_INT8, {-1, 1, -2, 0}, {0x81, 127, 0x81, 0}},
        {CL_R, CL_UNORM_INT16, {1, 0, 0, 0}, {255, 255}},
        {CL_R, CL_SNORM_INT16, {-1, 0, 0, 0}, {1, 0x80}},
    };
    for (const filled_format& each : formats) {
        SCOPED_TRACE(testing::Message()
                     << std::hex << each.order << " " << each.type << " " << each.colour[0]);
        const cl_image_format format{each.order, each.type};
        cl_image_desc shape{};
        shape.image_type = CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = shape.image_height = 2;
        const cl_mem image = clCreateImage(context, 0, &format, &shape, nullptr, &code);
        if (code == CL_IMAGE_FORMAT_NOT_SUPPORTED) continue;
        ASSERT_EQ(code, CL_SUCCESS);
        const std::size_t origin[3] = {1, 1, 0}, region[3] = {1, 1, 1};
        EXPECT_EQ(clEnqueueFillImage(queue, image, each.colour.data(), origin, region, 0, nullptr,
                                     nullptr),
                  CL_SUCCESS);
        std::vector<unsigned char> found(each.bytes.size());
        EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, found.data(), 0,
                                     nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(std::vector<int>(found.begin(), found.end()), each.bytes);
        EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
}

}  // namespace
}  // namespace heddle
