// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A constant filter, a range with an offset: the border is left alone. */
#include "kit.h"

static const char* const source =
    "constant int filter[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};"
    "kernel void blur(global const int* from, global int* to, int w, constant int* scale) {"
    "  int x = get_global_id(0), y = get_global_id(1), sum = 0;"
    "  for (int j = 0; j < 3; ++j) for (int i = 0; i < 3; ++i)"
    "    sum += filter[3 * j + i] * from[(y + j - 1) * w + x + i - 1];"
    "  to[y * w + x] = sum * scale[0]; }";

int main(int argc, char** argv) {
    const int w = size_of_run(argc, argv, 18), h = w + 2;
    const size_t bytes = sizeof(int) * w * h;
    static const int weights[3] = {1, 2, 1};
    setup s = make_setup(source, "");
    unsigned state = 11;
    int *from = malloc(bytes), *to = malloc(bytes), scale = 3, nothing = -1;
    for (int i = 0; i < w * h; ++i) from[i] = next_random(&state) % 256;
    cl_mem F = make_buffer(&s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, from);
    cl_mem S = make_buffer(&s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof scale, &scale);
    cl_mem T = make_buffer(&s, CL_MEM_READ_WRITE, bytes, NULL);
    CHECK(clEnqueueFillBuffer(s.queue, T, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL));
    cl_kernel blur = make_kernel(&s, "blur");
    set_buffer(blur, 0, F);
    set_buffer(blur, 1, T);
    set_int(blur, 2, w);
    set_buffer(blur, 3, S);
    const size_t offset[2] = {1, 1}, global[2] = {w - 2, h - 2};
    CHECK(clEnqueueNDRangeKernel(s.queue, blur, 2, offset, global, NULL, 0, NULL, NULL));
    read_all(&s, T, to, bytes);
    int wrong = 0;
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            int sum = 0;
            const int border = x == 0 || y == 0 || x == w - 1 || y == h - 1;
            for (int j = -1; j <= 1 && !border; ++j)
                for (int i = -1; i <= 1; ++i)
                    sum += weights[j + 1] * weights[i + 1] * from[(y + j) * w + x + i];
            wrong += to[y * w + x] != (border ? -1 : 3 * sum);
        }
    }
    print_bytes("to", to, bytes);
    return verdict(wrong);
}
