// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Batches through three queues, for upload, work and download, that wait for each other by events:
   while one batch is at work the next is on its way. A fourth queue has work of its own. */
#include "kit.h"

static const char* const source =
    "kernel void work(global const int* in, global int* out, int rounds) {"
    "  int i = get_global_id(0), x = in[i];"
    "  for (int n = 0; n < rounds; ++n) x = x * 3 + n;"
    "  out[i] = x; }"
    "kernel void count(global int* n) { n[get_global_id(0)] += 1; }";

enum { batches = 4, rounds = 300 };

static int expected(int x) {
    unsigned y = (unsigned)x;
    for (int n = 0; n < rounds; ++n) y = y * 3u + (unsigned)n;
    return (int)y;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what) {
    cl_ulong time;
    CHECK(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
    return time;
}

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 64);
    const size_t bytes = sizeof(int) * n, global = n;
    setup s = make_setup(source, "");
    cl_command_queue queues[4];
    cl_int code;
    for (int q = 0; q < 4; ++q) {
        queues[q] = clCreateCommandQueue(s.context, s.device, CL_QUEUE_PROFILING_ENABLE, &code);
        CHECK(code);
    }
    int *given = malloc(bytes * batches), *found = malloc(bytes * batches);
    for (int i = 0; i < n * batches; ++i) given[i] = 7 * i - 100;
    cl_mem in[2], out[2];
    for (int half = 0; half < 2; ++half) {
        in[half] = make_buffer(&s, CL_MEM_READ_ONLY, bytes, NULL);
        out[half] = make_buffer(&s, CL_MEM_WRITE_ONLY, bytes, NULL);
    }
    const int zero = 0;
    cl_mem counters = make_buffer(&s, 0, bytes, NULL);
    CHECK(clEnqueueFillBuffer(queues[3], counters, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
    cl_kernel work = make_kernel(&s, "work"), count = make_kernel(&s, "count");
    set_int(work, 2, rounds);
    set_buffer(count, 0, counters);
    cl_event up[batches], done[batches], down[batches];
    for (int b = 0; b < batches; ++b) {
        const int half = b % 2;
        /* The buffers of two batches before are free when these have been worked on, and read. */
        CHECK(clEnqueueWriteBuffer(queues[0], in[half], CL_FALSE, 0, bytes, given + n * b, b >= 2,
                                   b >= 2 ? &done[b - 2] : NULL, &up[b]));
        set_buffer(work, 0, in[half]);
        set_buffer(work, 1, out[half]);
        const cl_event before[2] = {up[b], b >= 2 ? down[b - 2] : up[b]};
        CHECK(clEnqueueNDRangeKernel(queues[1], work, 1, NULL, &global, NULL, 2, before, &done[b]));
        CHECK(clEnqueueReadBuffer(queues[2], out[half], CL_FALSE, 0, bytes, found + n * b, 1,
                                  &done[b], &down[b]));
        CHECK(clEnqueueNDRangeKernel(queues[3], count, 1, NULL, &global, NULL, 0, NULL, NULL));
        for (int q = 0; q < 4; ++q) CHECK(clFlush(queues[q]));
    }
    CHECK(clWaitForEvents(batches, down));
    int wrong = 0;
    for (int i = 0; i < n * batches; ++i) wrong += found[i] != expected(given[i]);
    for (int b = 0; b < batches; ++b) {
        wrong +=
            time_of(up[b], CL_PROFILING_COMMAND_END) > time_of(done[b], CL_PROFILING_COMMAND_START);
        wrong +=
            time_of(done[b], CL_PROFILING_COMMAND_END) > time_of(down[b], CL_PROFILING_COMMAND_END);
    }
    /* A launch that waits for another queue lets a third one go on. */
    cl_event first, waits, other;
    CHECK(clEnqueueNDRangeKernel(queues[0], work, 1, NULL, &global, NULL, 0, NULL, &first));
    CHECK(clEnqueueNDRangeKernel(queues[1], work, 1, NULL, &global, NULL, 1, &first, &waits));
    CHECK(clEnqueueNDRangeKernel(queues[3], count, 1, NULL, &global, NULL, 0, NULL, &other));
    const cl_event all[3] = {first, waits, other};
    CHECK(clWaitForEvents(3, all));
    wrong += time_of(first, CL_PROFILING_COMMAND_END) > time_of(waits, CL_PROFILING_COMMAND_START);
    printf("together: %d\n",
           time_of(other, CL_PROFILING_COMMAND_START) < time_of(first, CL_PROFILING_COMMAND_END));
    CHECK(clEnqueueReadBuffer(queues[3], counters, CL_TRUE, 0, bytes, found, 0, NULL, NULL));
    for (int i = 0; i < n; ++i) wrong += found[i] != batches + 1;
    return verdict(wrong);
}
