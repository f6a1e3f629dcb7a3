// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Shortest paths with atomic_min on global memory. */
#include "graph.h"

static const char* const source =
    "kernel void relax(global const int* rows, global const int* columns, global const int* weights,"
    "                  global int* distance, global int* more, int n) {"
    "  int i = get_global_id(0);"
    "  if (i >= n || distance[i] == INT_MAX) return;"
    "  for (int e = rows[i]; e < rows[i + 1]; ++e) {"
    "    int d = distance[i] + weights[e];"
    "    if (atomic_min(&distance[columns[e]], d) > d) *more = 1; } }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 100);
    const graph g = make_graph(n, 5, 9);
    setup s = make_setup(source, "");
    int *distance = malloc(sizeof(int) * n), *found = malloc(sizeof(int) * n);
    for (int i = 0; i < n; ++i) distance[i] = i == 0 ? 0 : 0x7fffffff;
    const cl_mem_flags in = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem buffers[5] = {make_buffer(&s, in, sizeof(int) * (n + 1), g.rows),
                         make_buffer(&s, in, sizeof(int) * g.edges, g.columns),
                         make_buffer(&s, in, sizeof(int) * g.edges, g.weights),
                         make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(int) * n, distance),
                         make_buffer(&s, 0, sizeof(int), NULL)};
    cl_kernel relax = make_kernel(&s, "relax");
    for (int i = 0; i < 5; ++i) set_buffer(relax, i, buffers[i]);
    set_int(relax, 5, n);
    const int zero = 0;
    for (int more = 1; more;) {
        CHECK(clEnqueueFillBuffer(s.queue, buffers[4], &zero, sizeof zero, 0, sizeof zero, 0, NULL,
                                  NULL));
        run_1d(&s, relax, (n + 31) / 32 * 32, 0);
        read_all(&s, buffers[4], &more, sizeof more);
    }
    read_all(&s, buffers[3], found, sizeof(int) * n);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < n; ++i) {
            if (distance[i] == 0x7fffffff) continue;
            for (int e = g.rows[i]; e < g.rows[i + 1]; ++e) {
                const int d = distance[i] + g.weights[e];
                if (d >= distance[g.columns[e]]) continue;
                distance[g.columns[e]] = d;
                changed = 1;
            }
        }
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += distance[i] != found[i];
    print_bytes("distance", found, sizeof(int) * n);
    return verdict(wrong);
}
