// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* A program of the years of OpenCL 1.0: looks for a processor first, then for a GPU; kernels in a
   file that includes another, built with -I and -D; atomics by their extension, packed structures,
   markers and waits in a queue. */
#include <sys/stat.h>
#include <unistd.h>

#include "kit.h"

static const char* const header =
    "#ifndef SHAPES_H\n#define SHAPES_H\n"
    "#ifdef __OPENCL_VERSION__\ntypedef uint word;\n#endif\n"
    "typedef struct __attribute__((packed)) { char kind; float weight; short extra; } "
    "packed_item;\n"
    "typedef struct { float4 place; float mass; int unused[3]; } body;\n"
    "constant int2 offsets[2] = {(int2)(1, 2), (int2)(3, 4)};\n"
    "#endif\n";

static const char* const kernels =
    "#pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable\n"
    "#include \"shapes.h\"\n"
    "float all_of(float4 v) { return v.x + 10 * v.s1 + 100 * v.hi.x + 1000 * v.odd.y; }\n"
    "__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))\n"
    "void count(__global const uchar* in, __global word* out, __local word* bins, int n,\n"
    "           __constant int* map) {\n"
    "  for (int i = get_local_id(0); i < BINS; i += GROUP) bins[i] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "    atom_inc(&bins[map[in[i] % BINS]]);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  for (int i = get_local_id(0); i < BINS; i += GROUP) atom_add(&out[i], bins[i]);\n"
    "}\n"
    "__kernel void move(__global packed_item* items, __global body* bodies, const packed_item by,\n"
    "                   __global float* sums) {\n"
    "  size_t i = get_global_id(0);\n"
    "  items[i].weight += by.weight + by.extra;\n"
    "  items[i].kind = by.kind;\n"
    "  bodies[i].place.w = bodies[i].mass + offsets[i & 1].y;\n"
    "  sums[i] = all_of(bodies[i].place.wzyx) + vload4(i, (__global float*)bodies).y +\n"
    "            convert_float(convert_uchar_sat(300.0f)) + sizeof(packed_item);\n"
    "}\n";

struct __attribute__((packed)) item {
    char kind;
    float weight;
    short extra;
};

struct body {
    float place[4];
    float mass;
    int unused[3];
};

static void write_text(const char* name, const char* text) {
    FILE* const file = fopen(name, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) exit(2);
}

static cl_context context_of_somebody(void) {
    cl_platform_id platforms[8];
    cl_device_id device;
    cl_uint count = 0, devices = 0;
    cl_int code;
    CHECK(clGetPlatformIDs(8, platforms, &count));
    for (cl_uint i = 0; i < count; ++i) {
        code = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, &devices);
        if (code == CL_SUCCESS || code != CL_DEVICE_NOT_FOUND) exit(2);
    }
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)platforms[0], 0};
    const cl_context context =
        clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &code);
    CHECK(code);
    return context;
}

int main(int argc, char** argv) {
    const size_t n = size_of_run(argc, argv, 90);
    char folder[] = "/tmp/old_style_XXXXXX", name[64], options[200];
    if (mkdtemp(folder) == NULL) return 2;
    snprintf(name, sizeof name, "%s/shapes.h", folder);
    write_text(name, header);

    cl_int code;
    setup s;
    size_t bytes;
    s.context = context_of_somebody();
    CHECK(clGetContextInfo(s.context, CL_CONTEXT_DEVICES, sizeof s.device, &s.device, &bytes));
    s.queue = clCreateCommandQueue(s.context, s.device, 0, &code);
    CHECK(code);
    cl_command_queue second = clCreateCommandQueue(s.context, s.device, 0, &code);
    CHECK(code);
    /* Two texts, the first with its length. */
    const char* const texts[2] = {kernels,
                                  "__kernel void last(__global int* x) { x[0] = LAST; }\n"};
    const size_t lengths[2] = {strlen(kernels), 0};
    s.program = clCreateProgramWithSource(s.context, 2, (const char**)texts, lengths, &code);
    CHECK(code);
    snprintf(options, sizeof options,
             " -I %s -DGROUP=32 -D BINS=16 -DLAST=\"(40 + 2)\" -cl-mad-enable ", folder);
    code = clBuildProgram(s.program, 0, NULL, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(s.program, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("<<<<\n%s\n>>>>\n", log);
    }
    CHECK(code);
    unlink(name);
    rmdir(folder);

    unsigned char* in = malloc(n);
    int map[16], wrong = 0, count = (int)n;
    cl_uint expected[16] = {0}, found[16], zeros[16] = {0};
    for (int i = 0; i < 16; ++i) map[i] = 15 - i;
    for (size_t i = 0; i < n; ++i) {
        in[i] = (unsigned char)(i * 7 + i / 3);
        ++expected[15 - in[i] % 16];
    }
    cl_mem in_d = make_buffer(&s, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n, in);
    cl_mem map_d = make_buffer(&s, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof map, map);
    cl_mem out_d = make_buffer(&s, CL_MEM_READ_WRITE, sizeof found, NULL);
    CHECK(clEnqueueWriteBuffer(s.queue, out_d, 1, 0, sizeof zeros, zeros, 0, 0, 0));
    cl_kernel kernel = make_kernel(&s, "count");
    CHECK(clSetKernelArg(kernel, 0, sizeof(void*), (void*)&in_d));
    CHECK(clSetKernelArg(kernel, 1, sizeof(void*), (void*)&out_d));
    CHECK(clSetKernelArg(kernel, 2, 16 * sizeof(cl_uint), NULL));
    CHECK(clSetKernelArg(kernel, 3, sizeof(cl_int), (void*)&count));
    CHECK(clSetKernelArg(kernel, 4, sizeof(void*), (void*)&map_d));
    const size_t local[3] = {32, 1, 1}, global[3] = {64, 1, 1};
    CHECK(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, global, local, 0, 0, 0));
    cl_event marker;
    CHECK(clEnqueueBarrier(s.queue));
    CHECK(clEnqueueMarker(s.queue, &marker));
    CHECK(clFlush(s.queue));
    CHECK(clEnqueueWaitForEvents(second, 1, &marker));
    CHECK(clEnqueueReadBuffer(second, out_d, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (int i = 0; i < 16; ++i) wrong += found[i] != expected[i];

    enum { items = 10 };
    struct item list[items], by = {'b', 0.5f, 7};
    struct body bodies[items];
    float sums[items];
    memset(bodies, 0, sizeof bodies);
    for (int i = 0; i < items; ++i) {
        list[i] = (struct item){'a', i, 3};
        bodies[i].place[0] = i;
        bodies[i].mass = 2 * i;
    }
    cl_mem list_d = make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof list, list);
    cl_mem bodies_d = make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof bodies, bodies);
    cl_mem sums_d = make_buffer(&s, CL_MEM_WRITE_ONLY, sizeof sums, NULL);
    cl_kernel move = make_kernel(&s, "move");
    set_buffer(move, 0, list_d);
    set_buffer(move, 1, bodies_d);
    CHECK(clSetKernelArg(move, 2, sizeof by, &by));
    set_buffer(move, 3, sums_d);
    const size_t all = items;
    CHECK(clEnqueueNDRangeKernel(s.queue, move, 1, NULL, &all, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(s.queue, list_d, CL_FALSE, 0, sizeof list, list, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(s.queue, sums_d, CL_FALSE, 0, sizeof sums, sums, 0, NULL, NULL));
    CHECK(clFinish(s.queue));
    for (int i = 0; i < items; ++i) {
        const float w = 2 * i + (i % 2 ? 4 : 2);
        /* w z y x: the first, the second ten times, and so on; y of the third pair is x. */
        wrong += sums[i] != w + 1000.0f * i + 255 + 7;
        wrong += list[i].kind != 'b' || list[i].weight != i + 7.5f || list[i].extra != 3;
    }

    cl_kernel last = make_kernel(&s, "last");
    cl_int answer = 0;
    set_buffer(last, 0, out_d);
    CHECK(clEnqueueTask(s.queue, last, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(s.queue, out_d, CL_TRUE, 0, sizeof answer, &answer, 0, NULL, NULL));
    wrong += answer != 42;
    clReleaseEvent(marker);
    clReleaseCommandQueue(second);
    end_setup(&s);
    printf("%d wrong\n%s\n", wrong, wrong ? "wrong" : "correct");
    return wrong != 0;
}
