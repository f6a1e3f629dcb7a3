// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Many small launches on two buffers in turns, and nothing read in between. */
#include "kit.h"

static const char* const source =
    "kernel void step(global const float* from, global float* to, int n) {"
    "  int i = get_global_id(0);"
    "  if (i == 0 || i == n - 1) to[i] = from[i];"
    "  else to[i] = 0.5f * (from[i - 1] + from[i + 1]); }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 64), steps = 50;
    const size_t bytes = sizeof(float) * n;
    setup s = make_setup(source, "");
    float *x = malloc(bytes), *next = malloc(bytes), *result = malloc(bytes);
    for (int i = 0; i < n; ++i) x[i] = (float)(i * i % 17);
    cl_mem buffers[2] = {make_buffer(&s, CL_MEM_COPY_HOST_PTR, bytes, x),
                         make_buffer(&s, 0, bytes, NULL)};
    cl_kernel step = make_kernel(&s, "step");
    set_int(step, 2, n);
    for (int t = 0; t < steps; ++t) {
        set_buffer(step, 0, buffers[t % 2]);
        set_buffer(step, 1, buffers[1 - t % 2]);
        run_1d(&s, step, n, 0);
    }
    CHECK(clFinish(s.queue));
    read_all(&s, buffers[steps % 2], result, bytes);
    for (int t = 0; t < steps; ++t) {
        memcpy(next, x, bytes);
        for (int i = 1; i + 1 < n; ++i) next[i] = 0.5f * (x[i - 1] + x[i + 1]);
        memcpy(x, next, bytes);
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += x[i] != result[i];
    print_bytes("x", result, bytes);
    return verdict(wrong);
}
