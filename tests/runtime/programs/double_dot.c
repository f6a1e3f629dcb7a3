// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Double precision, which the device has to offer. */
#include "kit.h"

static const char* const source =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "kernel void dot(global const double* a, global const double* b, global double* c) {"
    "  int i = get_global_id(0); c[i] = a[i] * b[i] + 1.0 / 3.0; }";

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 48);
    setup s = make_setup(source, "");
    static char extensions[4000];
    CHECK(clGetDeviceInfo(s.device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    int wrong = strstr(extensions, "cl_khr_fp64") == NULL;
    double *a = malloc(sizeof(double) * n), *b = malloc(sizeof(double) * n),
           *c = malloc(sizeof(double) * n);
    unsigned state = 12;
    for (int i = 0; i < n; ++i) {
        a[i] = next_random(&state) / 7.0;
        b[i] = next_random(&state) / 11.0;
    }
    cl_kernel dot = make_kernel(&s, "dot");
    set_buffer(dot, 0, make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(double) * n, a));
    set_buffer(dot, 1, make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(double) * n, b));
    cl_mem C = make_buffer(&s, 0, sizeof(double) * n, NULL);
    set_buffer(dot, 2, C);
    run_1d(&s, dot, n, 0);
    read_all(&s, C, c, sizeof(double) * n);
    for (int i = 0; i < n; ++i) {
        const double exact = a[i] * b[i] + 1.0 / 3.0;
        wrong += fabs(c[i] - exact) > 1e-14 * exact;
    }
    return verdict(wrong);
}
