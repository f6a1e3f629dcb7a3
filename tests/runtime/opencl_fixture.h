// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include <string>
#include <vector>

#include "runtime/opencl/headers.h"

namespace heddle {

/// A test in whose process the loader finds Heddle only, without time.
class opencl_test : public testing::Test {
protected:
    opencl_test() {
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // device servers are found among the children
        ::setenv("OCL_ICD_VENDORS", HEDDLE_OPENCL_ICD, 1);
        ::setenv("HEDDLE_OPTIONS", "--functional --config tiny", 1);
        ::unsetenv("HEDDLE_CLAIMS");
        EXPECT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
        EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr), CL_SUCCESS);
        make_context();
    }

    void make_context() {
        const auto notify = [](const char* why, const void*, size_t, void* self) {
            static_cast<opencl_test*>(self)->told.emplace_back(why);
        };
        context = clCreateContext(nullptr, 1, &device, notify, this, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
        EXPECT_EQ(code, CL_SUCCESS);
    }
    cl_program make_program(const char* source) {
        const cl_program made = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return made;
    }
    cl_program built(const char* source) {
        const cl_program made = make_program(source);
        EXPECT_EQ(clBuildProgram(made, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS) << log(made);
        return made;
    }
    cl_kernel kernel(cl_program program, const char* name) {
        const cl_kernel made = clCreateKernel(program, name, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return made;
    }
    std::string log(cl_program program) const {
        std::vector<char> text(20000);
        EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, text.size(),
                                        text.data(), nullptr),
                  CL_SUCCESS);
        return text.data();
    }
    cl_mem buffer(std::size_t bytes, cl_mem_flags flags = 0) {
        const cl_mem made = clCreateBuffer(context, flags, bytes, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return made;
    }
    cl_int launch(cl_kernel what, std::size_t global, std::size_t local,
                  cl_event* event = nullptr) {
        return clEnqueueNDRangeKernel(queue, what, 1, nullptr, &global,
                                      local == 0 ? nullptr : &local, 0, nullptr, event);
    }
    template <class T>
    T info(cl_int (*of)(cl_event, cl_uint, size_t, void*, size_t*), cl_event event, cl_uint name) {
        T value{};
        EXPECT_EQ(of(event, name, sizeof value, &value, nullptr), CL_SUCCESS);
        return value;
    }
    cl_int status(cl_event event) {
        return info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
    }

    /// A pointer that is none of the objects, but begins as they do.
    template <class T>
    T stranger() {
        static void* const* const table = *reinterpret_cast<void***>(platform);
        static const void* const* pretended[8] = {table};
        return reinterpret_cast<T>(pretended);
    }

    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_int code = 0;
    std::vector<std::string> told;  ///< by the context's callback
};

}  // namespace heddle
