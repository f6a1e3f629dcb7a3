// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The C++ headers with exceptions: a build that fails, kernels as functions, local memory whose
// size is an argument, copies by iterators, a buffer of the host's memory.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr const char* source = R"(
kernel void sum_groups(global const int* in, global int* sums, local int* part, int n) {
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = i < n ? in[i] : 0;
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) part[l] += part[l + step];
    }
    if (l == 0) sums[get_group_id(0)] = part[0];
}
)";

/// The code that a call ends with.
template <class Call>
cl_int code_of(const Call& call) {
    try {
        call();
    } catch (const cl::Error& error) {
        return error.err();
    }
    return CL_SUCCESS;
}

int mistakes(const cl::Context& context) {
    int wrong = 0;
    cl::Program broken(context, "kernel void k(global int* v) { v[0] = missing; }");
    try {
        broken.build("-DX=1");
        ++wrong;
    } catch (const cl::BuildError& error) {
        const auto log = error.getBuildLog();
        wrong += error.err() != CL_BUILD_PROGRAM_FAILURE || log.empty() ||
                 log[0].second.find("missing") == std::string::npos;
    }
    const cl::Program good(context, source, true);
    wrong += code_of([&] { cl::Kernel(good, "none"); }) != CL_INVALID_KERNEL_NAME;
    cl::Kernel kernel(good, "sum_groups");
    wrong += code_of([&] { kernel.setArg(3, 1.0); }) != CL_INVALID_ARG_SIZE;
    wrong += code_of([&] { kernel.setArg(4, 1); }) != CL_INVALID_ARG_INDEX;
    wrong += code_of([&] { cl::Buffer(context, CL_MEM_READ_ONLY, 0); }) != CL_INVALID_BUFFER_SIZE;
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int n = argc > 1 ? std::atoi(argv[1]) : 300;
        const cl::Context context(CL_DEVICE_TYPE_GPU);
        const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().front();
        cl::CommandQueue queue(context, device);
        int wrong = mistakes(context);
        const cl::Program program(context, source, true);
        cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::LocalSpaceArg, int> sum_groups(program,
                                                                                     "sum_groups");
        std::vector<int> values(n);
        std::iota(values.begin(), values.end(), 3);
        const cl::Buffer in(queue, values.begin(), values.end(), true);
        for (const int group : {16, 64}) {
            const int groups = (n + group - 1) / group;
            std::vector<int> sums(groups);
            const cl::Buffer out(context, CL_MEM_USE_HOST_PTR, groups * sizeof(int), sums.data());
            const cl::Event done =
                sum_groups(cl::EnqueueArgs(queue, cl::NDRange(groups * group), cl::NDRange(group)),
                           in, out, cl::Local(group * sizeof(int)), n);
            done.wait();
            wrong += done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE;
            cl::copy(queue, out, sums.begin(), sums.end());
            wrong += std::accumulate(sums.begin(), sums.end(), 0) !=
                     std::accumulate(values.begin(), values.end(), 0);
        }
        std::printf(wrong == 0 ? "correct\n" : "WRONG: %d values\n", wrong);
        return wrong != 0;
    } catch (const cl::Error& error) {
        std::fprintf(stderr, "%s: %d\n", error.what(), error.err());
        return 2;
    }
}
