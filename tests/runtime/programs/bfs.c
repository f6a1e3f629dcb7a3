// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Breadth-first search: the host asks after each level whether there is another. */
#include "graph.h"

static const char* const source =
    "kernel void expand(global const int* rows, global const int* columns, global int* level,"
    "                   global int* more, int now, int n) {"
    "  int i = get_global_id(0);"
    "  if (i >= n || level[i] != now) return;"
    "  for (int e = rows[i]; e < rows[i + 1]; ++e)"
    "    if (level[columns[e]] < 0) { level[columns[e]] = now + 1; *more = 1; } }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 120);
    const graph g = make_graph(n, 5, 3);
    setup s = make_setup(source, "");
    int *level = malloc(sizeof(int) * n), *found = malloc(sizeof(int) * n);
    for (int i = 0; i < n; ++i) level[i] = i == 0 ? 0 : -1;
    const cl_mem_flags in = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem rows = make_buffer(&s, in, sizeof(int) * (n + 1), g.rows);
    cl_mem columns = make_buffer(&s, in, sizeof(int) * g.edges, g.columns);
    cl_mem levels = make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(int) * n, level);
    cl_mem more = make_buffer(&s, 0, sizeof(int), NULL);
    cl_kernel expand = make_kernel(&s, "expand");
    set_buffer(expand, 0, rows);
    set_buffer(expand, 1, columns);
    set_buffer(expand, 2, levels);
    set_buffer(expand, 3, more);
    set_int(expand, 5, n);
    int go_on = 1;
    for (int now = 0; go_on; ++now) {
        go_on = 0;
        CHECK(clEnqueueWriteBuffer(s.queue, more, CL_TRUE, 0, sizeof go_on, &go_on, 0, NULL, NULL));
        set_int(expand, 4, now);
        run_1d(&s, expand, (n + 63) / 64 * 64, 64);
        read_all(&s, more, &go_on, sizeof go_on);
    }
    read_all(&s, levels, found, sizeof(int) * n);
    for (int now = 0, changed = 1; changed; ++now) {
        changed = 0;
        for (int i = 0; i < n; ++i) {
            if (level[i] != now) continue;
            for (int e = g.rows[i]; e < g.rows[i + 1]; ++e) {
                if (level[g.columns[e]] >= 0) continue;
                level[g.columns[e]] = now + 1;
                changed = 1;
            }
        }
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += level[i] != found[i];
    print_bytes("level", found, sizeof(int) * n);
    return verdict(wrong);
}
