// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Events: when they happen, what they say, who is called.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

using testing::HasSubstr;

/// What callbacks of events have heard.
struct heard_events {
    std::mutex lock;
    std::condition_variable added;
    std::vector<cl_int> status;

    static void CL_CALLBACK hear(cl_event, cl_int status, void* self) {
        auto& all = *static_cast<heard_events*>(self);
        const std::lock_guard<std::mutex> held(all.lock);
        all.status.push_back(status);
        all.added.notify_all();
    }
    bool wait_for_one() {
        std::unique_lock<std::mutex> held(lock);
        return added.wait_for(held, std::chrono::seconds(20), [&] { return !status.empty(); });
    }
};

class opencl_event : public opencl_test {
protected:
    cl_kernel kernel_of(const char* source, cl_mem memory) {
        const cl_kernel made = kernel(built(source), "k");
        EXPECT_EQ(clSetKernelArg(made, 0, sizeof memory, &memory), CL_SUCCESS);
        return made;
    }
    cl_ulong time(cl_event of, cl_profiling_info name) {
        return info<cl_ulong>(clGetEventProfilingInfo, of, name);
    }
    void expect_times_in_order(cl_event of) {
        EXPECT_LE(time(of, CL_PROFILING_COMMAND_QUEUED), time(of, CL_PROFILING_COMMAND_SUBMIT));
        EXPECT_LE(time(of, CL_PROFILING_COMMAND_SUBMIT), time(of, CL_PROFILING_COMMAND_START));
        EXPECT_LE(time(of, CL_PROFILING_COMMAND_START), time(of, CL_PROFILING_COMMAND_END));
    }
    /// A launch whose kernel does nothing: too many work-groups for the device.
    cl_int launch_refused(cl_kernel what, cl_event* event) {
        const std::size_t range[2] = {65536, 65536}, group[2] = {1, 1};
        return clEnqueueNDRangeKernel(queue, what, 2, nullptr, range, group, 0, nullptr, event);
    }
};

TEST_F(opencl_event, of_a_command_that_the_program_holds_calls_back) {
    heard_events heard;
    const cl_event user = clCreateUserEvent(context, &code);
    cl_event held = nullptr;
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 1, &user, &held), CL_SUCCESS);
    EXPECT_EQ(clSetEventCallback(held, CL_COMPLETE, heard_events::hear, &heard), CL_SUCCESS);
    EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ASSERT_TRUE(heard.wait_for_one());  // nothing else waits
    EXPECT_THAT(heard.status, testing::ElementsAre(CL_COMPLETE));
}

TEST_F(opencl_event, is_alive_in_its_callback_though_released) {
    struct seen {
        heard_events heard;
        cl_int found = 1;
        cl_command_type type = 0;
    } seen;
    const auto ask = [](cl_event event, cl_int, void* data) {
        auto& into = *static_cast<struct seen*>(data);
        into.found =
            clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof into.type, &into.type, nullptr);
        heard_events::hear(event, into.found, &into.heard);
    };
    const cl_event user = clCreateUserEvent(context, &code);
    cl_event held = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &user, &held), CL_SUCCESS);
    EXPECT_EQ(clSetEventCallback(held, CL_COMPLETE, ask, &seen), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(held), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ASSERT_TRUE(seen.heard.wait_for_one());
    EXPECT_EQ(seen.found, CL_SUCCESS);
    EXPECT_EQ(seen.type, cl_uint{CL_COMMAND_MARKER});
}

TEST_F(opencl_event, of_the_parent_calls_nobody_in_a_child) {
    static heard_events heard;
    // The parent's thread of callbacks exists and waits.
    const cl_event first = clCreateUserEvent(context, &code);
    EXPECT_EQ(clSetEventCallback(first, CL_COMPLETE, heard_events::hear, &heard), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(first, CL_COMPLETE), CL_SUCCESS);
    ASSERT_TRUE(heard.wait_for_one());
    heard.status.clear();
    const cl_event user = clCreateUserEvent(context, &code);
    cl_event held = nullptr;
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 1, &user, &held), CL_SUCCESS);
    EXPECT_EQ(clSetEventCallback(held, CL_COMPLETE, heard_events::hear, &heard), CL_SUCCESS);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        ::usleep(50'000);
        const bool silent = heard.status.empty();
        make_context();
        bool works = true;
        for (int i = 0; i < 3; ++i) {  // callbacks of its own
            heard_events own;
            const cl_event mine = clCreateUserEvent(context, &code);
            clSetEventCallback(mine, CL_COMPLETE, heard_events::hear, &own);
            clSetUserEventStatus(mine, CL_COMPLETE);
            works = works && own.wait_for_one();
        }
        std::_Exit(silent && works ? 0 : 1);
    }
    int result = 0;
    ASSERT_EQ(::waitpid(child, &result, 0), child);
    EXPECT_EQ(result, 0);
    EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ASSERT_TRUE(heard.wait_for_one());
}

TEST_F(opencl_event, of_every_command_has_its_times_in_order) {
    const cl_mem memory = buffer(256);
    const cl_kernel k = kernel_of(
        "kernel void k(global volatile int* a) { for (int i = 0; i < 500; ++i) a[1] += 1; }",
        memory);
    int host[4] = {};
    cl_event events[5] = {};
    EXPECT_EQ(launch(k, 1, 1, &events[0]), CL_SUCCESS);
    EXPECT_EQ(clEnqueueMarker(queue, &events[1]), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 16, host, 0, nullptr, &events[2]),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueMarker(queue, &events[3]), CL_SUCCESS);
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, &events[4]), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (const cl_event each : events) expect_times_in_order(each);
    EXPECT_GT(time(events[0], CL_PROFILING_COMMAND_END), 0u);
    EXPECT_GE(time(events[1], CL_PROFILING_COMMAND_END), time(events[0], CL_PROFILING_COMMAND_END));
}

TEST_F(opencl_event, of_a_marker_behind_a_refused_launch_has_times) {
    const cl_kernel k = kernel_of("kernel void k(global int* a) {}", buffer(4));
    EXPECT_EQ(launch(k, 1, 1), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);  // time is no longer 0
    cl_event refused = nullptr, marker = nullptr;
    EXPECT_EQ(launch_refused(k, &refused), CL_SUCCESS);
    EXPECT_EQ(clEnqueueMarker(queue, &marker), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(status(refused), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(status(marker), CL_COMPLETE);
    expect_times_in_order(marker);
    EXPECT_GT(time(marker, CL_PROFILING_COMMAND_END), 0u);
}

TEST_F(opencl_event, of_a_refused_launch_among_many_says_so) {
    const cl_kernel k = kernel_of("kernel void k(global int* a) {}", buffer(4));
    std::vector<cl_event> events(130);
    for (cl_event& each : events) EXPECT_EQ(launch_refused(k, &each), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_EQ(status(events[i]), CL_OUT_OF_RESOURCES) << i;
    }
    EXPECT_EQ(told.size(), events.size());
}

TEST_F(opencl_event, of_a_held_command_ends_with_the_device) {
    heard_events heard;
    const cl_event user = clCreateUserEvent(context, &code);
    cl_event held = nullptr;
    const cl_command_queue other = clCreateCommandQueue(context, device, 0, &code);
    EXPECT_EQ(clEnqueueBarrierWithWaitList(other, 1, &user, &held), CL_SUCCESS);
    EXPECT_EQ(clSetEventCallback(held, CL_COMPLETE, heard_events::hear, &heard), CL_SUCCESS);
    // The copy finds the fault while the barrier is looked at, and kept.
    const cl_kernel k = kernel_of("kernel void k(global int* a) { a[1000] = 1; }", buffer(4));
    const cl_mem memory = buffer(4);
    int host = 0;
    EXPECT_EQ(launch(k, 1, 1), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 4, &host, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_OUT_OF_RESOURCES);
    ASSERT_TRUE(heard.wait_for_one());
    EXPECT_EQ(status(held), CL_OUT_OF_RESOURCES);
    EXPECT_THAT(heard.status, testing::ElementsAre(CL_OUT_OF_RESOURCES));
}

class opencl_event_of_skipped : public opencl_event,
                                public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(machines, opencl_event_of_skipped,
                         testing::Values("--functional --config tiny",
                                         "--config tiny --skip-kernels 1", "--config tiny"));

TEST_P(opencl_event_of_skipped, a_faulty_launch_is_never_complete) {
    ::setenv("HEDDLE_OPTIONS", GetParam(), 1);
    const pid_t child = ::fork();  // a device of its own, with these options
    if (child == 0) {
        told.clear();
        make_context();
        const cl_kernel k = kernel_of("kernel void k(global int* a) { a[1000] = 1; }", buffer(4));
        const cl_command_queue other = clCreateCommandQueue(context, device, 0, &code);
        const std::size_t one = 1;
        cl_event first = nullptr, second = nullptr;
        const cl_kernel good = kernel_of("kernel void k(global int* a) {}", buffer(4));
        EXPECT_EQ(launch(k, 1, 1, &first), CL_SUCCESS);
        EXPECT_EQ(clEnqueueNDRangeKernel(other, good, 1, nullptr, &one, &one, 1, &first, &second),
                  CL_SUCCESS);
        EXPECT_EQ(clFinish(other), CL_OUT_OF_RESOURCES);
        EXPECT_EQ(status(first), CL_OUT_OF_RESOURCES);
        EXPECT_LT(status(second), 0);
        EXPECT_EQ(told.size(), 1u);
        EXPECT_THAT(told.empty() ? "" : told[0], HasSubstr("kernel 'k', block (0,0,0)"));
        std::_Exit(HasFailure() ? 1 : 0);
    }
    int result = 0;
    ASSERT_EQ(::waitpid(child, &result, 0), child);
    EXPECT_EQ(result, 0);
}

}  // namespace
}  // namespace heddle
