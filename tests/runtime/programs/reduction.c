// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Sums in local memory whose size the host gives; a group's size that the kernel requires. */
#include "kit.h"

static const char* const source =
    "kernel __attribute__((reqd_work_group_size(64, 1, 1)))"
    "void sum(global const uint* in, global uint* out, local uint* part, uint n) {"
    "  uint i = get_global_id(0), l = get_local_id(0);"
    "  part[l] = i < n ? in[i] : 0;"
    "  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {"
    "    barrier(CLK_LOCAL_MEM_FENCE); if (l < s) part[l] += part[l + s]; }"
    "  if (l == 0) out[get_group_id(0)] = part[0]; }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 400), groups = (n + 63) / 64;
    setup s = make_setup(source, "");
    cl_kernel sum = make_kernel(&s, "sum");
    unsigned state = 1, expected = 0, total = 0;
    unsigned *in = malloc(sizeof(unsigned) * n), *out = malloc(sizeof(unsigned) * groups);
    for (int i = 0; i < n; ++i) expected += in[i] = next_random(&state);
    set_buffer(sum, 0, make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(unsigned) * n, in));
    cl_mem parts = make_buffer(&s, 0, sizeof(unsigned) * groups, NULL);
    set_buffer(sum, 1, parts);
    CHECK(clSetKernelArg(sum, 2, 64 * sizeof(unsigned), NULL));
    set_int(sum, 3, n);
    size_t shape[3];
    cl_ulong local_bytes;
    CHECK(clGetKernelWorkGroupInfo(sum, s.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof shape,
                                   shape, NULL));
    CHECK(clGetKernelWorkGroupInfo(sum, s.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
                                   &local_bytes, NULL));
    int wrong = shape[0] != 64 || shape[1] != 1 || shape[2] != 1 || local_bytes < 256;
    run_1d(&s, sum, 64 * groups, shape[0]);
    read_all(&s, parts, out, sizeof(unsigned) * groups);
    for (int g = 0; g < groups; ++g) total += out[g];
    print_bytes("parts", out, sizeof(unsigned) * groups);
    return verdict(wrong + (total != expected));
}
