// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Image filters: a picture enlarged with linear and nearest samplers, of the kernel and of the
   host, with coordinates from 0 to 1, and at its edges. */
#include "kit.h"

static const char* const source =
    "constant sampler_t nearest = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT |"
    "                             CLK_FILTER_NEAREST;"
    "kernel void zoom(read_only image2d_t from, write_only image2d_t to, sampler_t how) {"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
    "  float2 size = convert_float2(get_image_dim(to));"
    "  float2 at = (convert_float2(p) + 0.5f) / size;"
    "  write_imagef(to, p, read_imagef(from, how, at)); }"
    "kernel void roll(read_only image2d_t from, write_only image2d_t to, float by) {"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));"
    "  float2 at = (convert_float2(p) + 0.5f) / convert_float2(get_image_dim(from));"
    "  write_imagef(to, p, read_imagef(from, nearest, at + (float2)(by, 0))); }";

static float at(const float* picture, int w, int h, int x, int y) {
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    return picture[y * w + x];
}

static float linear(const float* picture, int w, int h, float x, float y) {
    const float u = x * w - 0.5f, v = y * h - 0.5f;
    const int i = (int)floorf(u), j = (int)floorf(v);
    const float a = u - i, b = v - j;
    return (1 - a) * (1 - b) * at(picture, w, h, i, j) + a * (1 - b) * at(picture, w, h, i + 1, j) +
           (1 - a) * b * at(picture, w, h, i, j + 1) + a * b * at(picture, w, h, i + 1, j + 1);
}

static cl_mem image(const setup* s, size_t w, size_t h, float* pixels) {
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = w, .image_height = h};
    cl_int code;
    cl_mem made = clCreateImage(s->context, pixels != NULL ? CL_MEM_COPY_HOST_PTR : 0, &format,
                                &shape, pixels, &code);
    CHECK(code);
    return made;
}

int main(int argc, char** argv) {
    const int w = size_of_run(argc, argv, 9), h = w - 2, by = 3;
    setup s = make_setup(source, "");
    float *given = malloc(sizeof(float) * w * h), *found = malloc(sizeof(float) * w * h * by * by);
    unsigned state = 5;
    for (int i = 0; i < w * h; ++i) given[i] = next_float(&state);
    cl_mem from = image(&s, w, h, given), to = image(&s, w * by, h * by, NULL);
    cl_mem rolled = image(&s, w, h, NULL);
    cl_kernel zoom = make_kernel(&s, "zoom"), roll = make_kernel(&s, "roll");
    set_buffer(zoom, 0, from);
    set_buffer(zoom, 1, to);
    const size_t global[2] = {w * by, h * by}, origin[3] = {0, 0, 0};
    const size_t all[3] = {w * by, h * by, 1}, small[3] = {w, h, 1};
    const cl_filter_mode filters[2] = {CL_FILTER_NEAREST, CL_FILTER_LINEAR};
    int wrong = 0;
    for (int f = 0; f < 2; ++f) {
        cl_int code;
        cl_sampler how =
            clCreateSampler(s.context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, filters[f], &code);
        CHECK(code);
        CHECK(clSetKernelArg(zoom, 2, sizeof how, &how));
        CHECK(clEnqueueNDRangeKernel(s.queue, zoom, 2, NULL, global, NULL, 0, NULL, NULL));
        CHECK(clEnqueueReadImage(s.queue, to, CL_TRUE, origin, all, 0, 0, found, 0, NULL, NULL));
        for (int y = 0; y < h * by; ++y) {
            for (int x = 0; x < w * by; ++x) {
                const float u = (x + 0.5f) / (w * by), v = (y + 0.5f) / (h * by);
                const float value = f == 0 ? given[y / by * w + x / by] : linear(given, w, h, u, v);
                wrong += !near(found[y * w * by + x], value, 1e-4f);
            }
        }
        CHECK(clReleaseSampler(how));
    }
    /* By two pixels and a whole turn. */
    const float turn = 1 + 2.0f / w;
    set_buffer(roll, 0, from);
    set_buffer(roll, 1, rolled);
    CHECK(clSetKernelArg(roll, 2, sizeof turn, &turn));
    CHECK(clEnqueueNDRangeKernel(s.queue, roll, 2, NULL, small, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(s.queue, rolled, CL_TRUE, origin, small, 0, 0, found, 0, NULL, NULL));
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) wrong += found[y * w + x] != given[y * w + (x + 2) % w];
    }
    return verdict(wrong);
}
