// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "models/base/error.h"
#include "models/program/kernel_signature.h"
#include "models/program/soft_double.h"
#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

using isa::opcode;
using testing::HasSubstr;
using kind = kernel_parameter::kind;

image load_opencl(const std::string& text) {
    return image::load(compile_text(text, "kernel.cl"));
}

TEST(opencl, built_ins_become_instructions) {
    const image program = load_opencl(R"(
__constant float weights[4] = {1, 2, 3, 4};
__kernel void k(__global const float* in, __global float* out, uint n) {
    size_t i = get_global_id(0);
    if (i < n) out[i] = sqrt(in[i]) * weights[i & 3] + native_exp(in[i + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add((volatile __global int*)out, 1);
    atomic_cmpxchg((volatile __global int*)out, 1, 2);
}
)");
    const auto& k = program.get_kernel("k");
    EXPECT_FALSE(k.calls_indirectly);
    std::multiset<opcode> code;
    for (const auto& i : instructions_of(program, k, "k")) {
        EXPECT_FALSE(i.is_call());  // all inlined
        code.insert(i.op);
    }
    for (const opcode op :
         {opcode::fsqrt_s, opcode::ex2_s, opcode::barrier, opcode::amoadd_w, opcode::amocas_w}) {
        EXPECT_EQ(code.count(op), 1u) << isa::mnemonic(op);
    }
    EXPECT_GE(code.count(opcode::csrrs), 3u);
}

TEST(opencl, local_arrays_are_shared_memory_of_their_kernel) {
    const image program = load_opencl(R"(
kernel void large(__global int* p) {
    local int part[256];
    part[get_local_id(0)] = p[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_local_id(0)] = part[255 - get_local_id(0)];
}
kernel void small(__global int* p) {
    local int part[8];
    part[get_local_id(0)] = p[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_local_id(0)] = part[7 - get_local_id(0)];
}
)");
    EXPECT_EQ(program.get_kernel("large").static_shared_bytes, 1024u);
    EXPECT_EQ(program.get_kernel("small").static_shared_bytes, 32u);
}

// The compiler puts objects of 8 bytes or less into another section than large ones.
TEST(opencl, small_local_objects_are_shared_memory) {
    std::string text, all, first, then;
    std::map<std::string, unsigned> sizes;
    unsigned total = 0;
    for (const auto& [scalar, bytes] :
         {std::pair{"char", 1U}, std::pair{"uchar", 1U}, std::pair{"short", 2U},
          std::pair{"ushort", 2U}, std::pair{"int", 4U}, std::pair{"uint", 4U},
          std::pair{"float", 4U}, std::pair{"long", 8U}, std::pair{"ulong", 8U}}) {
        for (const unsigned elements : {1U, 2U, 4U, 8U, 16U}) {
            const std::string type = scalar + (elements == 1 ? "" : std::to_string(elements));
            sizes[type] = elements * bytes;
        }
    }
    for (const auto& [type, bytes] : sizes) {
        text += "kernel void k_" + type + "(__global " + type + "* p) { local " + type +
                " s; if (get_local_id(0) == 0) s = p[0]; barrier(CLK_LOCAL_MEM_FENCE);"
                " p[get_local_id(0)] = s; }\n";
        all += "local " + type + " s_" + type + "; ";
        first += "s_" + type + " = (" + type + ")p[0];\n";
        then += "p[get_local_id(0)] += ((volatile local char*)&s_" + type + ")[0];\n";
        total += bytes;
    }
    text += "kernel void together(__global int* p) {\n" + all + first +
            "barrier(CLK_LOCAL_MEM_FENCE);\n" + then + "}\n";
    const image program = load_opencl(text);
    const unsigned together = program.get_kernel("together").static_shared_bytes;
    EXPECT_GE(together, total);
    EXPECT_LT(together, total + 45 * 128) << "and what alignment takes";
    for (const auto& [type, bytes] : sizes) {
        EXPECT_EQ(program.get_kernel("k_" + type).static_shared_bytes, bytes) << type;
    }
}

TEST(opencl, local_pointers_are_sized_by_the_host) {
    const image program = load_opencl(R"(
__kernel void k(__global float* p, __local float* scratch, float4 v, uchar c) {
    scratch[get_local_id(0)] = p[c];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_local_id(0)] = scratch[0] + v.y;
}
__kernel void plain(__global float* p, __global float* q) { p[0] = q[0]; }
)");
    const auto& parameters = program.get_kernel("k").parameters;
    ASSERT_EQ(parameters.size(), 4u);
    EXPECT_EQ(parameters[0].what, kind::pointer);
    EXPECT_EQ(parameters[1].what, kind::local_pointer);
    EXPECT_EQ(parameters[1].name, "scratch");
    EXPECT_EQ(parameters[2].what, kind::aggregate);
    EXPECT_EQ(parameters[2].offset, 16u);
    EXPECT_EQ(parameters[2].size, 16u);
    EXPECT_EQ(parameters[3].offset, 32u);
    EXPECT_EQ(program.get_kernel("plain").parameters[1].what, kind::pointer);
}

TEST(opencl, address_spaces_are_read_from_the_ir) {
    const auto read = read_opencl_parameters(
        "define dso_local spir_kernel void @a(ptr %0) #0 !kernel_arg_addr_space !7 {\n"
        "define dso_local spir_kernel void @b(ptr %0) #0 !kernel_arg_addr_space !7 !x !3 "
        "!kernel_arg_type !4 !kernel_arg_type_qual !5 {\n"
        "define dso_local spir_kernel void @c() #0 !kernel_arg_addr_space !8 {\n"
        "!4 = !{!\"struct pair*\", !\"int\"}\n"
        "!5 = !{!\"\", !\"restrict const\"}\n"
        "!7 = !{i32 1, i32 3}\n"
        "!8 = !{}\n");
    using space = opencl_parameter::space;
    ASSERT_EQ(read.size(), 3u);
    for (const char* const kernel : {"a", "b"}) {
        ASSERT_EQ(read.at(kernel).size(), 2u);
        EXPECT_EQ(read.at(kernel)[0].where, space::global);
        EXPECT_EQ(read.at(kernel)[1].where, space::local);
    }
    EXPECT_EQ(read.at("b")[0].type, "struct pair*");
    EXPECT_EQ(read.at("b")[0].qualifiers, "");
    EXPECT_EQ(read.at("b")[1].type, "int");
    EXPECT_EQ(read.at("b")[1].qualifiers, "restrict const");
    EXPECT_TRUE(read.at("c").empty());
    EXPECT_TRUE(read_opencl_parameters("").empty());
}

TEST(opencl, a_kernel_table_without_sense_is_refused) {
    const std::string head = "kernel k 8\nparameter pointer 0 4 a float *\n";
    const auto entry = parse_kernel_table(
        head + "opencl 2 none 2 restrict const struct a*\nbase struct b*\n", "k.elf");
    const opencl_parameter& text = *entry.at(0).parameters.at(0).opencl;
    EXPECT_EQ(text.where, opencl_parameter::space::constant);
    EXPECT_EQ(text.qualifiers, "restrict const");
    EXPECT_EQ(text.type, "struct a*");
    EXPECT_EQ(text.base_type, "struct b*");
    for (const char* const line :
         {"opencl 4 none 0 int", "opencl 1", "opencl 1 none 3 a", "base a", "opencl 1 none"}) {
        EXPECT_THROW((void)parse_kernel_table(head + line + "\n", "k.elf"), configuration_error)
            << line;
    }
}

TEST(opencl, functions_of_double_precision_are_known) {
    const image program = load_opencl(R"(
__kernel void d(__global double* p) { p[0] = fma(p[1], p[2], floor(p[3]) / (double)p[4]); }
__kernel void f(__global float* p) { p[0] = p[1] * p[2]; }
__kernel void whole(__global long* p) { p[0] = p[1] / p[2]; }
)");
    const kernel& d = program.get_kernel("d");
    EXPECT_TRUE(d.soft_double);
    EXPECT_FALSE(program.get_kernel("f").soft_double);
    EXPECT_FALSE(program.get_kernel("whole").soft_double);
    for (const symbol& each : program.symbols()) {
        if (!each.function || each.size < 4 || !d.code.contains(each.address)) continue;
        const bool soft = each.name == "fma" || each.name == "floor" || each.name == "trunc" ||
                          each.name.find("df") != std::string::npos;
        const std::size_t last = d.code.index(each.address) + each.size / 4 - 1;
        EXPECT_EQ((d.code.flags[d.code.index(each.address)] & soft_double) != 0, soft) << each.name;
        EXPECT_EQ((d.code.flags[last] & soft_double) != 0, soft) << each.name;
    }
    EXPECT_NE(program.find_symbol("__divdf3"), nullptr);
    for (const char* const name : {"__divdf3", "__fixunsdfsi", "__df_rounded", "sqrt"}) {
        EXPECT_TRUE(is_soft_double(name)) << name;
    }
    for (const char* const name : {"__divdi3", "__extendhfsf2", "_Z5floord", "floorf", "dfs"}) {
        EXPECT_FALSE(is_soft_double(name)) << name;
    }
}

TEST(opencl, a_required_block_is_read) {
    const image program = load_opencl(R"(
__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed(__global int* p) {
    p[get_global_id(0)] = 1;
}
__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void same(__global int* p) { p[0] = 1; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void other(__global int* p) { p[0] = 1; }
__kernel __attribute__((work_group_size_hint(16, 1, 1))) void any(__global int* p) { p[0] = 1; }
)");
    EXPECT_EQ(program.get_kernel("fixed").required_block, (dim3{8, 4, 1}));
    EXPECT_EQ(program.get_kernel("same").required_block, (dim3{8, 4, 1}));
    EXPECT_EQ(program.get_kernel("other").required_block, (dim3{64, 1, 1}));
    EXPECT_EQ(program.get_kernel("any").required_block, std::nullopt);
    EXPECT_THROW((void)parse_kernel_table("kernel k 0\nblock 8 4\n", "k.elf"), configuration_error);
}

TEST(opencl, compiler_errors_pass_through) {
    EXPECT_THAT(compile_error("__kernel void k(__global int* p) { p[0] = nothing; }", "bad.cl"),
                HasSubstr("undeclared identifier 'nothing'"));
}

TEST(opencl, a_kernel_table_goes_with_c_plus_plus_objects) {
    const auto cl = write_source("one.cl", "__kernel void one(__global int* p) { p[0] = 1; }");
    const auto cpp =
        write_source("two.cpp", "#include <heddle.h>\n__global__ void two(int* p) { p[0] = 2; }");
    const auto output = scratch_file("mixed.elf");
    EXPECT_THAT(compile({cl, cpp}, output).kernels, testing::ElementsAre("one", "two"));
    EXPECT_EQ(image::load(output).kernels().size(), 2u);
}

}  // namespace
}  // namespace heddle::program::test
