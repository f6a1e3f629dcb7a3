// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Boxes of a plane, copied between host and device and on the device. */
#include "kit.h"

static const char* const source =
    "kernel void heat(global int* t, int w) {"
    "  t[get_global_id(1) * w + get_global_id(0)] += 1000; }";

int main(int argc, char** argv) {
    const int w = size_of_run(argc, argv, 24), h = 10;
    const size_t bytes = sizeof(int) * w * h, row = sizeof(int) * w;
    setup s = make_setup(source, "");
    int *t = malloc(bytes), *expected = malloc(bytes), *found = malloc(bytes);
    for (int i = 0; i < w * h; ++i) t[i] = expected[i] = i;
    cl_mem A = make_buffer(&s, 0, bytes, NULL), B = make_buffer(&s, 0, bytes, NULL);
    /* All of it in two halves, side by side. */
    const size_t half[3] = {row / 2, h, 1};
    for (int side = 0; side < 2; ++side) {
        const size_t at[3] = {side * row / 2, 0, 0};
        CHECK(clEnqueueWriteBufferRect(s.queue, A, CL_FALSE, at, at, half, row, 0, row, 0, t, 0,
                                       NULL, NULL));
    }
    CHECK(clEnqueueCopyBuffer(s.queue, A, B, 0, 0, bytes, 0, NULL, NULL));
    cl_kernel heat = make_kernel(&s, "heat");
    set_buffer(heat, 0, A);
    set_int(heat, 1, w);
    const size_t global[2] = {w, h};
    CHECK(clEnqueueNDRangeKernel(s.queue, heat, 2, NULL, global, NULL, 0, NULL, NULL));
    /* A box of 3 x 2 from the heated plane into the other. */
    const size_t from[3] = {4 * sizeof(int), 5, 0}, to[3] = {2 * sizeof(int), 1, 0},
                 box[3] = {3 * sizeof(int), 2, 1};
    CHECK(clEnqueueCopyBufferRect(s.queue, A, B, from, to, box, row, 0, row, 0, 0, NULL, NULL));
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x) expected[(1 + y) * w + 2 + x] = (5 + y) * w + 4 + x + 1000;
    memset(found, 0, bytes);
    const size_t all[3] = {row, h, 1}, origin[3] = {0, 0, 0};
    CHECK(clEnqueueReadBufferRect(s.queue, B, CL_TRUE, origin, origin, all, row, 0, row, 0, found,
                                  0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < w * h; ++i) wrong += found[i] != expected[i];
    print_bytes("t", found, bytes);
    return verdict(wrong);
}
