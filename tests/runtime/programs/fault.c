// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A kernel that writes beside its buffer; then all again, with a context of its own. */
#include "kit.h"

static const char* const source =
    "kernel void wrong(global int* v) {\n"
    "  if (get_global_id(0) == 0) printf(\"before\\n\");\n"
    "  v[get_global_id(0) + 1000] = 1;\n"
    "}\n"
    "kernel void right(global int* v) { v[get_global_id(0)] = 1; }";

int main(void) {
    const char* const names[2] = {"wrong", "right"};
    for (int round = 0; round < 2; ++round) {
        setup s = make_setup(source, "");
        cl_kernel kernel = make_kernel(&s, names[round]);
        cl_mem v = make_buffer(&s, 0, 64 * sizeof(int), NULL);
        set_buffer(kernel, 0, v);
        run_1d(&s, kernel, 32, 0);
        printf("%s: %d\n", names[round], (int)clFinish(s.queue));
    }
    return 7;
}
