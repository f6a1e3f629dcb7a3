// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Counts with atomics on local and on global memory. */
#include "kit.h"

static const char* const source =
    "kernel void count(global const uchar* in, global uint* bins, int n) {"
    "  local uint own[32]; int l = get_local_id(0);"
    "  if (l < 32) own[l] = 0;"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&own[in[i] / 8]);"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  if (l < 32) atomic_add(&bins[l], own[l]); }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 1000);
    setup s = make_setup(source, "");
    unsigned state = 77, found[32], expected[32] = {0};
    unsigned char* in = malloc(n);
    for (int i = 0; i < n; ++i) {
        in[i] = (unsigned char)next_random(&state);
        ++expected[in[i] / 8];
    }
    cl_kernel count = make_kernel(&s, "count");
    cl_mem bins = make_buffer(&s, CL_MEM_READ_WRITE, sizeof found, NULL);
    const cl_uchar zero = 0;
    CHECK(clEnqueueFillBuffer(s.queue, bins, &zero, 1, 0, sizeof found, 0, NULL, NULL));
    set_buffer(count, 0, make_buffer(&s, CL_MEM_COPY_HOST_PTR, n, in));
    set_buffer(count, 1, bins);
    set_int(count, 2, n);
    run_1d(&s, count, 128, 64);
    read_all(&s, bins, found, sizeof found);
    int wrong = 0;
    for (int b = 0; b < 32; ++b) wrong += found[b] != expected[b];
    print_bytes("bins", found, sizeof found);
    return verdict(wrong);
}
