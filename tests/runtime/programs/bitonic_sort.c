// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Dozens of launches of one kernel with other arguments each time. */
#include "kit.h"

static const char* const source =
    "kernel void exchange(global uint* v, uint distance, uint run) {"
    "  uint i = get_global_id(0), low = i / distance * 2 * distance + i % distance;"
    "  uint high = low + distance, up = (low & run) == 0;"
    "  uint a = v[low], b = v[high];"
    "  if ((a > b) == up) { v[low] = b; v[high] = a; } }";

static int by_value(const void* a, const void* b) {
    const unsigned x = *(const unsigned*)a, y = *(const unsigned*)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 128);
    setup s = make_setup(source, "");
    unsigned state = 6, *v = malloc(sizeof(unsigned) * n), *found = malloc(sizeof(unsigned) * n);
    for (int i = 0; i < n; ++i) v[i] = next_random(&state);
    cl_mem V = make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(unsigned) * n, v);
    cl_kernel exchange = make_kernel(&s, "exchange");
    set_buffer(exchange, 0, V);
    for (int run = 2; run <= n; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            set_int(exchange, 1, distance);
            set_int(exchange, 2, run);
            run_1d(&s, exchange, n / 2, 0);
        }
    }
    read_all(&s, V, found, sizeof(unsigned) * n);
    qsort(v, n, sizeof *v, by_value);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += v[i] != found[i];
    print_bytes("v", found, sizeof(unsigned) * n);
    return verdict(wrong);
}
