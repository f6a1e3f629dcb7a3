// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The C++ headers: several programs in one context, work-groups asked for, events in a list.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
    try {
        const int n = argc > 1 ? std::atoi(argv[1]) : 70;
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        std::vector<cl::Device> devices;
        platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &devices);
        const cl::Context context(devices);
        const cl::CommandQueue queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
        const cl::Program first(
            context, "kernel void k(global int* v, int a) { v[get_global_id(0)] = a; }", true);
        const cl::Program second(
            context,
            "kernel void k(global int* v, int a) { int i = get_global_id(0); v[i] += a * i; }",
            true);
        cl::Kernel one(first, "k"), two(second, "k");
        cl::Buffer v(context, CL_MEM_READ_WRITE, n * sizeof(int));
        for (cl::Kernel* const each : {&one, &two}) each->setArg(0, v);
        one.setArg(1, 4);
        two.setArg(1, 3);
        int wrong = two.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(devices[0]) < 32;
        std::vector<cl::Event> done(2);
        queue.enqueueNDRangeKernel(one, cl::NullRange, cl::NDRange(n), cl::NullRange, nullptr,
                                   &done[0]);
        queue.enqueueNDRangeKernel(two, cl::NullRange, cl::NDRange(n), cl::NullRange, nullptr,
                                   &done[1]);
        cl::Event::waitForEvents(done);
        wrong += done[0].getProfilingInfo<CL_PROFILING_COMMAND_END>() >
                 done[1].getProfilingInfo<CL_PROFILING_COMMAND_END>();
        std::vector<int> found(n);
        queue.enqueueReadBuffer(v, CL_TRUE, 0, n * sizeof(int), found.data());
        for (int i = 0; i < n; ++i) wrong += found[i] != 4 + 3 * i;
        std::printf(wrong == 0 ? "correct\n" : "WRONG: %d values\n", wrong);
        return wrong != 0;
    } catch (const cl::Error& error) {
        std::fprintf(stderr, "%s: %d\n", error.what(), error.err());
        return 2;
    }
}
