// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Structs in buffers and by value; a buffer of the host's own memory, read by mapping it. */
#include "kit.h"

static const char* const source =
    "typedef struct { float x, y; int group; } point;"
    "typedef struct { int points, groups; } sizes;"
    "kernel void assign(global point* p, constant float2* centre, sizes n) {"
    "  int i = get_global_id(0); if (i >= n.points) return;"
    "  int best = 0; float least = FLT_MAX;"
    "  for (int g = 0; g < n.groups; ++g) {"
    "    float dx = p[i].x - centre[g].x, dy = p[i].y - centre[g].y, d = dx * dx + dy * dy;"
    "    if (d < least) { least = d; best = g; } }"
    "  p[i].group = best; }";

typedef struct {
    float x, y;
    int group;
} point;

int main(int argc, char** argv) {
    const struct {
        int points, groups;
    } n = {size_of_run(argc, argv, 150), 4};
    setup s = make_setup(source, "");
    unsigned state = 4;
    point* points = aligned_alloc(4096, (sizeof(point) * n.points + 4095) / 4096 * 4096);
    for (int i = 0; i < n.points; ++i) {
        points[i].x = next_float(&state);
        points[i].y = next_float(&state);
        points[i].group = -1;
    }
    float centres[8] = {0.2f, 0.2f, 0.8f, 0.2f, 0.2f, 0.8f, 0.8f, 0.8f};
    cl_mem P = make_buffer(&s, CL_MEM_USE_HOST_PTR, sizeof(point) * n.points, points);
    cl_mem C = make_buffer(&s, CL_MEM_READ_ONLY, sizeof centres, NULL);
    cl_kernel assign = make_kernel(&s, "assign");
    set_buffer(assign, 0, P);
    set_buffer(assign, 1, C);
    CHECK(clSetKernelArg(assign, 2, sizeof n, &n));
    int wrong = 0;
    for (int round = 0; round < 3; ++round) {
        CHECK(clEnqueueWriteBuffer(s.queue, C, CL_TRUE, 0, sizeof centres, centres, 0, NULL, NULL));
        run_1d(&s, assign, (n.points + 63) / 64 * 64, 64);
        cl_int code;
        point* const now = clEnqueueMapBuffer(s.queue, P, CL_TRUE, CL_MAP_READ, 0,
                                              sizeof(point) * n.points, 0, NULL, NULL, &code);
        CHECK(code);
        wrong += now != points; /* the host's own */
        float sums[8] = {0};
        int counts[4] = {0};
        for (int i = 0; i < n.points; ++i) {
            int best = 0;
            float least = 1e30f;
            for (int g = 0; g < n.groups; ++g) {
                const float dx = now[i].x - centres[2 * g], dy = now[i].y - centres[2 * g + 1];
                const float d = dx * dx + dy * dy;
                if (d >= least) continue;
                least = d;
                best = g;
            }
            wrong += best != now[i].group;
            sums[2 * now[i].group] += now[i].x;
            sums[2 * now[i].group + 1] += now[i].y;
            ++counts[now[i].group];
        }
        for (int g = 0; g < 8; ++g) if (counts[g / 2]) centres[g] = sums[g] / counts[g / 2];
        CHECK(clEnqueueUnmapMemObject(s.queue, P, now, 0, NULL, NULL));
    }
    return verdict(wrong);
}
