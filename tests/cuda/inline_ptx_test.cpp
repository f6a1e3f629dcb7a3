// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// PTX in asm statements of device code.
#include "models/program/inline_ptx.h"

#include <gmock/gmock.h>

#include <cmath>

#include "command/nvcc/nvcc_command.h"
#include "models/program/ptx_statement.h"
#include "tests/cuda/cuda_kernels.h"
#include "tests/cuda/intrinsic_check.h"
#include "tests/program/compiled_program.h"

namespace heddle::cuda::test {
namespace {

using testing::HasSubstr;

/// One statement of x, y, z to `r`.
intrinsic instruction(const std::string& text, std::function<u64(u32, u32, u32)> exact,
                      const char* result = "=r") {
    const std::string type = std::string(result) == "=f" ? "float" : "unsigned";
    const std::string operands = std::string("(r) : \"r\"(x), \"r\"(y), \"r\"(z)");
    return {"({ " + type + " r; asm(\"" + text + "\" : \"" + result + "\"" + operands + "); " +
                (type == "float" ? "__float_as_uint(r)" : "r") + "; })",
            std::move(exact)};
}

u32 bit_field(u32 x, u32 first, u32 length) {
    const u64 moved = first > 31 ? 0 : x >> first;
    return static_cast<u32>(moved & ((u64{1} << std::min(length, 32U)) - 1));
}

TEST(cuda_inline_ptx, instructions_are_exact) {
    check({
        instruction("add.s32 %0, %1, %2;", [](u32 x, u32 y, u32) -> u64 { return x + y; }),
        instruction("sub.u32 %0, %1, %2;", [](u32 x, u32 y, u32) -> u64 { return x - y; }),
        instruction("mad.lo.u32 %0, %1, %2, %3;",
                    [](u32 x, u32 y, u32 z) -> u64 { return x * y + z; }),
        instruction("mul.hi.s32 %0, %1, %2;",
                    [](u32 x, u32 y, u32) -> u64 {
                        return static_cast<u32>(i64{static_cast<i32>(x)} * static_cast<i32>(y) >>
                                                32);
                    }),
        instruction("mul24.lo.u32 %0, %1, %2;",
                    [](u32 x, u32 y, u32) -> u64 {
                        return static_cast<u32>(u64{x & 0xffffff} * (y & 0xffffff));
                    }),
        instruction("bfe.u32 %0, %1, %2, %3;",
                    [](u32 x, u32 y, u32 z) -> u64 { return bit_field(x, y & 255, z & 255); }),
        instruction("bfe.s32 %0, %1, 5, 9;",
                    [](u32 x, u32, u32) -> u64 {
                        return static_cast<u32>(static_cast<i32>(x << 18) >> 23);
                    }),
        instruction(
            "bfi.b32 %0, %1, %2, 6, 11;",
            [](u32 x, u32 y, u32) -> u64 { return (y & ~(0x7ffU << 6)) | (x & 0x7ff) << 6; }),
        instruction("prmt.b32 %0, %1, %2, 0x5410;",
                    [](u32 x, u32 y, u32) -> u64 { return (x & 0xffff) | y << 16; }),
        instruction("lop3.b32 %0, %1, %2, %3, 0xe8;",
                    [](u32 x, u32 y, u32 z) -> u64 { return (x & y) | (x & z) | (y & z); }),
        instruction("popc.b32 %0, %1;",
                    [](u32 x, u32, u32) -> u64 { return __builtin_popcount(x); }),
        instruction("clz.b32 %0, %1;",
                    [](u32 x, u32, u32) -> u64 { return x == 0 ? 32 : __builtin_clz(x); }),
        instruction("bfind.u32 %0, %1;",
                    [](u32 x, u32, u32) -> u64 { return x == 0 ? ~0U : 31 - __builtin_clz(x); }),
        instruction("shl.b32 %0, %1, %2;",
                    [](u32 x, u32 y, u32) -> u64 { return y > 31 ? 0 : x << y; }),
        instruction("shr.s32 %0, %1, %2;",
                    [](u32 x, u32 y, u32) -> u64 {
                        return static_cast<u32>(static_cast<i32>(x) >> std::min(y, 31U));
                    }),
        instruction("shf.l.wrap.b32 %0, %1, %2, %3;",
                    [](u32 x, u32 y, u32 z) -> u64 {
                        return static_cast<u32>((u64{y} << 32 | x) << (z & 31) >> 32);
                    }),
        instruction("min.s32 %0, %1, %2;",
                    [](u32 x, u32 y, u32) -> u64 {
                        return static_cast<u32>(std::min(static_cast<i32>(x), static_cast<i32>(y)));
                    }),
        instruction("sad.u32 %0, %1, %2, %3;",
                    [](u32 x, u32 y, u32 z) -> u64 {
                        return static_cast<u32>((x > y ? x - y : y - x) + z);
                    }),
        instruction("{ .reg .pred p<2>; setp.lt.u32 p0, %1, %2; selp.u32 %0, %2, %3, p0; }",
                    [](u32 x, u32 y, u32 z) -> u64 { return x < y ? y : z; }),
        instruction(
            "{\\n\\t.reg .pred p, q;\\n\\tsetp.ge.s32 p|q, %1, 7; // seven\\n\\tmov.u32 %0, 1;"
            "\\n\\t@p add.u32 %0, %0, %2;\\n\\t@!p sub.u32 %0, %0, %3;\\n\\t"
            "@q add.u32 %0, %0, 5; }",
            [](u32 x, u32 y, u32 z) -> u64 {
                return static_cast<i32>(x) >= 7 ? 1 + y : 1 - z + 5;
            }),
        instruction("{ .reg .u64 t; .reg .u32 h; mul.wide.u32 t, %1, %2; mov.b64 {%0, h}, t;"
                    " xor.b32 %0, %0, h; }",
                    [](u32 x, u32 y, u32) -> u64 {
                        const u64 both = u64{x} * y;
                        return static_cast<u32>(both) ^ static_cast<u32>(both >> 32);
                    }),
        instruction(
            "cvt.rn.f32.s32 %0, %1;",
            [](u32 x, u32, u32) -> u64 {
                return bits<u32>(static_cast<float>(static_cast<i32>(x)));
            },
            "=f"),
        instruction("mov.b32 %0, {%1, %2};",
                    [](u32 x, u32 y, u32) -> u64 { return (x & 0xffff) | y << 16; }),
        instruction("{ .reg .b16 at, both; mov.b32 {at, both}, %1; mov.b32 %0, {both, at}; }",
                    [](u32 x, u32, u32) -> u64 { return x << 16 | x >> 16; }),
        instruction("{ .reg .pred p; .reg .f32 n; mov.f32 n, 0f7fc00000; setp.ne.f32 p, n, n;"
                    " selp.u32 %0, %1, %2, p; }",
                    [](u32, u32 y, u32) -> u64 { return y; }),
        {"({ unsigned r; asm(\"sub.u32 %0, %0, %2;\" : \"=r\"(r) : \"0\"(x), \"r\"(y)); r; })",
         [](u32 x, u32 y, u32) -> u64 { return x - y; }},
        instruction("cvt.u32.u8 %0, %1;", [](u32 x, u32, u32) -> u64 { return x & 255; }),
    });
}

const char* const places =
    "extern \"C\" __global__ void k(unsigned* out, unsigned* in, double* d) { unsigned t = "
    "threadIdx.x, r;"
    " asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(r)); out[t] = r;"
    " asm volatile(\"mov.u32 %0, %lanemask_lt;\" : \"=r\"(r)); out[32 + t] = r;"
    " asm volatile(\"ld.global.cg.u32 %0, [%1 + 4];\" : \"=r\"(r) : \"l\"(in + t) : \"memory\"); "
    "out[64 + t] = r;"
    " asm volatile(\"shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;\" : \"=r\"(r) : \"r\"(t)); "
    "out[96 + t] = r;"
    " asm volatile(\"red.global.add.u32 [%0], %1;\" :: \"l\"(in), \"r\"(t) : \"memory\");"
    " asm volatile(\"vote.sync.ballot.b32 %0, %1, 0xffffffff;\" : \"=r\"(r) : \"r\"((t & 1) == 0 ? "
    "1 : 0));"
    " out[128 + t] = r; asm volatile(\"bar.sync 0;\"); asm volatile(\"membar.gl;\" ::: \"memory\");"
    " uint2 v; asm(\"ld.global.v2.u32 {%[a], %[b]}, [%[p]];\" : [a] \"=r\"(v.x), [b] \"=r\"(v.y) : "
    "[p] \"l\"(in + 2 * (t & 3) + 2));"
    " out[160 + t] = v.x + v.y; long long c; asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(c));"
    " if (t == 0) { out[192] = c > 0; asm(\"st.global.cs.u32 [%0], %1;\" :: \"l\"(out + 193), "
    "\"r\"(77));"
    "  asm(\"fma.rn.f64 %0, %0, %1, 0d3FF0000000000000;\" : \"+d\"(d[0]) : \"d\"(3.0)); } }\n";

TEST(cuda_inline_ptx, reaches_memory_lanes_and_special_registers) {
    cuda_kernels kernels(places);
    std::vector<u32> in(64);
    for (u32 i = 0; i < 64; ++i) in[i] = 100 * i;
    const device_buffer<u32> input(kernels.gpu(), in, "in");
    const device_buffer<u32> out(kernels.gpu(), 194, "out");
    const device_buffer<double> d(kernels.gpu(), std::vector<double>{2.0}, "d");
    kernels.run("k", {{1}, {32}}, out.get(), input.get(), d.get());
    const std::vector<u32> found = out.read();
    for (u32 t = 0; t < 32; ++t) {
        EXPECT_EQ(found[t], t);
        EXPECT_EQ(found[32 + t], (1U << t) - 1);
        EXPECT_EQ(found[64 + t], in[t + 1]);
        EXPECT_EQ(found[96 + t], t ^ 1);
        EXPECT_EQ(found[128 + t], 0x55555555U);
        EXPECT_EQ(found[160 + t], in[2 * (t & 3) + 2] + in[2 * (t & 3) + 3]);
    }
    EXPECT_EQ(found[192], 1U);
    EXPECT_EQ(found[193], 77U);
    EXPECT_EQ(input.read()[0], 496U);
    EXPECT_EQ(d.read()[0], 7.0);
}

/// The loop reads again; what is published comes behind what it stands for.
TEST(cuda_inline_ptx, orders_and_repeats_accesses) {
    using program::translate_ptx;
    const auto made = [](const char* text, bool is_volatile) {
        return translate_ptx(text, {"a", "b"}, is_volatile).value_or("");
    };
    EXPECT_THAT(made("ld.global.u32 %0, [%1];", true), HasSubstr("load_fresh"));
    EXPECT_THAT(made("ld.global.u32 %0, [%1];", false), HasSubstr("load_plain"));
    EXPECT_THAT(made("ld.global.ca.u32 %0, [%1];", true), HasSubstr("load_plain"));
    EXPECT_THAT(made("st.release.gpu.global.u32 [%0], %1;", false),
                testing::StartsWith("__threadfence(); {"));
    EXPECT_THAT(made("ld.acquire.gpu.u32 %0, [%1];", false),
                testing::EndsWith("__threadfence(); "));
    EXPECT_THAT(made("red.max.s64 [%0], %1;", false), HasSubstr("atomicMax((long long*)"));
    EXPECT_THAT(made("red.add.s64 [%0], %1;", false), HasSubstr("atomicAdd((unsigned long long*)"));
    EXPECT_THAT(program::replace_inline_ptx(
                    "asm(\"ld.global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p) : \"memory\");"),
                testing::AllOf(HasSubstr("load_fresh"), HasSubstr("::: \"memory\"")));
}

TEST(cuda_inline_ptx, that_is_not_known_is_named_with_its_line) {
    const std::string source = program::test::write_source(
        "unknown.cu",
        "__host__ void wait() { asm volatile(\"pause; nop\"); }\n"
        "extern \"C\" __global__ void k(unsigned* out) { unsigned r;\n"
        " asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(r));\n"
        " asm volatile(\"wmma.mystery.sync %0, [%1];\" : \"=r\"(*out) : \"l\"(out + r)); }\n");
    testing::internal::CaptureStderr();
    EXPECT_NE(command::nvcc({"-cubin", source, "-o", program::test::scratch_file("unknown.elf")}),
              0);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, HasSubstr("unknown.cu:4:"));
    EXPECT_THAT(said, HasSubstr("inline PTX is not known: 'wmma.mystery.sync %0, [%1];'"));
    EXPECT_THAT(said, testing::Not(HasSubstr("laneid")));
}

TEST(cuda_inline_ptx, other_assembly_and_text_stay) {
    const std::string text =
        "int printf(const char*, ...) __asm__(\"\" \"__printf\");\n"
        "const char* s = \"asm(\\\"mov.u32 %0, 1;\\\")\"; char c = '\"';\n"
        "const char* raw = R\"(asm(\"trap;\");)\"; int million = 1'000'000;\n"
        "void f() { asm volatile(\"csrr %0, 0xcd0\" : \"=r\"(x)); }\n";
    EXPECT_EQ(program::replace_inline_ptx(text), text);
    const std::string lines = program::replace_inline_ptx("asm(\"trap;\"\n\n);x\n");
    EXPECT_THAT(lines, HasSubstr("__trap(); "));
    EXPECT_THAT(lines, testing::EndsWith("} while (0)\n\n;x\n"));
}

TEST(cuda_inline_ptx, labels_and_branches_are_not_known) {
    for (const char* const text :
         {"bra L;", "L: add.u32 %0, %0, 1;", "add.u32 %0, %0, 1", "add.u32 %3, %0, 1;",
          "mov.u32 %0, %mystery;", "bar.sync 1, 64;"}) {
        EXPECT_EQ(program::translate_ptx(text, {"o"}), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace heddle::cuda::test
