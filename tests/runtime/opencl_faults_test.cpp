// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Devices and programs that end early.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "tests/integration/heddle_process.h"
#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

using testing::HasSubstr;

/// Device servers among the children of a process. A server leaves the process that starts it; one
/// that is a reaper gets it back.
std::vector<pid_t> servers_of(pid_t process) {
    std::vector<pid_t> found;
    for (const auto& task :
         std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
        std::ifstream children(task.path() / "children");
        for (pid_t child = 0; children >> child;) {
            std::ifstream words("/proc/" + std::to_string(child) + "/cmdline");
            std::string text;
            std::getline(words, text);
            if (text.find("device-server") != std::string::npos) found.push_back(child);
        }
    }
    return found;
}

/// Whether a process ends within ten seconds; a zombie has.
bool ends(pid_t process) {
    for (int i = 0; i < 500; ++i) {
        std::ifstream file("/proc/" + std::to_string(process) + "/stat");
        std::string id, name, state;
        if (!(file >> id >> name >> state) || state == "Z") return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

class opencl_faults : public opencl_test {
protected:
    cl_int run(const char* source) {
        const cl_kernel k = kernel(built(source), "k");
        const cl_mem memory = buffer(64);
        EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
        EXPECT_EQ(launch(k, 1, 1, &event), CL_SUCCESS);
        return clFinish(queue);
    }
    /// Ends the server.
    void lose_device() {
        const std::vector<pid_t> servers = servers_of(::getpid());
        ASSERT_EQ(servers.size(), 1u);
        ::kill(servers[0], SIGKILL);
        EXPECT_TRUE(ends(servers[0]));
        EXPECT_EQ(clCreateBuffer(context, 0, 4, nullptr, &code), nullptr);
        EXPECT_EQ(code, CL_OUT_OF_RESOURCES);
    }
    void expect_a_new_context_works() {
        make_context();
        EXPECT_EQ(run("kernel void k(global int* a) { a[0] = 42; }"), CL_SUCCESS);
        EXPECT_EQ(status(event), CL_COMPLETE);
    }

    cl_event event = nullptr;
};

TEST_F(opencl_faults, of_a_kernel_lose_the_context) {
    EXPECT_EQ(run("kernel void k(global int* a) { a[1000] = 1; }"), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(status(event), CL_OUT_OF_RESOURCES);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_THAT(told[0], HasSubstr("kernel 'k', block (0,0,0), thread (0,0,0)"));
    // Every call of the lost context says so.
    EXPECT_EQ(clFinish(queue), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(clEnqueueBarrier(queue), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(clCreateBuffer(context, 0, 4, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_OUT_OF_RESOURCES);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
    EXPECT_EQ(told.size(), 1u);
    expect_a_new_context_works();
}

TEST_F(opencl_faults, of_a_kernel_that_waits_for_ever_are_found) {
    lose_device();
    ::setenv("HEDDLE_OPTIONS", "--functional --config tiny --set iss.watchdog=1000", 1);
    make_context();
    told.clear();
    EXPECT_EQ(run("kernel void k(global volatile int* a) { while (a[0] == 0) {} }"),
              CL_OUT_OF_RESOURCES);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_THAT(told[0], HasSubstr("no progress"));
}

TEST_F(opencl_faults, of_the_server_lose_the_context) {
    lose_device();
    ASSERT_EQ(told.size(), 1u);
    expect_a_new_context_works();
}

TEST_F(opencl_faults, two_contexts_share_a_device) {
    const cl_context first = context;
    make_context();
    EXPECT_EQ(servers_of(::getpid()).size(), 1u);
    EXPECT_EQ(clReleaseContext(first), CL_SUCCESS);
    EXPECT_EQ(run("kernel void k(global int* a) { a[0] = 1; }"), CL_SUCCESS);
}

TEST_F(opencl_faults, a_child_has_a_device_of_its_own) {
    const pid_t child = ::fork();
    if (child == 0) {
        // What the parent has is lost here, and nothing of it is harmed.
        const bool lost = clFinish(queue) == CL_OUT_OF_RESOURCES;
        make_context();
        const bool works = run("kernel void k(global int* a) { a[0] = 1; }") == CL_SUCCESS;
        std::_Exit(lost && works ? 0 : 1);
    }
    int result = 0;
    ASSERT_EQ(::waitpid(child, &result, 0), child);
    EXPECT_EQ(result, 0);
    EXPECT_EQ(run("kernel void k(global int* a) { a[0] = 2; }"), CL_SUCCESS);
}

TEST_F(opencl_faults, threads_take_turns) {
    const cl_program program = built("kernel void k(global int* a, int v) { a[0] += v; }");
    const cl_mem memory = buffer(64);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            cl_int result = 0;
            const cl_command_queue own = clCreateCommandQueue(context, device, 0, &result);
            const cl_kernel k = clCreateKernel(program, "k", &result);
            const int one = 1;
            const std::size_t size = 1;
            clSetKernelArg(k, 0, sizeof memory, &memory);
            clSetKernelArg(k, 1, sizeof one, &one);
            for (int i = 0; i < 25; ++i) {
                EXPECT_EQ(
                    clEnqueueNDRangeKernel(own, k, 1, nullptr, &size, &size, 0, nullptr, nullptr),
                    CL_SUCCESS);
                EXPECT_EQ(clFinish(own), CL_SUCCESS);
            }
            clReleaseKernel(k);
            clReleaseCommandQueue(own);
        });
    }
    for (std::thread& each : threads) each.join();
    int found = 0;
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &found, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(found, 100);
}

TEST_F(opencl_faults, a_thread_that_waits_for_an_event_of_the_program_lets_others_work) {
    const cl_event user = clCreateUserEvent(context, &code);
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 1, &user, nullptr), CL_SUCCESS);
    auto waiting = std::async(std::launch::async, [&] { return clFinish(queue); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    if (waiting.wait_for(std::chrono::seconds(10)) != std::future_status::ready) {
        ADD_FAILURE() << "clFinish did not hear of the event";
        std::_Exit(1);  // it would never end
    }
    EXPECT_EQ(waiting.get(), CL_SUCCESS);
}

class opencl_unfinished : public opencl_faults, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(machines, opencl_unfinished, testing::Values("", " --functional"));

TEST_P(opencl_unfinished, launches_make_a_run_partial) {
    const temporary_directory files;
    const std::string summary = files / "summary";
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("HEDDLE_OPTIONS", (std::string("--config tiny") + GetParam()).c_str(), 1);
        ::setenv("HEDDLE_SUMMARY", summary.c_str(), 1);
        make_context();
        const cl_kernel k = kernel(built("kernel void k(global volatile int* a) {"
                                         "  for (int i = 0; i < 30000; ++i) a[0] += 1; }"),
                                   "k");
        const cl_mem memory = buffer(64);
        clSetKernelArg(k, 0, sizeof memory, &memory);
        launch(k, 1, 1, &event);
        EXPECT_NE(status(event), CL_COMPLETE);  // a question: it has begun
        launch(k, 1, 1);                        // this one has not
        std::exit(HasFailure() ? 1 : 0);
    }
    int result = 0;
    ASSERT_EQ(::waitpid(child, &result, 0), child);
    EXPECT_EQ(result, 0);
    std::ifstream file(summary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(text, HasSubstr("PARTIAL"));
}

/// How a program ends that leaves its device at work.
class opencl_end : public opencl_faults, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(all, opencl_end, testing::Values(0, SIGKILL, SIGINT, SIGABRT));

TEST_P(opencl_end, leaves_no_server) {
    int told_server[2];
    ASSERT_EQ(::pipe(told_server), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("HEDDLE_OPTIONS", "--functional --config tiny --set iss.watchdog=1000000000000",
                 1);
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        make_context();
        const pid_t server = servers_of(::getpid()).at(0);
        const cl_kernel k =
            kernel(built("kernel void k(global volatile int* a) { while (a[0] == 0) {} }"), "k");
        const cl_mem memory = buffer(64);
        clSetKernelArg(k, 0, sizeof memory, &memory);
        launch(k, 1, 1);
        (void)!::write(told_server[1], &server, sizeof server);
        if (GetParam() == 0) std::_Exit(0);
        clFinish(queue);  // never
        std::_Exit(1);
    }
    pid_t server = 0;
    ASSERT_EQ(::read(told_server[0], &server, sizeof server), ssize_t{sizeof server});
    if (GetParam() != 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        EXPECT_EQ(::kill(child, GetParam()), 0);
    }
    int result = 0;
    ASSERT_EQ(::waitpid(child, &result, 0), child);
    EXPECT_TRUE(ends(server));
    EXPECT_EQ(run("kernel void k(global int* a) { a[0] = 2; }"), CL_SUCCESS);
}

}  // namespace
}  // namespace heddle
