// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// printf() of kernels, in OpenCL C (1.2, section 6.12.13) and in C++.
#include <gmock/gmock.h>

#include "models/base/machine_configuration.h"
#include "models/program/image.h"
#include "tests/opencl/built_ins.h"
#include "tests/program/compiled_program.h"

namespace heddle::opencl::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// What the kernel `k` of a source prints.
std::string printed(const std::string& file, const std::string& source, const launch_shape& shape,
                    const program::compile_options& options = {}) {
    machine_configuration machine;
    machine.smx_count = 2;
    iss::functional_simulator gpu(machine);
    gpu.load(std::make_shared<program::image>(
        program::image::load(program::test::compile_text(source, file, options))));
    std::string text;
    gpu.print_to([&](std::string_view more) { text += more; });
    launch(gpu, "k", shape);
    gpu.synchronize();
    return text;
}

const launch_shape one{{1}, {1}};

TEST(opencl_print, conversions_are_those_of_c) {
    EXPECT_EQ(printed("kernel.cl", R"(
kernel void k() {
    printf("plain, 100%%\n");
    printf("%d %i %u %o %x %X %c|", -5, 7, 4000000000u, 8, 255, 255, 'c');
    printf("%5d|%-5d|%05d|%+d|% d|%#x|%.3d|%*d|%-*.*f|", 42, 42, 42, 42, 42, 255, 7, 6, 42, 8, 2, 2.5f);
    printf("%hhd %hd %ld %lu %lx|", 300, 70000, -1L, ~0UL, 1L << 40);
    printf("%f %.3e %g %a|", 1.5f, 12345.678f, 0.0001f, 1.0f);
    printf("%f %g|", 0.1, 1e300);
    printf("%s, %8s, %-8s|", "text", "right", "left");
    printf("%f %f %f\n", INFINITY, -INFINITY, NAN);
}
)",
                      one),
              "plain, 100%\n"
              "-5 7 4000000000 10 ff FF c|"
              "   42|42   |00042|+42| 42|0xff|007|    42|2.50    |"
              "44 4464 -1 18446744073709551615 10000000000|"
              "1.500000 1.235e+04 0.0001 0x1p+0|"
              "0.100000 1e+300|"
              "text,    right, left    |"
              "inf -inf nan\n");
}

TEST(opencl_print, vectors_have_commas) {
    EXPECT_EQ(printed("kernel.cl", R"(
kernel void k() {
    printf("%v4hld|%v2hlf|%v3hlx|", (int4)(1, -2, 3, -4), (float2)(1.5f, -2.5f), (uint3)(10, 11, 12));
    printf("%v4hhd|%v8hhu|%v2hd|%v16hd|", (char4)(1, -2, 3, -4), (uchar8)(250), (short2)(-5, 6),
           (short16)(7));
    printf("%v2ld|%v4lu|%v2lf|%v3hlf|%v16hlx|", (long2)(-1, 1L << 40), (ulong4)(1, 2, 3, 4),
           (double2)(0.25, 1e10), (float3)(1, 2, 3), (uint16)(15));
    printf("%6.1v2hlf|%d\n", (float2)(1.25f, 2), 9);
}
)",
                      one),
              "1,-2,3,-4|1.500000,-2.500000|a,b,c|"
              "1,-2,3,-4|250,250,250,250,250,250,250,250|-5,6|7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7|"
              "-1,1099511627776|1,2,3,4|0.250000,10000000000.000000|1.000000,2.000000,3.000000|"
              "f,f,f,f,f,f,f,f,f,f,f,f,f,f,f,f|"
              "   1.2,   2.0|9\n");
}

TEST(opencl_print, floats_without_double) {
    program::compile_options options;
    options.double_precision = false;
    EXPECT_EQ(
        printed("kernel.cl",
                "kernel void k() { float x = 1.5; printf(\"%d %f %.1f %d\\n\", 1, x, 0.25, 2); }",
                one, options),
        "1 1.500000 0.2 2\n");
}

TEST(opencl_print, each_record_is_whole_and_from_one_thread) {
    std::string text = printed("kernel.cl", R"(
kernel void k() { if (get_global_id(0) % 3 == 0) printf("<%u %u>\n", (uint)get_global_id(0), 7u); }
)",
                               {{5}, {70}});
    for (unsigned n = 0; n < 350; n += 3) {
        const std::string line = "<" + std::to_string(n) + " 7>\n";
        const std::size_t at = text.find(line);
        ASSERT_NE(at, std::string::npos) << n;
        text.erase(at, line.size());
    }
    EXPECT_EQ(text, "");
}

TEST(opencl_print, what_finds_no_room_is_counted) {
    // 4 words a record: 2^18 words are 65536 of 70000.
    const std::string text =
        printed("kernel.cl", "kernel void k() { printf(\"%u\\n\", (uint)get_global_id(0)); }",
                {{700}, {100}});
    EXPECT_THAT(text,
                EndsWith("printf: 71424 bytes found no room; kernels can print 1048576 between "
                         "two waits of the host\n"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 65536 + 1);
}

TEST(opencl_print, each_wait_prints_what_is_new) {
    iss::functional_simulator gpu(machine_configuration{});
    gpu.load(std::make_shared<program::image>(program::image::load(program::test::compile_text(
        "kernel void k(uint n) { printf(\"%u.\", n); }", "kernel.cl"))));
    std::vector<std::string> texts;
    gpu.print_to([&](std::string_view more) { texts.emplace_back(more); });
    for (std::uint32_t n = 0; n < 2; ++n) {
        launch(gpu, "k", one, n);
        gpu.synchronize();
        gpu.synchronize();
    }
    EXPECT_THAT(texts, testing::ElementsAre("0.", "1."));
    gpu.print_to(nullptr);
    launch(gpu, "k", one, 2U);
    gpu.synchronize();
    EXPECT_EQ(texts.size(), 2U);
}

/// A kernel may pass any number: nobody wants gigabytes of blanks.
TEST(opencl_print, a_width_of_an_argument_has_a_limit) {
    const std::string text = printed("kernel.cl", R"(
kernel void k() {
    printf("%*d|%*d|%.*d|", 4095, 1, 1000000000, 2, 2000000000, 3);
    printf("%*d|%*s|", (int)0x80000000, 4, 5000, "five");
}
)",
                                     one);
    const auto blanks = [](std::size_t count) { return std::string(count, ' '); };
    EXPECT_TRUE(text == blanks(4094) + "1|" + blanks(4095) + "2|" + std::string(4095, '0') + "3|4" +
                            blanks(4095) + "|" + blanks(4092) + "five|")
        << text.size() << " characters";
}

TEST(opencl_print, a_string_that_is_no_text_is_said_so) {
    EXPECT_THAT(printed("kernel.cl",
                        "kernel void k() { printf(\"%s|\", (constant char*)0xf0000000u); }", one),
                HasSubstr("(no string at 0xf0000000)|"));
}

TEST(opencl_print, what_was_printed_before_a_fault_is_seen) {
    iss::functional_simulator gpu(machine_configuration{});
    gpu.load(std::make_shared<program::image>(program::image::load(program::test::compile_text(
        "kernel void k() { printf(\"here\\n\"); *(volatile global int*)0xf0000000u = 1; }",
        "kernel.cl"))));
    std::string text;
    gpu.print_to([&](std::string_view more) { text += more; });
    launch(gpu, "k", one);
    EXPECT_THROW(gpu.synchronize(), run_error);
    EXPECT_EQ(text, "here\n");
}

TEST(opencl_print, in_cpp_a_long_has_32_bits) {
    EXPECT_EQ(printed("kernel.cpp", R"(
#include <heddle.h>
__global__ void k() {
    printf("%ld %lld %lu %zu %jd|", -1L, -2LL, 3UL, sizeof(int), __INTMAX_MAX__);
    printf("%f %s %p %5.2f%%\n", 1.5f, "text", (void*)0x1234, 99.5);
}
)",
                      one),
              "-1 -2 3 4 9223372036854775807|1.500000 text 0x00001234 99.50%\n");
}

}  // namespace
}  // namespace heddle::opencl::test
