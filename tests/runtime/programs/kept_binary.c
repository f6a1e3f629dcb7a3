// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Keeps its program's binary in a file, as programs do that start faster the second time: a second
   process, this program again, has the binary only. */
#include <sys/wait.h>
#include <unistd.h>

#include "kit.h"

static const char* const source =
    "__constant float weights[3] = {0.25f, 0.5f, 0.25f};"
    "float weigh(global const float* v, int i) {"
    "  return weights[0] * v[i - 1] + weights[1] * v[i] + weights[2] * v[i + 1]; }"
    "kernel void smooth(global const float* from, global float* to) {"
    "  int i = get_global_id(0) + 1; to[i] = weigh(from, i); }";

static unsigned char* read_file(const char* name, size_t* size) {
    FILE* const file = fopen(name, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char* const bytes = malloc(*size);
    if (fread(bytes, 1, *size, file) != *size) *size = 0;
    fclose(file);
    return bytes;
}

static void write_binary(cl_program program, const char* name) {
    size_t size;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char* const bytes = malloc(size);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, (void*)&bytes, NULL));
    FILE* const file = fopen(name, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size) exit(2);
    fclose(file);
}

static int smooth(setup* s, int n) {
    float *from = malloc(sizeof(float) * (n + 2)), *to = calloc(n + 2, sizeof(float));
    for (int i = 0; i < n + 2; ++i) from[i] = (float)(i * i % 17);
    cl_mem F = make_buffer(s, CL_MEM_COPY_HOST_PTR, sizeof(float) * (n + 2), from);
    cl_mem T = make_buffer(s, CL_MEM_COPY_HOST_PTR, sizeof(float) * (n + 2), to);
    cl_kernel kernel = make_kernel(s, "smooth");
    set_buffer(kernel, 0, F);
    set_buffer(kernel, 1, T);
    run_1d(s, kernel, n, 0);
    read_all(s, T, to, sizeof(float) * (n + 2));
    int wrong = 0;
    for (int i = 1; i <= n; ++i) {
        wrong += to[i] != 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
    }
    return wrong;
}

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 50);
    if (argc > 2) {
        size_t size;
        unsigned char* const bytes = read_file(argv[2], &size);
        if (bytes == NULL) return 2;
        setup s = make_setup("kernel void other(global int* v) { v[0] = 1; }", "");
        cl_int status, code;
        const cl_program other = s.program;
        s.program = clCreateProgramWithBinary(s.context, 1, &s.device, &size,
                                              (const unsigned char**)&bytes, &status, &code);
        CHECK(code);
        CHECK(status);
        CHECK(clBuildProgram(s.program, 0, NULL, NULL, NULL, NULL));
        const int wrong = smooth(&s, n);
        CHECK(clReleaseProgram(other));
        /* Half of a file is no program. */
        size /= 2;
        const cl_program half = clCreateProgramWithBinary(
            s.context, 1, &s.device, &size, (const unsigned char**)&bytes, &status, &code);
        return wrong + (code != CL_INVALID_BINARY || half != NULL) != 0;
    }
    char name[] = "/tmp/heddle-binary-XXXXXX", size[20];
    if (close(mkstemp(name)) != 0) return 2;
    setup s = make_setup(source, "");
    write_binary(s.program, name);
    int wrong = smooth(&s, n);
    snprintf(size, sizeof size, "%d", n + 3);
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", argv[0], size, name, (char*)NULL);
        _exit(3);
    }
    int status = -1;
    waitpid(child, &status, 0);
    wrong += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    unlink(name);
    return verdict(wrong);
}
