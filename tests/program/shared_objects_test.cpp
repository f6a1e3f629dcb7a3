// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Objects that a source declares in shared memory are there, all of their bytes and no others.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/program/elf_file.h"
#include "models/program/shared_objects_check.h"
#include "models/program/toolchain.h"
#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

compile_options at_level(unsigned optimization) {
    compile_options options;
    options.optimization = optimization;
    return options;
}

unsigned shared_bytes(const std::string& text, const std::string& source, unsigned optimization) {
    const image program = image::load(compile_text(text, source, at_level(optimization)));
    return program.get_kernel("k").static_shared_bytes;
}

// The types of a test, with what their objects take.
const char* const types_text = R"(#include <heddle.h>
struct three { char part[3]; };
struct mixed { char a; double b; short c; };
struct alignas(32) aligned { int a; };
union either { char a; long long b; };
enum class color : unsigned short { red };
template <class T> struct box { T inside; bool full; };
typedef float float2v __attribute__((ext_vector_type(2)));
typedef float float3v __attribute__((ext_vector_type(3)));
typedef int int4v __attribute__((ext_vector_type(4)));
typedef short short8v __attribute__((ext_vector_type(8)));
using row = int[5];
using table = char[3][7];
)";
const std::map<std::string, unsigned> types{
    {"bool", 1},      {"char", 1},        {"unsigned char", 1}, {"short", 2},
    {"int", 4},       {"unsigned", 4},    {"float", 4},         {"long long", 8},
    {"double", 8},    {"int*", 4},        {"three", 3},         {"mixed", 24},
    {"aligned", 32},  {"either", 8},      {"color", 2},         {"box<char>", 2},
    {"box<int>", 8},  {"float2v", 8},     {"float3v", 16},      {"int4v", 16},
    {"short8v", 16},  {"row", 20},        {"table", 21},        {"volatile int", 4},
    {"box<row>", 24}, {"box<double>", 16}};

std::string object(const std::string& type, const std::string& name) {
    return "    __shared__ " + type + " " + name + ";\n";
}
/// Reads and writes all of its bytes.
std::string use(const std::string& name) {
    return "    for (unsigned i = 0; i < sizeof " + name + "; ++i) {\n" +
           "        ((volatile char*)&" + name + ")[i] = p[i];\n        __syncthreads();\n" +
           "        p[i] += ((volatile char*)&" + name + ")[threadIdx.x % sizeof " + name + "];\n" +
           "        __syncthreads();\n    }\n";
}

TEST(shared_objects, each_type_of_c_plus_plus_takes_its_bytes) {
    std::string text = types_text;
    std::map<std::string, std::string> kernels;
    for (const auto& [type, bytes] : types) {
        const std::string kernel = "k" + std::to_string(kernels.size());
        kernels[type] = kernel;
        text +=
            "__global__ void " + kernel + "(char* p) {\n" + object(type, "s") + use("s") + "}\n";
    }
    for (const unsigned optimization : {0U, 2U}) {
        const image program = image::load(compile_text(text, "kernel.cpp", at_level(optimization)));
        for (const auto& [type, bytes] : types) {
            EXPECT_EQ(program.get_kernel(kernels[type]).static_shared_bytes, bytes)
                << type << " at -O" << optimization;
        }
    }
}

TEST(shared_objects, all_types_together_take_the_sum_and_what_alignment_needs) {
    std::string text = std::string(types_text) + "__global__ void k(char* p) {\n", uses;
    unsigned total = 0, number = 0;
    for (const auto& [type, bytes] : types) {
        const std::string name = "s" + std::to_string(number++);
        text += object(type, name);
        uses += use(name);
        total += bytes;
    }
    text += uses + "}\n";
    for (const unsigned optimization : {0U, 1U, 2U, 3U}) {
        const unsigned bytes = shared_bytes(text, "kernel.cpp", optimization);
        EXPECT_GE(bytes, total);
        EXPECT_LT(bytes, total + number * 31) << "no alignment is above 32";
    }
}

TEST(shared_objects, of_functions_templates_classes_and_namespaces) {
    const std::string text = R"(#include <heddle.h>
template <class T> T first(T value) {                      // int, char: 4 + 1
    __shared__ T own;
    own = value;
    __syncthreads();
    return own;
}
template <unsigned N> struct holder {                      // 3 and 6 words: 12 + 24
    static int get(int value) {
        __shared__ int words[N];
        words[threadIdx.x % N] = value;
        __syncthreads();
        return words[0];
    }
};
static __noinline__ int called(int value) {                // 4
    __shared__ int inside;
    inside = value;
    __syncthreads();
    return inside;
}
namespace outer { __shared__ long long wide; namespace { __shared__ int hidden; } }  // 8 + 4
__shared__ bool flag;                                      // 1
__global__ void k(int* p) {
    outer::wide = *p, outer::hidden = *p, flag = *p;
    __syncthreads();
    *p = outer::wide + outer::hidden + flag + first(*p) + first((char)*p) + called(*p) +
         holder<3>::get(*p) + holder<6>::get(*p);
}
__global__ void dynamic(int* p) {
    int* const words = heddle::dynamic_shared<int>();
    words[threadIdx.x] = *p;
    __syncthreads();
    *p = words[0];
}
)";
    constexpr unsigned all = 4 + 1 + 12 + 24 + 4 + 8 + 4 + 1;
    for (const unsigned optimization : {0U, 1U, 2U, 3U}) {
        const image program = image::load(compile_text(text, "kernel.cpp", at_level(optimization)));
        const unsigned bytes = program.get_kernel("k").static_shared_bytes;
        EXPECT_GE(bytes, all) << "-O" << optimization;
        EXPECT_LT(bytes, all + 2 * 3 + 7 + 1) << "-O" << optimization;
        EXPECT_EQ(program.get_kernel("dynamic").static_shared_bytes, 0u);
    }
}

// Each thread writes before it reads: to an optimizer that thinks of one thread the object would be
// a private variable, and only thread 0 would read 42.
TEST(shared_objects, what_each_thread_writes_first_stays_shared) {
    const std::string text = R"(
__kernel void k(__global int* out) {
    __local int word;
    __local struct { int a; float b[3]; } parts;
    word = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) word = 42;
    if (get_local_id(0) == 1) parts.b[1] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = word + (int)parts.b[1];
}
)";
    for (const unsigned optimization : {0U, 1U, 2U, 3U}) {
        EXPECT_EQ(shared_bytes(text, "kernel.cl", optimization), 20u) << "-O" << optimization;
    }
}

// To the compiler their value is undefined, as that of OpenCL's local memory is.
TEST(shared_objects, empty_objects_are_global) {
    EXPECT_EQ(shared_bytes(R"(#include <heddle.h>
struct nothing {};
inline constexpr nothing one{};
static nothing two;
__global__ void k(const void** p) { p[0] = &one, p[1] = &two, p[2] = &threadIdx; }
)",
                           "kernel.cpp", 2),
              0u);
}

TEST(shared_objects, constants_of_opencl_are_none) {
    EXPECT_EQ(shared_bytes(R"(
__constant int table[4] = {1, 2, 3, 4};
__kernel void k(__global int* out) {
    __constant int weights[3] = {5, 6, 7};
    out[0] = table[out[1] & 3] + weights[out[2] % 3];
}
)",
                           "kernel.cl", 0),
              0u);
}

TEST(shared_objects, one_that_is_placed_elsewhere_is_an_error) {
    const std::string error = compile_error(R"(#include <heddle.h>
__global__ void k(int* p) {
    static __attribute__((used, section(".bss.shared_word"))) int word;
    word = *p;
    __syncthreads();
    *p = word;
}
)");
    EXPECT_THAT(error, HasSubstr("kernel.cpp:3: 'word' is declared in shared memory, but it is not "
                                 "placed there"));
}

// A linker script that forgets the sections of OpenCL's objects.
TEST(shared_objects, a_linker_script_that_places_them_elsewhere_is_an_error) {
    const fs::path folder = scratch_file("device_folder");
    fs::remove_all(folder);
    const fs::path given = find_toolchain({}).device;
    for (const char* part : {"include", "device"}) {
        fs::create_directories(folder / part);
        fs::copy(given / part, folder / part, fs::copy_options::recursive);
    }
    const std::string script = (folder / "device/heddle.ld").string();
    std::ifstream in(script);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string pattern = " .bss.shared.*)";
    const std::size_t at = text.find(pattern);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, pattern.size(), ")");
    std::ofstream(script) << text;
    compile_options options;
    options.device_directory = folder.string();
    EXPECT_THAT(compile_error("__kernel void k(__global int* p) {\n    __local int word;\n"
                              "    word = p[0];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
                              "    p[1] = word;\n}\n",
                              "kernel.cl", options),
                HasSubstr("kernel.cl:2: 'word' is declared in shared memory"));
}

/// A program with the shared words `first` and `second`, parsed after a change of their symbols and
/// of the addresses that the debug information has for them.
template <typename Change>
std::string check_error(Change change) {
    std::vector<std::uint8_t> bytes = read_bytes(compile_text(R"(#include <heddle.h>
__global__ void k(int* p) {
    __shared__ int first, second;
    first = p[0], second = p[1];
    __syncthreads();
    p[2] = first + second;
}
)"));
    const elf_file file = elf_file::parse(bytes, "k.elf");
    std::vector<std::uint32_t*> places[2];  // of values to change: symbols, then addresses
    Elf32_Sym* symbols[2] = {};
    const elf_section& table = *file.find_section(".symtab");
    const elf_section& addresses = *file.find_section(".debug_addr");
    for (std::uint32_t at = 0; at < table.size; at += sizeof(Elf32_Sym)) {
        auto* symbol = reinterpret_cast<Elf32_Sym*>(&bytes[table.offset + at]);
        const std::string& name = file.symbols.at(at / sizeof(Elf32_Sym)).name;
        for (const unsigned n : {0U, 1U}) {
            if (name == (n == 0 ? "_ZZ1kE5first" : "_ZZ1kE6second")) symbols[n] = symbol;
        }
    }
    for (std::uint32_t at = 0; at + 4 <= addresses.size; at += 4) {
        auto* address = reinterpret_cast<std::uint32_t*>(&bytes[addresses.offset + at]);
        for (const unsigned n : {0U, 1U}) {
            if (*address == symbols[n]->st_value) places[n].push_back(address);
        }
    }
    EXPECT_EQ(places[0].size(), 1U);
    EXPECT_EQ(places[1].size(), 1U);
    change(*symbols[0], *symbols[1], *places[1].front());
    try {
        check_shared_objects(elf_file::parse(bytes, "k.elf"));
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "";
}

TEST(shared_objects, sizes_and_places_are_compared) {
    using word = std::uint32_t;
    EXPECT_EQ(check_error([](Elf32_Sym&, Elf32_Sym&, word&) {}), "");
    EXPECT_THAT(
        check_error([](Elf32_Sym&, Elf32_Sym& second, word&) { second.st_size = 2; }),
        HasSubstr("kernel.cpp:3: 'second' is declared in shared memory, but its 4 bytes are "
                  "not there"));
    EXPECT_THAT(check_error([](Elf32_Sym& first, Elf32_Sym& second, word& address) {
                    address = second.st_value = first.st_value + 2;
                }),
                HasSubstr("'second' is declared in shared memory, but it overlaps"));
    // What the linker leaves out has address 0.
    EXPECT_EQ(check_error([](Elf32_Sym&, Elf32_Sym& second, word& address) {
                  address = second.st_value = 0;
              }),
              "");
}

}  // namespace
}  // namespace heddle::program::test
