// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the programs of this folder have in common: a device, a queue, a program. */

#define CHECK(call)                                                                    \
    do {                                                                               \
        const cl_int code_ = (call);                                                   \
        if (code_ != CL_SUCCESS) {                                                     \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)code_); \
            exit(2);                                                                   \
        }                                                                              \
    } while (0)

typedef struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} setup;

static inline setup make_setup(const char* source, const char* options) {
    setup s;
    cl_platform_id platform;
    cl_int code;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s.device, NULL));
    s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &code);
    CHECK(code);
    s.queue = clCreateCommandQueue(s.context, s.device, CL_QUEUE_PROFILING_ENABLE, &code);
    CHECK(code);
    s.program = clCreateProgramWithSource(s.context, 1, &source, NULL, &code);
    CHECK(code);
    if (clBuildProgram(s.program, 1, &s.device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[20000];
        CHECK(clGetProgramBuildInfo(s.program, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                                    NULL));
        fprintf(stderr, "%s\n", log);
        exit(2);
    }
    return s;
}

static inline void end_setup(setup* s) {
    CHECK(clReleaseProgram(s->program));
    CHECK(clReleaseCommandQueue(s->queue));
    CHECK(clReleaseContext(s->context));
}

static inline cl_kernel make_kernel(const setup* s, const char* name) {
    cl_int code;
    const cl_kernel kernel = clCreateKernel(s->program, name, &code);
    CHECK(code);
    return kernel;
}

static inline cl_mem make_buffer(const setup* s, cl_mem_flags flags, size_t bytes, void* host) {
    cl_int code;
    const cl_mem buffer = clCreateBuffer(s->context, flags, bytes, host, &code);
    CHECK(code);
    return buffer;
}

static inline void run_1d(const setup* s, cl_kernel kernel, size_t global, size_t local) {
    CHECK(clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL,
                                 NULL));
}

static inline void set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer) {
    CHECK(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

static inline void set_int(cl_kernel kernel, cl_uint index, cl_int value) {
    CHECK(clSetKernelArg(kernel, index, sizeof value, &value));
}

static inline void read_all(const setup* s, cl_mem buffer, void* to, size_t bytes) {
    CHECK(clEnqueueReadBuffer(s->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

/* The first argument as a size. */
static inline int size_of_run(int argc, char** argv, int otherwise) {
    return argc > 1 ? atoi(argv[1]) : otherwise;
}

static inline unsigned next_random(unsigned* state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* In [0, 1). */
static inline float next_float(unsigned* state) {
    return (float)next_random(state) / 16777216.0f;
}

static inline int near(float a, float b, float tolerance) {
    return fabsf(a - b) <= tolerance * (1.0f + fabsf(b));
}

/* A printed value of all bytes, so that two platforms can be compared. */
static inline void print_bytes(const char* name, const void* data, size_t bytes) {
    const unsigned char* const at = (const unsigned char*)data;
    unsigned sum = 2166136261u;
    for (size_t i = 0; i < bytes; ++i) sum = (sum ^ at[i]) * 16777619u;
    printf("%s %08x\n", name, sum);
}

static inline int verdict(int wrong) {
    if (wrong == 0) printf("correct\n");
    if (wrong != 0) printf("WRONG: %d values\n", wrong);
    return wrong != 0;
}
