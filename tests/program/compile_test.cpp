// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "models/base/error.h"
#include "models/program/toolchain.h"
#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using kind = kernel_parameter::kind;

/// A script that answers --version like a tool of that version.
std::string fake_tool(const std::string& name, const std::string& version) {
    const std::string path = write_source(name, "#!/bin/sh\necho '" + version + "'\n");
    ::chmod(path.c_str(), 0755);
    return path;
}

TEST(compile, parameters_lie_as_in_a_c_structure) {
    const image program = load_text(R"(
struct pair { float a; char b; };
struct alignas(16) wide { int v[4]; };
enum class color : unsigned short { red };
__global__ void k(char c, double d, const float* __restrict__ p, short s, pair q, bool b,
                  unsigned long long u, wide w, color e, int& r, float f) {
    r = static_cast<int>(f + p[s] + q.a + c + b + u + w.v[1] + static_cast<int>(e) + (d > 1));
}
)");
    const auto& parameters = program.get_kernel("k").parameters;
    struct row {
        const char *name, *type;
        kind what;
        std::uint32_t offset, size;
    };
    const row expected[] = {{"c", "char", kind::integer, 0, 1},
                            {"d", "double", kind::floating, 8, 8},
                            {"p", "const float *", kind::pointer, 16, 4},
                            {"s", "short", kind::integer, 20, 2},
                            {"q", "pair", kind::aggregate, 24, 8},
                            {"b", "bool", kind::integer, 32, 1},
                            {"u", "unsigned long long", kind::integer, 40, 8},
                            {"w", "wide", kind::aggregate, 48, 16},
                            {"e", "color", kind::integer, 64, 2},
                            {"r", "int &", kind::pointer, 68, 4},
                            {"f", "float", kind::floating, 72, 4}};
    ASSERT_EQ(parameters.size(), std::size(expected));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        EXPECT_EQ(parameters[i].name, expected[i].name);
        EXPECT_EQ(parameters[i].type, expected[i].type) << parameters[i].name;
        EXPECT_EQ(parameters[i].what, expected[i].what) << parameters[i].name;
        EXPECT_EQ(parameters[i].offset, expected[i].offset) << parameters[i].name;
        EXPECT_EQ(parameters[i].size, expected[i].size) << parameters[i].name;
    }
    EXPECT_EQ(program.get_kernel("k").parameter_bytes, 80u);
    for (const auto& parameter : parameters) {
        EXPECT_EQ(parameter.is_signed, parameter.name == "s") << parameter.name;
    }
}

TEST(compile, tells_signed_integers) {
    const image program = load_text(R"(
enum class level : signed char { low = -1 };
using count = long long;
__global__ void k(signed char c, int i, count n, level l, unsigned char u, unsigned w) {
    if (c + i + n + static_cast<int>(l) == static_cast<long long>(u + w)) __builtin_trap();
}
)");
    std::string known;
    for (const auto& parameter : program.get_kernel("k").parameters) {
        EXPECT_EQ(parameter.what, kind::integer) << parameter.name;
        if (parameter.is_signed) known += parameter.name;
    }
    EXPECT_EQ(known, "cinl");
}

TEST(compile, a_shared_object_with_an_initializer_is_named_with_its_line) {
    for (const unsigned level : {0U, 2U}) {
        compile_options options;
        options.optimization = level;
        const std::string error = compile_error(
            "#include <heddle.h>\n__shared__ int outer[2] = {0, 3};\n__global__ void k(int* p) {\n"
            "    __shared__ int word = 5;\n    p[threadIdx.x] = word + outer[1];\n}\n",
            "shared.cpp", options);
        EXPECT_THAT(error, HasSubstr("shared.cpp:2: 'outer' in shared memory has an initializer"));
        EXPECT_THAT(error, HasSubstr("shared.cpp:4: 'word' in shared memory has an initializer"));
        EXPECT_THAT(error, testing::Not(HasSubstr("<unknown>:0: error: SHT_NOBITS")));
    }
    EXPECT_EQ(compile_error("#include <heddle.h>\n__global__ void k(int* p) {\n"
                            "    __shared__ int zero = 0;\n    p[threadIdx.x] = zero;\n}\n"),
              "");
}

TEST(compile, kernels_keep_branches_by_the_device_header) {
    const auto branches = [](const std::string& keep) {
        const image program =
            load_text("__global__ void k(int* p) {\n    int x = p[0];\n    if (x < 0) {\n" + keep +
                      "        x = 0;\n    }\n    p[1] = x;\n}\n");
        const kernel& k = program.get_kernel("k");
        unsigned count = 0;
        for (const isa::instruction& each : k.code.instructions) {
            if (each.cls == isa::instruction_class::branch) ++count;
        }
        return count;
    };
    EXPECT_EQ(branches(""), 0U);
    EXPECT_GT(branches("        heddle::keep_branch();\n"), 0U);
}

/// A call would pass the parameters beyond a7 on the stack.
/// The stubs of the kernels stand in one file with the functions that a compiler may call.
TEST(compile, kernels_may_have_common_names) {
    const image program = load_text(R"(
__global__ void word(unsigned* out) { *out = 1; }
__global__ void byte(unsigned* out) { *out = 2; }
__global__ void aligned(unsigned* out) { *out = 3; }
)");
    EXPECT_EQ(program.kernels().size(), 3u);
}

TEST(compile, more_parameters_than_registers_do_not_pass_through_the_stack) {
    const image program = load_text(R"(
__global__ void k(int a, int b, int c, int d, int e, int f, int g, int h, float i, int* j) {
    *j = a + b + c + d + e + f + g + h + static_cast<int>(i);
}
)");
    const kernel& k = program.get_kernel("k");
    unsigned loads = 0;
    for (const auto& i : instructions_of(program, k, "__heddle_entry_k")) {
        constexpr unsigned sp = 2;
        EXPECT_FALSE(i.is_memory() && i.rs1 == sp) << isa::mnemonic(i.op);
        EXPECT_FALSE(i.is_call());
        loads += i.cls == isa::instruction_class::load ? 1 : 0;
    }
    EXPECT_EQ(loads, 10u);
    EXPECT_NE(program.kernel_at(k.function), nullptr) << "device launches name the function";
}

TEST(compile, a_parameter_without_a_name_gets_one) {
    const image program = load_text("__global__ void k(int, int* out) { *out = 1; }");
    EXPECT_EQ(program.get_kernel("k").parameters[0].name, "argument1");
}

TEST(compile, several_sources_make_one_program) {
    const auto a = write_source("a.cpp",
                                "#include <heddle.h>\n__device__ int helper(int);\n"
                                "__global__ void first(int* p) { *p = helper(*p); }\n");
    const auto b = write_source("b.cpp",
                                "#include <heddle.h>\n__device__ int helper(int x) { return x; }\n"
                                "__global__ void second(int* p) { *p = helper(*p); }\n");
    const auto output = scratch_file("ab.elf");
    const auto result = compile({a, b}, output);
    EXPECT_THAT(result.kernels, ElementsAre("first", "second"));
    EXPECT_EQ(result.diagnostics, "");
    EXPECT_NE(image::load(output).find_kernel("second"), nullptr);
}

TEST(compile, a_static_function_of_the_same_name_is_no_kernel) {
    const auto a = write_source("static.cpp",
                                "static __attribute__((noinline, used)) void k(double d) { "
                                "asm volatile(\"\" ::\"r\"(&d)); }\n");
    const auto b = write_source("kernel_k.cpp",
                                "#include <heddle.h>\n__global__ void k(int* p) { *p = 1; }\n");
    const auto output = scratch_file("static.elf");
    compile({a, b}, output);
    EXPECT_EQ(image::load(output).get_kernel("k").parameters.at(0).type, "int *");
}

TEST(compile, compiler_errors_pass_through) {
    const auto error = compile_error("#include <heddle.h>\n__global__ void k() { undeclared(); }");
    EXPECT_THAT(error, HasSubstr("kernel.cpp"));
    EXPECT_THAT(error, HasSubstr("use of undeclared identifier 'undeclared'"));
}

TEST(compile, warnings_pass_through) {
    const auto source =
        write_source("warn.cpp", "#include <heddle.h>\n__global__ void k(int* p) { int x; *p=1; }");
    EXPECT_THAT(compile({source}, scratch_file("warn.elf")).diagnostics,
                HasSubstr("unused variable 'x'"));
}

TEST(compile, a_missing_function_is_named_by_the_linker) {
    EXPECT_THAT(compile_error("#include <heddle.h>\n__device__ int nowhere(int);\n"
                              "__global__ void k(int* p) { *p = nowhere(*p); }"),
                HasSubstr("undefined symbol: nowhere(int)"));
}

TEST(compile, kernels_that_cannot_be) {
    const std::string head = "#include <heddle.h>\n";
    EXPECT_THAT(compile_error(head + "__device__ int f(int x) { return x; }"),
                HasSubstr("defines no kernel"));
    EXPECT_THAT(compile_error(head + "__global__ int k() { return 1; }"),
                HasSubstr("returns a value"));
    EXPECT_THAT(compile_error(head + "__global__ void k(int x, ...) {}"),
                HasSubstr("variable number"));
    EXPECT_THAT(compile_error(head + "struct s { int x; s(const s&); };\n"
                                     "__global__ void k(s x) { (void)x; }"),
                HasSubstr("copy constructor"));
    EXPECT_THAT(compile_error(head + "struct e {};\n__global__ void k(e x) { (void)x; }"),
                HasSubstr("no members"));
    EXPECT_THAT(compile_error(
                    head + "struct s { s(); int x; }; s::s() { asm volatile(\"\" : \"=r\"(x)); }\n"
                           "s global;\n__global__ void k(int* p) { *p = global.x; }"),
                HasSubstr("constructor that must run"));
}

TEST(compile, endless_loops_stay) {
    const image program = load_text(R"(
__global__ void spin(int x) { while (x) {} }
__global__ void search(const int* p) { while (*p != 3) ++p; }
)");
    for (const char* name : {"spin", "search"}) {
        const auto code = instructions_of(program, program.get_kernel(name), name);
        EXPECT_GT(code.size(), 1U) << name;
    }
}

TEST(compile, a_kernel_without_instructions_is_refused_by_name) {
    // In front of another function, behind the last, and alone.
    const std::string never = "__global__ void never(int* p) { __builtin_unreachable(); }\n";
    const std::string other = "__global__ void other(int* p) { *p = 1; }\n";
    for (const std::string& text : {never + other, other + never, never}) {
        EXPECT_THAT(compile_error("#include <heddle.h>\n" + text),
                    HasSubstr("kernel 'never' has no instructions"));
    }
}

TEST(compile, bad_sources) {
    const auto error = [](const std::vector<std::string>& sources) {
        try {
            compile(sources, scratch_file("never.elf"));
        } catch (const configuration_error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_THAT(error({}), HasSubstr("no source"));
    EXPECT_THAT(error({"/nonexistent/k.cpp"}), HasSubstr("no such source file"));
    EXPECT_THAT(error({"k.py"}), HasSubstr("unknown kind of source"));
    EXPECT_FALSE(std::filesystem::exists(scratch_file("never.elf")));
}

TEST(compile, an_unwritable_output_leaves_nothing_behind) {
    const auto source = write_source("w.cpp", "#include <heddle.h>\n__global__ void k() {}");
    EXPECT_THROW(compile({source}, "/nonexistent/folder/out.elf"), configuration_error);
    // A failed compilation does not touch an older output.
    const auto output = scratch_file("old.elf");
    std::ofstream(output) << "old";
    const auto bad = write_source("bad.cpp", "syntax error");
    EXPECT_THROW(compile({bad}, output), configuration_error);
    const auto bytes = read_bytes(output);
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "old");
}

TEST(compile, tools_that_are_missing_or_too_old) {
    compile_options options;
    options.compiler = "clang-that-is-not-there";
    const std::string text = "#include <heddle.h>\n__global__ void k() {}";
    auto error = compile_error(text, "k.cpp", options);
    EXPECT_THAT(error, HasSubstr("no compiler found"));
    EXPECT_THAT(error, HasSubstr("apt-get install clang-19 lld-19"));

    options.compiler = fake_tool("old-clang", "Debian clang version 14.0.6");
    error = compile_error(text, "k.cpp", options);
    EXPECT_THAT(error, HasSubstr("version 14"));
    EXPECT_THAT(error, HasSubstr("apt-get install clang-19 lld-19"));

    options.compiler = fake_tool("mute", "nothing");
    EXPECT_THAT(compile_error(text, "k.cpp", options), HasSubstr("does not tell its version"));

    options.compiler.clear();
    options.linker = "no-such-lld";
    EXPECT_THAT(compile_error(text, "k.cpp", options), HasSubstr("no linker found"));

    options.linker.clear();
    options.device_directory = "/nonexistent";
    EXPECT_THAT(compile_error(text, "k.cpp", options), HasSubstr("not the device directory"));
}

TEST(compile, reads_version_texts) {
    EXPECT_EQ(major_version("Debian clang version 19.1.7 (3~deb12u1)"), 19u);
    EXPECT_EQ(major_version("LLD 20.1.0 (compatible with GNU linkers)"), 20u);
    EXPECT_EQ(major_version("Apple clang version 15.0.0"), 15u);
    EXPECT_EQ(major_version("no number"), 0u);
    EXPECT_EQ(major_version(""), 0u);
}

TEST(compile, the_same_source_gives_the_same_bytes) {
    const std::string text = "#include <heddle.h>\n__global__ void k(float* p) { *p *= 2; }";
    const auto first = read_bytes(compile_text(text));
    EXPECT_EQ(read_bytes(compile_text(text)), first);
}

TEST(compile, options_reach_the_compiler) {
    compile_options options;
    options.definitions = {"FACTOR=3"};
    options.include_directories = {scratch_file("")};
    options.dependency_file = scratch_file("k.d");
    write_source("mine.h", "#define OFFSET 4\n");
    const auto output = compile_text(
        "#include <heddle.h>\n#include \"mine.h\"\n"
        "__global__ void k(float* p) { p[OFFSET] = p[0] * p[1] + p[2] * FACTOR; }",
        "k.cpp", options);
    const auto fused = [](const image& program) {
        const auto code = instructions_of(program, program.kernels()[0], "k");
        return std::any_of(code.begin(), code.end(),
                           [](const isa::instruction& i) { return i.op == isa::opcode::fmadd_s; });
    };
    EXPECT_TRUE(fused(image::load(output)));
    const auto rule = read_bytes(options.dependency_file);
    const std::string text(rule.begin(), rule.end());
    EXPECT_THAT(text, HasSubstr("mine.h"));
    EXPECT_EQ(text.rfind(output + ":", 0), 0u);

    options.contract_floating_point = false;
    EXPECT_FALSE(fused(image::load(compile_text(
        "#include <heddle.h>\n__global__ void k(float* p) { p[3] = p[0] * p[1] + p[2]; }", "k2.cpp",
        options))));
}

TEST(compile, memory_functions_are_there) {
    const image program = load_text(R"(
struct block { int v[64]; };
__global__ void k(block* to, const block* from, int n) {
    *to = *from;
    __builtin_memset(to + 1, n, n);
    __builtin_memmove(to + 2, from, n);
}
)");
    EXPECT_NE(program.find_symbol("memcpy"), nullptr);
    EXPECT_NE(program.find_symbol("memset"), nullptr);
    EXPECT_NE(program.find_symbol("memmove"), nullptr);
}

TEST(compile, double_and_wide_division_come_from_libgcc) {
    if (find_toolchain({}).libgcc.empty()) GTEST_SKIP() << "gcc-riscv64-unknown-elf not installed";
    const image program =
        load_text("__global__ void k(double* d, long long* n) { d[0] /= d[1]; n[0] /= n[1]; }");
    ASSERT_NE(program.find_symbol("__divdf3"), nullptr);
    // Its jump table is followed: no call of unknown target.
    EXPECT_FALSE(program.get_kernel("k").calls_indirectly);
    EXPECT_TRUE(program.get_kernel("k").stack_bytes.has_value());
}

TEST(compile, no_illegal_instruction_in_compiled_code) {
    const image program = load_text(R"(
__global__ void k(float* p, int* q, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = i > 3 ? sqrtf(p[i]) / floorf(p[i + 1]) : (float)(q[i] % (n + 1));
    q[0] = n > 5 ? q[1] : __clz(q[2]) + __popc(q[3]);
}
)");
    const auto& k = program.get_kernel("k");
    for (const char* name : {"k", "__heddle_entry_k"}) {
        for (const auto& i : instructions_of(program, k, name)) {
            EXPECT_FALSE(i.is_illegal()) << std::hex << i.raw;
        }
    }
}

}  // namespace
}  // namespace heddle::program::test
