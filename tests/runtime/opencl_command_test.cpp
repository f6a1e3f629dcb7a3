// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What each call that enqueues says of wrong use, and events.
#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

class opencl_command : public opencl_test {};

TEST_F(opencl_command, copies_stay_within_their_buffers) {
    const cl_mem a = buffer(64), b = buffer(64);
    const cl_mem closed = buffer(64, CL_MEM_HOST_NO_ACCESS);
    int host[16] = {};
    const auto read = [&](cl_mem memory, std::size_t at, std::size_t size, void* to) {
        return clEnqueueReadBuffer(queue, memory, CL_TRUE, at, size, to, 0, nullptr, nullptr);
    };
    EXPECT_EQ(read(a, 0, 64, host), CL_SUCCESS);
    EXPECT_EQ(read(a, 4, 64, host), CL_INVALID_VALUE);
    EXPECT_EQ(read(a, 65, 0, host), CL_INVALID_VALUE);
    EXPECT_EQ(read(a, ~std::size_t{0}, 2, host), CL_INVALID_VALUE);
    EXPECT_EQ(read(a, 0, 4, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(read(closed, 0, 4, host), CL_INVALID_OPERATION);
    const auto write = [&](cl_mem memory, std::size_t at, std::size_t size) {
        return clEnqueueWriteBuffer(queue, memory, CL_FALSE, at, size, host, 0, nullptr, nullptr);
    };
    EXPECT_EQ(write(a, 60, 8), CL_INVALID_VALUE);
    EXPECT_EQ(write(closed, 0, 4), CL_INVALID_OPERATION);
    const auto copy = [&](cl_mem from, cl_mem to, std::size_t at, std::size_t place,
                          std::size_t size) {
        return clEnqueueCopyBuffer(queue, from, to, at, place, size, 0, nullptr, nullptr);
    };
    EXPECT_EQ(copy(a, b, 0, 0, 64), CL_SUCCESS);
    EXPECT_EQ(copy(a, b, 0, 4, 64), CL_INVALID_VALUE);
    EXPECT_EQ(copy(a, a, 0, 4, 8), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(copy(a, a, 0, 8, 8), CL_SUCCESS);
    const auto fill = [&](std::size_t pattern, std::size_t at, std::size_t size) {
        return clEnqueueFillBuffer(queue, a, host, pattern, at, size, 0, nullptr, nullptr);
    };
    EXPECT_EQ(fill(3, 0, 6), CL_INVALID_VALUE);
    EXPECT_EQ(fill(4, 2, 4), CL_INVALID_VALUE);
    EXPECT_EQ(fill(4, 0, 6), CL_INVALID_VALUE);
    EXPECT_EQ(fill(4, 60, 8), CL_INVALID_VALUE);
    EXPECT_EQ(fill(8, 8, 16), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(opencl_command, boxes_stay_within_their_buffers) {
    const cl_mem a = buffer(64);
    char host[64];
    const std::size_t origin[3] = {0, 0, 0}, box[3] = {8, 4, 2}, flat[3] = {8, 4, 1},
                      nothing[3] = {8, 0, 1}, aside[3] = {4, 0, 0};
    const auto read = [&](const std::size_t* from, const std::size_t* region, std::size_t row,
                          std::size_t slice) {
        return clEnqueueReadBufferRect(queue, a, CL_TRUE, from, origin, region, row, slice, 8, 0,
                                       host, 0, nullptr, nullptr);
    };
    EXPECT_EQ(read(origin, box, 8, 32), CL_SUCCESS);
    EXPECT_EQ(read(origin, box, 16, 64), CL_INVALID_VALUE);
    EXPECT_EQ(read(aside, flat, 16, 0), CL_SUCCESS);
    EXPECT_EQ(read(aside, box, 8, 32), CL_INVALID_VALUE);
    EXPECT_EQ(read(origin, flat, 4, 0), CL_INVALID_VALUE);
    EXPECT_EQ(read(origin, flat, 8, 24), CL_INVALID_VALUE);
    EXPECT_EQ(read(origin, nothing, 8, 0), CL_INVALID_VALUE);
    const auto copy = [&](const std::size_t* to, const std::size_t* region) {
        return clEnqueueCopyBufferRect(queue, a, a, origin, to, region, 16, 0, 16, 0, 0, nullptr,
                                       nullptr);
    };
    const std::size_t left[3] = {4, 3, 1}, beside[3] = {4, 0, 0}, over[3] = {2, 1, 0};
    EXPECT_EQ(copy(beside, left), CL_SUCCESS);
    EXPECT_EQ(copy(over, left), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(opencl_command, maps_are_of_parts_that_are_there) {
    const cl_mem a = buffer(64, CL_MEM_HOST_READ_ONLY);
    const auto map = [&](cl_map_flags flags, std::size_t at, std::size_t size) {
        return clEnqueueMapBuffer(queue, a, CL_TRUE, flags, at, size, 0, nullptr, nullptr, &code);
    };
    EXPECT_EQ(map(CL_MAP_READ, 60, 8), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(map(CL_MAP_WRITE, 0, 8), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    EXPECT_EQ(map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 8), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    void* const pointer = map(CL_MAP_READ, 8, 8);
    EXPECT_EQ(code, CL_SUCCESS);
    cl_uint count = 0;
    EXPECT_EQ(clGetMemObjectInfo(a, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, a, &count, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, a, pointer, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, a, pointer, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 0, nullptr, 0, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &a, 1 << 9, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &a, 0, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(opencl_command, launches_have_shapes_that_the_device_can_have) {
    const cl_program program = built(
        "kernel void k() {}"
        "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed() {}");
    const cl_kernel k = kernel(program, "k"), fixed = kernel(program, "fixed");
    const std::size_t ones[3] = {1, 1, 1}, zero[3] = {0, 1, 1}, offset[1] = {0xffffffff};
    const auto run = [&](cl_kernel which, cl_uint dimensions, const std::size_t* at,
                         const std::size_t* global, const std::size_t* local) {
        return clEnqueueNDRangeKernel(queue, which, dimensions, at, global, local, 0, nullptr,
                                      nullptr);
    };
    EXPECT_EQ(run(k, 0, nullptr, ones, nullptr), CL_INVALID_WORK_DIMENSION);
    EXPECT_EQ(run(k, 4, nullptr, ones, nullptr), CL_INVALID_WORK_DIMENSION);
    EXPECT_EQ(run(k, 1, nullptr, nullptr, nullptr), CL_INVALID_GLOBAL_WORK_SIZE);
    EXPECT_EQ(run(k, 3, nullptr, zero, nullptr), CL_INVALID_GLOBAL_WORK_SIZE);
    EXPECT_EQ(run(k, 1, offset, ones, nullptr), CL_INVALID_GLOBAL_OFFSET);
    EXPECT_EQ(launch(k, 10, 3), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(launch(k, 4096, 4096), CL_INVALID_WORK_ITEM_SIZE);
    const std::size_t square[2] = {64, 64};
    EXPECT_EQ(run(k, 2, nullptr, square, square), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(run(k, 2, nullptr, square, zero), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(run(fixed, 2, nullptr, square, nullptr), CL_INVALID_WORK_GROUP_SIZE);
    const std::size_t right[2] = {4, 2}, wrong[2] = {2, 4};
    EXPECT_EQ(run(fixed, 2, nullptr, square, wrong), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(run(fixed, 2, nullptr, square, right), CL_SUCCESS);
    EXPECT_EQ(clEnqueueTask(queue, fixed, 0, nullptr, nullptr), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(clEnqueueTask(queue, k, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNativeKernel(
                  queue, [](void*) {}, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_TRUE(told.empty());
}

TEST_F(opencl_command, a_launch_that_the_device_refuses_ends_its_event) {
    const cl_kernel k = kernel(built("kernel void k(local int* a) { a[0] = 1; }"), "k");
    EXPECT_EQ(clSetKernelArg(k, 0, 64, nullptr), CL_SUCCESS);
    cl_event event = nullptr;
    const std::size_t range[2] = {65536, 65536}, group[2] = {1, 1};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, k, 2, nullptr, range, group, 0, nullptr, &event),
              CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(status(event), CL_OUT_OF_RESOURCES);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_THAT(told[0], testing::HasSubstr("launch of kernel 'k'"));
    // The context goes on.
    EXPECT_EQ(launch(k, 32, 32), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(opencl_command, local_memory_that_no_device_has_is_an_error_of_the_launch) {
    const cl_kernel k = kernel(
        built("kernel void k(local int* a, local int* b) { local int c[32]; c[0] = a[0] = b[0]; }"),
        "k");
    cl_ulong most = 0;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, nullptr),
              CL_SUCCESS);
    const auto launch_with = [&](cl_ulong first, cl_ulong second) {
        EXPECT_EQ(clSetKernelArg(k, 0, first, nullptr), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 1, second, nullptr), CL_SUCCESS);
        return launch(k, 32, 32);
    };
    cl_ulong taken = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof taken, &taken,
                                       nullptr),
              CL_SUCCESS);
    EXPECT_EQ(launch_with(16, most - taken - 16), CL_SUCCESS);
    EXPECT_EQ(launch_with(16, most - taken - 15), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_TRUE(told.empty());
}

TEST_F(opencl_command, waits_for_events_that_went_wrong_are_errors) {
    const cl_mem a = buffer(64);
    int host[16] = {};
    cl_event user = clCreateUserEvent(context, &code), copied = nullptr;
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 64, host, 1, &user, &copied), CL_SUCCESS);
    EXPECT_EQ(status(copied), CL_QUEUED);
    EXPECT_EQ(clSetUserEventStatus(user, 1), CL_INVALID_VALUE);
    EXPECT_EQ(clSetUserEventStatus(copied, CL_COMPLETE), CL_INVALID_EVENT);
    EXPECT_EQ(clSetUserEventStatus(user, -7), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
    EXPECT_EQ(clWaitForEvents(1, &copied), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_LT(status(copied), 0);
    EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
    cl_ulong time = 0;
    EXPECT_EQ(clGetEventProfilingInfo(copied, CL_PROFILING_COMMAND_END, 8, &time, nullptr),
              CL_PROFILING_INFO_NOT_AVAILABLE);
    EXPECT_EQ(clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 8, &time, nullptr),
              CL_PROFILING_INFO_NOT_AVAILABLE);
    EXPECT_EQ(clSetEventCallback(
                  user, CL_QUEUED, [](cl_event, cl_int, void*) {}, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clSetEventCallback(user, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetEventInfo(user, 1, 8, &time, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clRetainEvent(user), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
}

TEST_F(opencl_command, events_of_another_context_are_refused) {
    const cl_event mine = clCreateUserEvent(context, &code);
    const cl_mem memory = buffer(64);
    make_context();
    int host[16];
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 1, &mine, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 64, host, 0, nullptr, nullptr),
              CL_INVALID_CONTEXT);
}

TEST_F(opencl_command, what_kernels_print_comes_when_the_program_waits) {
    const cl_kernel k = kernel(
        built("kernel void k(int a) { printf(\"item %d of %d\\n\", (int)get_global_id(0), a); }"),
        "k");
    const int two = 2;
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof two, &two), CL_SUCCESS);
    testing::internal::CaptureStdout();
    EXPECT_EQ(launch(k, 2, 2), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "item 0 of 2\nitem 1 of 2\n");
}

TEST_F(opencl_command, arguments_are_those_at_the_time_of_the_launch) {
    const cl_kernel k =
        kernel(built("kernel void k(global int* a, int at, int value) { a[at] = value; }"), "k");
    const cl_mem memory = buffer(16);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
    for (int i = 0; i < 4; ++i) {
        const int value = 10 + i;
        EXPECT_EQ(clSetKernelArg(k, 1, sizeof i, &i), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 2, sizeof value, &value), CL_SUCCESS);
        EXPECT_EQ(launch(k, 1, 1), CL_SUCCESS);
    }
    int found[4] = {};
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 16, found, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_THAT(found, testing::ElementsAre(10, 11, 12, 13));
}

TEST_F(opencl_command, a_program_is_gone_only_when_its_launches_have_ended) {
    for (int round = 0; round < 20; ++round) {
        const cl_program program = built("kernel void k(global int* a, int v) { a[0] += v; }");
        const cl_kernel k = kernel(program, "k");
        const cl_mem memory = buffer(16);
        const int value = round;
        EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(k, 1, sizeof value, &value), CL_SUCCESS);
        EXPECT_EQ(launch(k, 1, 1), CL_SUCCESS);
        EXPECT_EQ(clReleaseKernel(k), CL_SUCCESS);
        EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
        int found = 0;
        EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &found, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(found, round);
        EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    }
}

TEST_F(opencl_command, copies_have_every_byte) {
    const cl_mem memory = buffer(100);
    std::vector<unsigned char> given(100), found(100);
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<unsigned char>(i + 1);
    for (const auto& [at, size] : std::vector<std::pair<std::size_t, std::size_t>>{
             {0, 1}, {1, 1}, {3, 2}, {5, 7}, {13, 30}, {43, 57}}) {
        EXPECT_EQ(
            clEnqueueWriteBuffer(queue, memory, CL_TRUE, at, size, &given[at], 0, nullptr, nullptr),
            CL_SUCCESS);
        EXPECT_EQ(
            clEnqueueReadBuffer(queue, memory, CL_TRUE, at, size, &found[at], 0, nullptr, nullptr),
            CL_SUCCESS);
        for (std::size_t i = at; i < at + size; ++i) EXPECT_EQ(found[i], given[i]) << i;
    }
    EXPECT_EQ(
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 100, found.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(found[2], 0);
    EXPECT_EQ(found[99], 100);
    EXPECT_EQ(found[43], 44);
}

TEST_F(opencl_command, larger_copies_than_the_shared_memory_have_every_byte) {
    const std::size_t words = (std::size_t{40} << 20) / 4 + 1;  // in three pieces
    const cl_mem memory = buffer(4 * words);
    std::vector<cl_uint> given(words), found(words);
    for (std::size_t i = 0; i < words; ++i) given[i] = static_cast<cl_uint>(i * 2654435761u);
    EXPECT_EQ(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, 4 * words, given.data(), 0, nullptr,
                                   nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4 * words, found.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    EXPECT_TRUE(found == given);
}

TEST_F(opencl_command, nothing_overtakes_in_a_queue) {
    const cl_mem memory = buffer(4);
    const cl_event user = clCreateUserEvent(context, &code);
    const int first = 1, second = 2;
    cl_event written = nullptr;
    EXPECT_EQ(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, 4, &first, 1, &user, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, 4, &second, 0, nullptr, &written),
              CL_SUCCESS);
    EXPECT_EQ(status(written), CL_QUEUED);
    EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    int found = 0;
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &found, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(found, second);
    EXPECT_EQ(status(written), CL_COMPLETE);
}

TEST_F(opencl_command, a_queue_waits_for_the_launches_of_another) {
    const cl_program program = built(
        "kernel void slow(global volatile int* a) { for (int i = 0; i < 3000; ++i) a[1] += 1; a[0] "
        "= 1; }"
        "kernel void fast(global int* a) { a[0] += 10; }");
    const cl_kernel slow = kernel(program, "slow"), fast = kernel(program, "fast");
    const cl_mem memory = buffer(8);
    EXPECT_EQ(clSetKernelArg(slow, 0, sizeof memory, &memory), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(fast, 0, sizeof memory, &memory), CL_SUCCESS);
    const cl_command_queue other = clCreateCommandQueue(context, device, 0, &code);
    cl_event first = nullptr;
    EXPECT_EQ(launch(slow, 1, 1, &first), CL_SUCCESS);
    const std::size_t one = 1;
    EXPECT_EQ(clEnqueueNDRangeKernel(other, fast, 1, nullptr, &one, &one, 1, &first, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(other), CL_SUCCESS);
    int found[2] = {};
    EXPECT_EQ(clEnqueueReadBuffer(other, memory, CL_TRUE, 0, 8, found, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_THAT(found, testing::ElementsAre(11, 3000));
}

TEST_F(opencl_command, a_program_that_asks_for_an_event_goes_on) {
    const cl_kernel k = kernel(
        built(
            "kernel void k(global volatile int* a) { for (int i = 0; i < 9000; ++i) a[0] += 1; }"),
        "k");
    const cl_mem memory = buffer(4);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
    cl_event done = nullptr;
    EXPECT_EQ(launch(k, 1, 1, &done), CL_SUCCESS);
    int questions = 1;
    while (status(done) != CL_COMPLETE && questions < 100) ++questions;
    EXPECT_GT(questions, 2);
    EXPECT_LT(questions, 20);
}

TEST_F(opencl_command, markers_end_with_what_is_before_them) {
    const cl_kernel k =
        kernel(built("kernel void k(global int* a) { a[get_global_id(0)] = 1; }"), "k");
    const cl_mem a = buffer(4 * 64);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof a, &a), CL_SUCCESS);
    cl_event launched = nullptr, marker = nullptr, empty = nullptr;
    EXPECT_EQ(clEnqueueMarker(queue, &empty), CL_SUCCESS);
    EXPECT_EQ(launch(k, 64, 0, &launched), CL_SUCCESS);
    EXPECT_EQ(clEnqueueMarker(queue, &marker), CL_SUCCESS);
    EXPECT_EQ(clEnqueueBarrier(queue), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
    EXPECT_EQ(status(launched), CL_COMPLETE);
    EXPECT_EQ(status(empty), CL_COMPLETE);
    const auto end = [&](cl_event event) {
        return info<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END);
    };
    EXPECT_LE(end(launched), end(marker));
    EXPECT_LE(end(empty), end(marker));
    // Again, when all has ended long ago.
    EXPECT_EQ(clEnqueueMarker(queue, &marker), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(status(marker), CL_COMPLETE);
}

}  // namespace
}  // namespace heddle
