// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Tiles in local memory, two dimensions, macros by options. */
#include "kit.h"

static const char* const source =
    "kernel void multiply(global const float* a, global const float* b, global float* c, int n) {"
    "  local float left[TILE][TILE], right[TILE][TILE];"
    "  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);"
    "  float sum = 0;"
    "  for (int t = 0; t < n; t += TILE) {"
    "    left[ly][lx] = a[y * n + t + lx]; right[ly][lx] = b[(t + ly) * n + x];"
    "    barrier(CLK_LOCAL_MEM_FENCE);"
    "    for (int k = 0; k < TILE; ++k) sum += left[ly][k] * right[k][lx];"
    "    barrier(CLK_LOCAL_MEM_FENCE);"
    "  }"
    "  c[y * n + x] = sum; }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 16);
    const size_t bytes = sizeof(float) * n * n;
    setup s = make_setup(source, "-D TILE=8 -cl-mad-enable");
    unsigned state = 5;
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    for (int i = 0; i < n * n; ++i) {
        a[i] = next_float(&state);
        b[i] = next_float(&state);
    }
    cl_mem A = make_buffer(&s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a);
    cl_mem B = make_buffer(&s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b);
    cl_mem C = make_buffer(&s, CL_MEM_WRITE_ONLY, bytes, NULL);
    cl_kernel multiply = make_kernel(&s, "multiply");
    set_buffer(multiply, 0, A);
    set_buffer(multiply, 1, B);
    set_buffer(multiply, 2, C);
    set_int(multiply, 3, n);
    const size_t global[2] = {n, n}, local[2] = {8, 8};
    CHECK(clEnqueueNDRangeKernel(s.queue, multiply, 2, NULL, global, local, 0, NULL, NULL));
    read_all(&s, C, c, bytes);
    int wrong = 0;
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += (double)a[y * n + k] * b[k * n + x];
            wrong += !near(c[y * n + x], (float)sum, 1e-4f);
        }
    }
    return verdict(wrong);
}
