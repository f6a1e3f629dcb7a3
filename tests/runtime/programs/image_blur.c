// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Images: made of a buffer, read with a sampler, written, filled, mapped and copied. */
#include "kit.h"

static const char* const source =
    "kernel void blur(read_only image2d_t from, write_only image2d_t to, sampler_t how) {"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
    "  uint4 sum = (uint4)(0);"
    "  for (int y = -1; y <= 1; ++y) for (int x = -1; x <= 1; ++x)"
    "    sum += read_imageui(from, how, p + (int2)(x, y));"
    "  write_imageui(to, p, sum / 9); }";

int main(int argc, char** argv) {
    const size_t w = size_of_run(argc, argv, 21), h = w + 4, bytes = 4 * w * h;
    setup s = make_setup(source, "");
    cl_int code;
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = w,
                                 .image_height = h};
    cl_mem from = clCreateImage(s.context, CL_MEM_READ_ONLY, &format, &shape, NULL, &code);
    CHECK(code);
    cl_mem to = clCreateImage2D(s.context, CL_MEM_READ_WRITE, &format, w, h, 0, NULL, &code);
    CHECK(code);
    cl_sampler how = clCreateSampler(s.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                     CL_FILTER_NEAREST, &code);
    CHECK(code);
    unsigned state = 31;
    unsigned char *given = malloc(bytes), *found = malloc(bytes), *copied = malloc(bytes);
    for (size_t i = 0; i < bytes; ++i) given[i] = (unsigned char)next_random(&state);
    cl_mem buffer = make_buffer(&s, CL_MEM_COPY_HOST_PTR, bytes, given);
    const size_t origin[3] = {0, 0, 0}, all[3] = {w, h, 1}, global[2] = {w, h};
    CHECK(clEnqueueCopyBufferToImage(s.queue, buffer, from, 0, origin, all, 0, NULL, NULL));
    /* One pixel of another colour, by a mapped pointer. */
    const size_t at[3] = {5, 6, 0}, one[3] = {1, 1, 1};
    size_t pitch;
    unsigned char* const pixel = clEnqueueMapImage(s.queue, from, CL_TRUE, CL_MAP_WRITE, at, one,
                                                   &pitch, NULL, 0, NULL, NULL, &code);
    CHECK(code);
    for (int c = 0; c < 4; ++c) given[4 * (6 * w + 5) + c] = pixel[c] = 200 + c;
    CHECK(clEnqueueUnmapMemObject(s.queue, from, pixel, 0, NULL, NULL));
    cl_kernel blur = make_kernel(&s, "blur");
    set_buffer(blur, 0, from);
    set_buffer(blur, 1, to);
    CHECK(clSetKernelArg(blur, 2, sizeof how, &how));
    CHECK(clEnqueueNDRangeKernel(s.queue, blur, 2, NULL, global, NULL, 0, NULL, NULL));
    const cl_uint fill[4] = {1, 2, 300, 4};
    const size_t corner[3] = {w - 2, h - 3, 0}, part[3] = {2, 3, 1};
    CHECK(clEnqueueFillImage(s.queue, to, fill, corner, part, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(s.queue, to, CL_TRUE, origin, all, 0, 0, found, 0, NULL, NULL));
    CHECK(clEnqueueCopyImageToBuffer(s.queue, to, buffer, origin, all, 0, 0, NULL, NULL));
    read_all(&s, buffer, copied, bytes);
    int wrong = memcmp(found, copied, bytes) != 0;
    for (size_t y = 0; y < h; ++y) {
        for (size_t x = 0; x < w; ++x) {
            for (int c = 0; c < 4; ++c) {
                unsigned sum = 0;
                for (int j = -1; j <= 1; ++j) {
                    for (int i = -1; i <= 1; ++i) {
                        size_t px = x + i, py = y + j;
                        if (x == 0 && i < 0) px = 0;
                        if (y == 0 && j < 0) py = 0;
                        if (px >= w) px = w - 1;
                        if (py >= h) py = h - 1;
                        sum += given[4 * (py * w + px) + c];
                    }
                }
                sum /= 9;
                if (x >= w - 2 && y >= h - 3) sum = fill[c] > 255 ? 255 : fill[c];
                wrong += found[4 * (y * w + x) + c] != sum;
            }
        }
    }
    print_bytes("to", found, bytes);
    CHECK(clReleaseSampler(how));
    CHECK(clReleaseMemObject(from));
    CHECK(clReleaseMemObject(to));
    return verdict(wrong);
}
