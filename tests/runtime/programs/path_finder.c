// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* The cheapest way through a grid, row by row; parts of a buffer as buffers of their own. */
#include "kit.h"

static const char* const source =
    "kernel void row(global const int* cost, global const int* before, global int* after, int w) {"
    "  int i = get_global_id(0), least = before[i];"
    "  if (i > 0) least = min(least, before[i - 1]);"
    "  if (i < w - 1) least = min(least, before[i + 1]);"
    "  after[i] = cost[i] + least; }";

int main(int argc, char** argv) {
    const int w = size_of_run(argc, argv, 64), h = 8; /* a row is a multiple of 256 bytes */
    const size_t row = sizeof(int) * w;
    setup s = make_setup(source, "");
    unsigned state = 8;
    int *cost = malloc(row * h), *sums = malloc(row * h), *found = malloc(row);
    for (int i = 0; i < w * h; ++i) sums[i] = cost[i] = next_random(&state) % 10;
    cl_mem all = make_buffer(&s, CL_MEM_COPY_HOST_PTR, row * h, cost);
    cl_mem ways = make_buffer(&s, CL_MEM_COPY_HOST_PTR, row * h, cost);
    cl_kernel kernel = make_kernel(&s, "row");
    set_int(kernel, 3, w);
    for (int y = 1; y < h; ++y) {
        const cl_buffer_region here = {y * row, row}, above = {(y - 1) * row, row};
        cl_int code[3];
        const cl_mem parts[3] = {
            clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &here, &code[0]),
            clCreateSubBuffer(ways, 0, CL_BUFFER_CREATE_TYPE_REGION, &above, &code[1]),
            clCreateSubBuffer(ways, 0, CL_BUFFER_CREATE_TYPE_REGION, &here, &code[2])};
        for (int i = 0; i < 3; ++i) {
            CHECK(code[i]);
            set_buffer(kernel, i, parts[i]);
        }
        run_1d(&s, kernel, w, 0);
        for (int i = 0; i < 3; ++i) CHECK(clReleaseMemObject(parts[i]));
    }
    CHECK(clEnqueueReadBuffer(s.queue, ways, CL_TRUE, (h - 1) * row, row, found, 0, NULL, NULL));
    int wrong = 0;
    for (int y = 1; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            const int* const before = sums + (y - 1) * w;
            int least = before[x];
            if (x > 0 && before[x - 1] < least) least = before[x - 1];
            if (x < w - 1 && before[x + 1] < least) least = before[x + 1];
            sums[y * w + x] += least;
        }
    }
    for (int x = 0; x < w; ++x) wrong += found[x] != sums[(h - 1) * w + x];
    print_bytes("ways", found, row);
    return verdict(wrong);
}
