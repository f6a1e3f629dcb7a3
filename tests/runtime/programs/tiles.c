// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A matrix in tiles: sub-buffers of bands, boxes copied between host and device and on the device,
   local memory of a size that the host chooses, several parts mapped at once. */
#include "kit.h"

static const char* const source =
    "kernel void transpose(global const int* from, global int* to, int n, local int* tile) {"
    "  int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0);"
    "  tile[y * (w + 1) + x] = from[get_global_id(1) * n + get_global_id(0)];"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  to[(get_group_id(0) * w + y) * n + get_group_id(1) * w + x] = tile[x * (w + 1) + y]; }"
    "kernel void negate(global int* v) { v[get_global_id(0)] = -v[get_global_id(0)]; }";

enum { tile = 8, band = 64 }; /* numbers: 256 bytes */

int main(int argc, char** argv) {
    const int tiles = size_of_run(argc, argv, 4), n = tile * tiles;
    const size_t row = sizeof(int) * n, bytes = row * n;
    setup s = make_setup(source, "");
    int *given = malloc(bytes), *found = malloc(bytes);
    for (int i = 0; i < n * n; ++i) given[i] = i * 5 + 1;
    cl_mem a = make_buffer(&s, 0, bytes, NULL), b = make_buffer(&s, 0, bytes, NULL);
    /* The upper half comes in one piece, the lower one in columns of a tile. */
    CHECK(clEnqueueWriteBuffer(s.queue, a, CL_FALSE, 0, bytes / 2, given, 0, NULL, NULL));
    for (int t = 0; t < tiles; ++t) {
        const size_t at[3] = {sizeof(int) * tile * t, n / 2, 0};
        const size_t size[3] = {sizeof(int) * tile, n / 2, 1};
        CHECK(clEnqueueWriteBufferRect(s.queue, a, CL_FALSE, at, at, size, row, 0, row, 0, given, 0,
                                       NULL, NULL));
    }
    cl_kernel transpose = make_kernel(&s, "transpose"), negate = make_kernel(&s, "negate");
    set_buffer(transpose, 0, a);
    set_buffer(transpose, 1, b);
    set_int(transpose, 2, n);
    CHECK(clSetKernelArg(transpose, 3, sizeof(int) * tile * (tile + 1), NULL));
    const size_t global[2] = {n, n}, local[2] = {tile, tile};
    CHECK(clEnqueueNDRangeKernel(s.queue, transpose, 2, NULL, global, local, 0, NULL, NULL));
    /* The second band of the result, by a sub-buffer. */
    cl_int code;
    const cl_buffer_region region = {sizeof(int) * band, sizeof(int) * band};
    cl_mem part =
        clCreateSubBuffer(b, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CHECK(code);
    set_buffer(negate, 0, part);
    run_1d(&s, negate, band, 0);
    /* The first tile goes to the last one's place, on the device. */
    const size_t from[3] = {0, 0, 0}, to[3] = {row - sizeof(int) * tile, n - tile, 0};
    const size_t size[3] = {sizeof(int) * tile, tile, 1};
    CHECK(clEnqueueCopyBufferRect(s.queue, b, b, from, to, size, row, 0, row, 0, 0, NULL, NULL));
    /* Three parts are mapped at once, two of them from the same place. */
    int* const read =
        clEnqueueMapBuffer(s.queue, b, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &code);
    CHECK(code);
    memcpy(found, read, bytes);
    int* const first = clEnqueueMapBuffer(s.queue, a, CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                          row, 0, NULL, NULL, &code);
    CHECK(code);
    int* const second =
        clEnqueueMapBuffer(s.queue, a, CL_TRUE, CL_MAP_WRITE, row, row, 0, NULL, NULL, &code);
    CHECK(code);
    for (int i = 0; i < n; ++i) {
        first[i] = i;
        second[i] = given[n + i] + 1;
    }
    cl_event unmapped[3];
    CHECK(clEnqueueUnmapMemObject(s.queue, a, second, 0, NULL, &unmapped[0]));
    CHECK(clEnqueueUnmapMemObject(s.queue, b, read, 0, NULL, &unmapped[1]));
    CHECK(clEnqueueUnmapMemObject(s.queue, a, first, 0, NULL, &unmapped[2]));
    CHECK(clWaitForEvents(3, unmapped));
    int wrong = 0;
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            const int copied = x >= n - tile && y >= n - tile;
            const int sx = copied ? x - (n - tile) : x, sy = copied ? y - (n - tile) : y;
            const int at = sy * n + sx, negative = at >= band && at < 2 * band;
            const int value = given[sx * n + sy];
            wrong += found[y * n + x] != (negative ? -value : value);
        }
    }
    const size_t origin[3] = {sizeof(int), 0, 0}, host[3] = {0, 1, 0};
    const size_t two_rows[3] = {row - sizeof(int), 2, 1};
    memset(found, 0, bytes);
    CHECK(clEnqueueReadBufferRect(s.queue, a, CL_TRUE, origin, host, two_rows, row, 0, row, 0,
                                  found, 0, NULL, NULL));
    for (int x = 0; x + 1 < n; ++x) {
        wrong += found[n + x] != x + 1;
        wrong += found[2 * n + x] != given[n + x + 1] + 1;
    }
    print_bytes("a", found, bytes);
    CHECK(clReleaseMemObject(part));
    return verdict(wrong);
}
