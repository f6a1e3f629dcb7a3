// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Prefix sums of blocks, of their sums, and both together: three kernels of one program. */
#include "kit.h"

static const char* const source =
    "kernel void blocks(global int* data, global int* sums, local int* t) {"
    "  int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);"
    "  t[l] = data[i];"
    "  for (int d = 1; d < n; d *= 2) {"
    "    barrier(CLK_LOCAL_MEM_FENCE); int v = l >= d ? t[l - d] : 0;"
    "    barrier(CLK_LOCAL_MEM_FENCE); t[l] += v; }"
    "  data[i] = t[l]; if (l == n - 1) sums[get_group_id(0)] = t[l]; }"
    "kernel void sums(global int* sums, int n) {"
    "  int all = 0; for (int i = 0; i < n; ++i) { int v = sums[i]; sums[i] = all; all += v; } }"
    "kernel void add(global int* data, global const int* sums) {"
    "  data[get_global_id(0)] += sums[get_group_id(0)]; }";

int main(int argc, char** argv) {
    const int groups = size_of_run(argc, argv, 6), n = groups * 32;
    setup s = make_setup(source, "");
    cl_kernel kernels[3];
    cl_uint count = 0;
    CHECK(clCreateKernelsInProgram(s.program, 3, kernels, &count));
    cl_kernel blocks = NULL, sums = NULL, add = NULL;
    for (cl_uint k = 0; k < count; ++k) {
        char name[20];
        CHECK(clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        if (strcmp(name, "blocks") == 0) blocks = kernels[k];
        if (strcmp(name, "sums") == 0) sums = kernels[k];
        if (strcmp(name, "add") == 0) add = kernels[k];
    }
    unsigned state = 2;
    int *data = malloc(sizeof(int) * n), *found = malloc(sizeof(int) * n);
    for (int i = 0; i < n; ++i) data[i] = next_random(&state) % 100;
    cl_mem D = make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(int) * n, data);
    cl_mem S = make_buffer(&s, 0, sizeof(int) * groups, NULL);
    set_buffer(blocks, 0, D);
    set_buffer(blocks, 1, S);
    CHECK(clSetKernelArg(blocks, 2, 32 * sizeof(int), NULL));
    set_buffer(sums, 0, S);
    set_int(sums, 1, groups);
    set_buffer(add, 0, D);
    set_buffer(add, 1, S);
    run_1d(&s, blocks, n, 32);
    CHECK(clEnqueueTask(s.queue, sums, 0, NULL, NULL));
    run_1d(&s, add, n, 32);
    read_all(&s, D, found, sizeof(int) * n);
    int wrong = 0;
    for (int i = 0, sum = 0; i < n; ++i) wrong += found[i] != (sum += data[i]);
    print_bytes("sums", found, sizeof(int) * n);
    return verdict(wrong);
}
