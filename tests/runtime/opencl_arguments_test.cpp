// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What clGetKernelArgInfo tells.
#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

struct argument_info {
    const char* name;
    const char* type;
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier qualifiers;
    cl_kernel_arg_access_qualifier access;
};

constexpr cl_kernel_arg_type_qualifier plain = CL_KERNEL_ARG_TYPE_NONE;
constexpr cl_kernel_arg_access_qualifier no_access = CL_KERNEL_ARG_ACCESS_NONE;

constexpr const char* source = R"(
typedef struct { int a; float b; } pair_t;
struct triple { int a[3]; };
typedef image2d_t picture;
typedef unsigned int* words;
kernel void k(global const float* restrict a, constant int4* b, local volatile uint* c,
              write_only image2d_t d, read_only picture e, sampler_t f, const pair_t g,
              unsigned int h, global pair_t* i, global unsigned char* j, const int k,
              global void* restrict l, global volatile const struct triple* m, float16 n,
              constant struct triple* restrict o, double p) {}
kernel void none() {}
kernel void other(local float* constant_restrict, global int* const volatile_const) {}
)";

constexpr argument_info of_k[] = {
    {"a", "float*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
     CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, no_access},
    {"b", "int4*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST, no_access},
    {"c", "uint*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_VOLATILE, no_access},
    {"d", "image2d_t", CL_KERNEL_ARG_ADDRESS_GLOBAL, plain, CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
    {"e", "picture", CL_KERNEL_ARG_ADDRESS_GLOBAL, plain, CL_KERNEL_ARG_ACCESS_READ_ONLY},
    {"f", "sampler_t", CL_KERNEL_ARG_ADDRESS_PRIVATE, plain, no_access},
    {"g", "pair_t", CL_KERNEL_ARG_ADDRESS_PRIVATE, plain, no_access},
    {"h", "uint", CL_KERNEL_ARG_ADDRESS_PRIVATE, plain, no_access},
    {"i", "pair_t*", CL_KERNEL_ARG_ADDRESS_GLOBAL, plain, no_access},
    {"j", "uchar*", CL_KERNEL_ARG_ADDRESS_GLOBAL, plain, no_access},
    {"k", "int", CL_KERNEL_ARG_ADDRESS_PRIVATE, plain, no_access},
    {"l", "void*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_RESTRICT, no_access},
    {"m", "struct triple*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
     CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_VOLATILE, no_access},
    {"n", "float16", CL_KERNEL_ARG_ADDRESS_PRIVATE, plain, no_access},
    {"o", "struct triple*", CL_KERNEL_ARG_ADDRESS_CONSTANT,
     CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, no_access},
    {"p", "double", CL_KERNEL_ARG_ADDRESS_PRIVATE, plain, no_access}};

constexpr argument_info of_other[] = {
    {"constant_restrict", "float*", CL_KERNEL_ARG_ADDRESS_LOCAL, plain, no_access},
    {"volatile_const", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, plain, no_access}};

class opencl_arguments : public opencl_test {
protected:
    template <class T>
    T of(cl_kernel kernel, std::size_t index, cl_kernel_arg_info name) {
        T found = 77;
        EXPECT_EQ(clGetKernelArgInfo(kernel, static_cast<cl_uint>(index), name, sizeof found,
                                     &found, nullptr),
                  CL_SUCCESS);
        return found;
    }
    std::string text_of(cl_kernel kernel, std::size_t index, cl_kernel_arg_info name) {
        char text[100] = "";
        std::size_t size = 0;
        EXPECT_EQ(
            clGetKernelArgInfo(kernel, static_cast<cl_uint>(index), name, sizeof text, text, &size),
            CL_SUCCESS);
        EXPECT_EQ(size, std::string(text).size() + 1);
        return text;
    }
    template <std::size_t Count>
    void expect(cl_kernel kernel, const argument_info (&all)[Count]) {
        for (std::size_t i = 0; i < Count; ++i) {
            SCOPED_TRACE(all[i].name);
            EXPECT_EQ(text_of(kernel, i, CL_KERNEL_ARG_NAME), all[i].name);
            EXPECT_EQ(text_of(kernel, i, CL_KERNEL_ARG_TYPE_NAME), all[i].type);
            EXPECT_EQ(of<cl_uint>(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER), all[i].address);
            EXPECT_EQ(of<cl_uint>(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER), all[i].access);
            EXPECT_EQ(of<cl_ulong>(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER), all[i].qualifiers);
        }
        EXPECT_EQ(clGetKernelArgInfo(kernel, Count, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr),
                  CL_INVALID_ARG_INDEX);
    }
};

TEST_F(opencl_arguments, are_told_as_the_source_has_them) {
    const cl_program program = built(source);
    expect(kernel(program, "k"), of_k);
    expect(kernel(program, "other"), of_other);
}

TEST_F(opencl_arguments, are_told_of_a_binary_too) {
    const cl_program program = built(source);
    std::size_t size = 0;
    ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
              CL_SUCCESS);
    std::vector<unsigned char> bytes(size);
    unsigned char* place = bytes.data();
    ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr),
              CL_SUCCESS);
    const unsigned char* given = bytes.data();
    const cl_program again =
        clCreateProgramWithBinary(context, 1, &device, &size, &given, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    ASSERT_EQ(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    expect(kernel(again, "k"), of_k);
}

TEST_F(opencl_arguments, take_images_and_samplers_behind_typedefs) {
    const cl_kernel k = kernel(built(source), "k");
    const cl_mem plain_buffer = buffer(16);
    EXPECT_EQ(clSetKernelArg(k, 4, sizeof plain_buffer, &plain_buffer), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clSetKernelArg(k, 8, sizeof plain_buffer, &plain_buffer), CL_SUCCESS);
}

}  // namespace
}  // namespace heddle
