// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A program compiled in two parts with a header, linked, saved and loaded as a binary. */
#include "kit.h"

static const char* const header_text = "int twice(int x);\n";
static const char* const library_text = "#include \"twice.h\"\nint twice(int x) { return 2 * x; }\n";
static const char* const kernel_text =
    "#include \"twice.h\"\n"
    "kernel void k(global int* v) { v[get_global_id(0)] = twice(get_global_id(0)) + MORE; }\n";

static cl_program from_text(const setup* s, const char* text) {
    cl_int code;
    const cl_program program = clCreateProgramWithSource(s->context, 1, &text, NULL, &code);
    CHECK(code);
    return program;
}

static int run(const setup* s, cl_program program, int n) {
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    CHECK(code);
    int* const v = malloc(sizeof(int) * n);
    cl_mem V = make_buffer(s, 0, sizeof(int) * n, NULL);
    set_buffer(kernel, 0, V);
    run_1d(s, kernel, n, 0);
    read_all(s, V, v, sizeof(int) * n);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += v[i] != 2 * i + 5;
    return wrong;
}

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 40);
    setup s = make_setup("kernel void nothing() {}", "");
    const cl_program header = from_text(&s, header_text);
    const cl_program parts[2] = {from_text(&s, library_text), from_text(&s, kernel_text)};
    const char* name = "twice.h";
    CHECK(clCompileProgram(parts[0], 1, &s.device, "", 1, &header, &name, NULL, NULL));
    CHECK(clCompileProgram(parts[1], 1, &s.device, "-DMORE=5", 1, &header, &name, NULL, NULL));
    cl_int code, status;
    const cl_program linked =
        clLinkProgram(s.context, 1, &s.device, "", 2, parts, NULL, NULL, &code);
    CHECK(code);
    int wrong = run(&s, linked, n);
    size_t size;
    CHECK(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char* const binary = malloc(size);
    CHECK(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof binary, (void*)&binary, NULL));
    const unsigned char* const given = binary;
    CHECK(clReleaseProgram(linked));
    const cl_program again =
        clCreateProgramWithBinary(s.context, 1, &s.device, &size, (const unsigned char**)&given,
                                  &status, &code);
    CHECK(code);
    CHECK(status);
    CHECK(clBuildProgram(again, 1, &s.device, "", NULL, NULL));
    return verdict(wrong + run(&s, again, n));
}
