// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Inputs by mapped pointers, times by profiling. */
#include "kit.h"

static const char* const source =
    "kernel void add(global const int* a, global const int* b, global int* c, int n) {"
    "  int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 300);
    const size_t bytes = n * sizeof(int);
    setup s = make_setup(source, "");
    cl_kernel add = make_kernel(&s, "add");
    cl_mem buffers[3];
    for (int b = 0; b < 3; ++b) {
        buffers[b] = make_buffer(&s, CL_MEM_ALLOC_HOST_PTR, bytes, NULL);
        set_buffer(add, b, buffers[b]);
    }
    set_int(add, 3, n);
    for (int b = 0; b < 2; ++b) {
        cl_int code;
        int* const at = clEnqueueMapBuffer(s.queue, buffers[b], CL_TRUE, CL_MAP_WRITE, 0, bytes, 0,
                                           NULL, NULL, &code);
        CHECK(code);
        for (int i = 0; i < n; ++i) at[i] = (b + 1) * i;
        CHECK(clEnqueueUnmapMemObject(s.queue, buffers[b], at, 0, NULL, NULL));
    }
    const size_t global = (n + 63) / 64 * 64, local = 64;
    cl_event done;
    CHECK(clEnqueueNDRangeKernel(s.queue, add, 1, NULL, &global, &local, 0, NULL, &done));
    cl_int code;
    const int* const result = clEnqueueMapBuffer(s.queue, buffers[2], CL_TRUE, CL_MAP_READ, 0,
                                                 bytes, 0, NULL, NULL, &code);
    CHECK(code);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += result[i] != 3 * i;
    print_bytes("c", result, bytes);
    CHECK(clEnqueueUnmapMemObject(s.queue, buffers[2], (void*)result, 0, NULL, NULL));
    CHECK(clFinish(s.queue));
    cl_ulong times[4];
    for (int t = 0; t < 4; ++t) {
        CHECK(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_QUEUED + t, sizeof times[t],
                                      &times[t], NULL));
        wrong += t != 0 && times[t] < times[t - 1];
    }
    wrong += times[3] == times[0];
    CHECK(clReleaseEvent(done));
    for (int b = 0; b < 3; ++b) CHECK(clReleaseMemObject(buffers[b]));
    CHECK(clReleaseKernel(add));
    end_setup(&s);
    return verdict(wrong);
}
