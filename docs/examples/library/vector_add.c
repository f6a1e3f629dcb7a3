// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle/heddle.h>
#include <stdio.h>

enum { N = 1000 };

static int failed(heddle_machine* m, heddle_status status) {
    if (status != HEDDLE_OK) fprintf(stderr, "vector_add: %s\n", heddle_error_text(m));
    return status != HEDDLE_OK;
}

int main(int argc, char** argv) {
    heddle_options options = {.size = sizeof options, .configuration = "gk110"};
    heddle_shape shape = {.size = sizeof shape, .grid = {(N + 255) / 256}, .block = {256}};
    heddle_statistic cycles = {.size = sizeof cycles};
    heddle_machine* m = NULL;
    float values[N];
    uint32_t a, b, sum;
    for (int i = 0; i < N; ++i) values[i] = (float)i;
    if (failed(m, heddle_create(&options, &m)) ||
        failed(m, heddle_load(m, argc > 1 ? argv[1] : "vector_add.cpp")) ||
        failed(m, heddle_allocate(m, sizeof values, "a", &a)) ||
        failed(m, heddle_allocate(m, sizeof values, "b", &b)) ||
        failed(m, heddle_allocate(m, sizeof values, "sum", &sum)) ||
        failed(m, heddle_write(m, a, values, sizeof values)) ||
        failed(m, heddle_write(m, b, values, sizeof values)))
        return 1;
    heddle_argument arguments[] = {heddle_integer(N), heddle_pointer(a), heddle_pointer(b),
                                   heddle_pointer(sum)};
    if (failed(m, heddle_launch(m, "vector_add", &shape, arguments, 4)) ||
        failed(m, heddle_read(m, values, sum, sizeof values)) ||
        failed(m, heddle_find_statistic(m, "gpu.cycles", &cycles)))
        return 1;
    printf("sum[%d] = %g after %.0f cycles\n", N - 1, values[N - 1], cycles.value);
    return failed(NULL, heddle_close(m));
}
