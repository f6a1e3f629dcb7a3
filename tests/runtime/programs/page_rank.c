// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Ranks of pages; the ranks change places by a copy on the device. */
#include "graph.h"

static const char* const source =
    "kernel void gather(global const int* rows, global const int* columns, global const float* share,"
    "                   global float* rank, int n) {"
    "  int i = get_global_id(0); if (i >= n) return;"
    "  float sum = 0; for (int e = rows[i]; e < rows[i + 1]; ++e) sum += share[columns[e]];"
    "  rank[i] = 0.15f / n + 0.85f * sum; }"
    "kernel void divide(global const float* rank, global const int* degree, global float* share) {"
    "  int i = get_global_id(0); share[i] = rank[i] / max(1, degree[i]); }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 64), rounds = 5;
    const graph g = make_graph(n, 6, 21);
    setup s = make_setup(source, "");
    int* degree = calloc(n, sizeof(int));
    float *rank = malloc(sizeof(float) * n), *found = malloc(sizeof(float) * n);
    for (int e = 0; e < g.edges; ++e) ++degree[g.columns[e]];
    for (int i = 0; i < n; ++i) rank[i] = 1.0f / n;
    const cl_mem_flags in = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem rows = make_buffer(&s, in, sizeof(int) * (n + 1), g.rows);
    cl_mem columns = make_buffer(&s, in, sizeof(int) * g.edges, g.columns);
    cl_mem degrees = make_buffer(&s, in, sizeof(int) * n, degree);
    cl_mem now = make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(float) * n, rank);
    cl_mem next = make_buffer(&s, 0, sizeof(float) * n, NULL);
    cl_mem share = make_buffer(&s, 0, sizeof(float) * n, NULL);
    cl_kernel divide = make_kernel(&s, "divide"), gather = make_kernel(&s, "gather");
    set_buffer(divide, 0, now);
    set_buffer(divide, 1, degrees);
    set_buffer(divide, 2, share);
    set_buffer(gather, 0, rows);
    set_buffer(gather, 1, columns);
    set_buffer(gather, 2, share);
    set_buffer(gather, 3, next);
    set_int(gather, 4, n);
    for (int r = 0; r < rounds; ++r) {
        run_1d(&s, divide, n, 0);
        run_1d(&s, gather, (n + 63) / 64 * 64, 64);
        CHECK(clEnqueueCopyBuffer(s.queue, next, now, 0, 0, sizeof(float) * n, 0, NULL, NULL));
    }
    read_all(&s, now, found, sizeof(float) * n);
    float* sum = malloc(sizeof(float) * n);
    for (int r = 0; r < rounds; ++r) {
        for (int i = 0; i < n; ++i) {
            sum[i] = 0;
            for (int e = g.rows[i]; e < g.rows[i + 1]; ++e) {
                const int j = g.columns[e];
                sum[i] += rank[j] / (degree[j] > 1 ? degree[j] : 1);
            }
        }
        for (int i = 0; i < n; ++i) rank[i] = 0.15f / n + 0.85f * sum[i];
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += !near(found[i], rank[i], 1e-5f);
    return verdict(wrong);
}
