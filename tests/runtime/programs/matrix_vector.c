// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* y = A^T (A x): two kernels, one after the other, on buffers that both use. */
#include "kit.h"

static const char* const source =
    "kernel void rows(global float* a, global float* x, global float* t, int w, int h) {"
    "  int i = get_global_id(0); if (i >= h) return;"
    "  float sum = 0; for (int j = 0; j < w; ++j) sum += a[i * w + j] * x[j]; t[i] = sum; }"
    "kernel void columns(global float* a, global float* t, global float* y, int w, int h) {"
    "  int j = get_global_id(0); if (j >= w) return;"
    "  float sum = 0; for (int i = 0; i < h; ++i) sum += a[i * w + j] * t[i]; y[j] = sum; }";

int main(int argc, char** argv) {
    const int w = size_of_run(argc, argv, 40), h = w + 13;
    setup s = make_setup(source, NULL);
    unsigned state = 7;
    float *a = malloc(sizeof(float) * w * h), *x = malloc(sizeof(float) * w),
          *y = malloc(sizeof(float) * w);
    double* t = calloc(h, sizeof(double));
    for (int i = 0; i < w * h; ++i) a[i] = next_float(&state);
    for (int j = 0; j < w; ++j) x[j] = next_float(&state) - 0.5f;
    cl_mem A = make_buffer(&s, CL_MEM_READ_ONLY, sizeof(float) * w * h, NULL);
    cl_mem X = make_buffer(&s, CL_MEM_READ_ONLY, sizeof(float) * w, NULL);
    cl_mem T = make_buffer(&s, CL_MEM_READ_WRITE, sizeof(float) * h, NULL);
    cl_mem Y = make_buffer(&s, CL_MEM_WRITE_ONLY, sizeof(float) * w, NULL);
    CHECK(clEnqueueWriteBuffer(s.queue, A, CL_FALSE, 0, sizeof(float) * w * h, a, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(s.queue, X, CL_TRUE, 0, sizeof(float) * w, x, 0, NULL, NULL));
    const cl_mem uses[2][3] = {{A, X, T}, {A, T, Y}};
    const char* const names[2] = {"rows", "columns"};
    for (int k = 0; k < 2; ++k) {
        cl_kernel kernel = make_kernel(&s, names[k]);
        for (int i = 0; i < 3; ++i) set_buffer(kernel, i, uses[k][i]);
        set_int(kernel, 3, w);
        set_int(kernel, 4, h);
        run_1d(&s, kernel, (h + 31) / 32 * 32, 32);
        CHECK(clReleaseKernel(kernel)); /* the launch keeps it */
    }
    read_all(&s, Y, y, sizeof(float) * w);
    int wrong = 0;
    for (int i = 0; i < h; ++i)
        for (int j = 0; j < w; ++j) t[i] += (double)a[i * w + j] * x[j];
    for (int j = 0; j < w; ++j) {
        double sum = 0;
        for (int i = 0; i < h; ++i) sum += a[i * w + j] * t[i];
        wrong += !near(y[j], (float)sum, 1e-3f);
    }
    return verdict(wrong);
}
