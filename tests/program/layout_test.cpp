// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What a compiled program says about the structs of its kernels.
#include <gmock/gmock.h>

#include "models/base/error.h"
#include "models/program/kernel_table.h"
#include "tests/base/temporary_directory.h"
#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// "SIZE: name kind offset size count; ...".
std::string text_of(const value_layout& layout) {
    std::string text = std::to_string(layout.size) + ":";
    for (const layout_field& field : layout.fields) {
        text += " " + field.name + " " + "iubfV"[static_cast<unsigned>(field.what)];
        for (const std::uint32_t number : {field.offset, field.size, field.count}) {
            text += " " + std::to_string(number);
        }
        text += ";";
    }
    return text;
}

std::vector<std::string> layouts_of(const kernel& found) {
    std::vector<std::string> texts;
    for (const auto& parameter : found.parameters) texts.push_back(text_of(parameter.layout));
    return texts;
}

TEST(layout, of_numbers_that_pointers_point_to) {
    const image program = load_text(R"(
enum class color : short { red };
typedef unsigned long long big;
__global__ void k(const float* f, double* d, big* b, signed char* c, bool* t, color* e, void* v,
                  int** p, int n, char* text) {}
)");
    EXPECT_THAT(
        layouts_of(program.kernels().front()),
        ElementsAre("4:  f 0 4 1;", "8:  f 0 8 1;", "8:  u 0 8 1;", "1:  i 0 1 1;", "1:  b 0 1 1;",
                    "2:  i 0 2 1;", "0:", "4:  u 0 4 1;", "0:", "1:  u 0 1 1;"));
}

TEST(layout, of_structs_field_by_field) {
    const image program = load_text(R"(
struct vector { float x, y; };
struct base { int tag; };
struct body : base {
    vector at;
    vector path[2];
    unsigned char flags[3];
    static int count;
    struct { short inner; };
    double mass;
    float matrix[2][3];
    int* next;
};
struct only_declared;
__global__ void k(const body* all, body one, only_declared* nothing) {}
)");
    const std::string body =
        "80: tag i 0 4 1; at.x f 4 4 1; at.y f 8 4 1; path[0].x f 12 4 1; path[0].y f 16 4 1; "
        "path[1].x f 20 4 1; path[1].y f 24 4 1; flags u 28 1 3; inner i 32 2 1; mass f 40 8 1; "
        "matrix f 48 4 6; next u 72 4 1;";
    EXPECT_THAT(layouts_of(program.kernels().front()), ElementsAre(body, body, "0:"));
}

TEST(layout, what_has_no_type_is_bytes) {
    const image program = load_text(R"(
union either { int i; float f; };
struct bits { unsigned low : 3, high : 7; either u; };
__global__ void k(bits* b, either* e) {}
)");
    EXPECT_THAT(layouts_of(program.kernels().front()),
                ElementsAre("8: low V 0 1 1; high V 0 2 1; u V 4 4 1;", "4:  V 0 4 1;"));
}

TEST(layout, of_vectors) {
    const auto source = write_source("v.cl",
                                     "typedef struct { float3 a; int b; } s;\n"
                                     "__kernel void k(__global float4* p, float2 q, __global s* r, "
                                     "__global float3* t) { p[0] = q.xyxy; }\n");
    const auto output = scratch_file("v.elf");
    compile({source}, output);
    EXPECT_THAT(layouts_of(image::load(output).kernels().front()),
                ElementsAre("16:  f 0 4 4;", "8:  f 0 4 2;", "32: a f 0 4 3; b i 16 4 1;",
                            "16:  f 0 4 3;"));
}

TEST(layout, a_table_without_layouts_is_still_read) {
    const auto kernels =
        parse_kernel_table("kernel k 8\nparameter pointer 0 4 p body *\n", "old.elf");
    EXPECT_EQ(kernels.front().parameters.front().layout.size, 0U);
    EXPECT_THAT(kernels.front().parameters.front().layout.fields, IsEmpty());
}

TEST(layout, refuses_damaged_tables) {
    const std::string start = "kernel k 8\nparameter pointer 0 4 p body *\n";
    EXPECT_NO_THROW((void)parse_kernel_table(start + "layout 8\nfield signed 0 4 2 x\n", "k.elf"));
    for (const char* lines :
         {"layout 0\n", "layout x\n", "layout 999999999\n", "field signed 0 4 1 x\n",
          "layout 8\nfield signed 0 4 3 x\n", "layout 8\nfield signed 5 4 1 x\n",
          "layout 8\nfield signed 4294967292 4 1 x\n", "layout 8\nfield signed 0 0 1 x\n",
          "layout 8\nfield signed 0 4 0 x\n", "layout 8\nfield other 0 4 1 x\n",
          "layout 8\nfield signed 0 4 1 \nfield signed 4 4 1 x\n",
          "layout 8\nfield signed 0 4 1 x\nfield signed 4 4 1 \n",
          "layout 8\nfield signed 0 4294967295 4294967295 x\n"}) {
        EXPECT_THAT(message_of<configuration_error>(
                        [&] { (void)parse_kernel_table(start + lines, "k.elf"); }),
                    HasSubstr("compile the program again"))
            << lines;
    }
    EXPECT_THROW((void)parse_kernel_table("kernel k 0\nlayout 8\n", "k.elf"), configuration_error);
}

}  // namespace
}  // namespace heddle::program::test
