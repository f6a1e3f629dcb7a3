// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// `heddle nvcc`: its options and its errors.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "command/nvcc/device_link.h"
#include "command/nvcc/nvcc_command.h"
#include "command/nvcc/nvcc_option_table.h"
#include "command/nvcc/nvcc_options.h"
#include "models/base/error.h"
#include "models/program/cuda_build.h"
#include "models/program/object_sections.h"
#include "tests/program/compiled_program.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;
using program::test::scratch_file, program::test::write_source, program::test::read_bytes;
using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not;
using words = std::vector<std::string>;

/// What is wrong with a command line; "" if nothing is.
std::string wrong(const words& line) {
    try {
        static_cast<void>(read_nvcc_options(line));
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "";
}

TEST(nvcc_options, have_values_in_all_their_ways) {
    const nvcc_request r = read_nvcc_options({"a.cu",
                                              "-Ione,two",
                                              "-I",
                                              "three",
                                              "--include-path=four",
                                              "-DX=1",
                                              "-D",
                                              "Y",
                                              "-UZ",
                                              "-isystem=five",
                                              "-include",
                                              "six.h",
                                              "-o",
                                              "out",
                                              "-O3",
                                              "-std=c++14",
                                              "-Xcompiler",
                                              "-Wall,-fno-strict-aliasing",
                                              "--compiler-options=-g3",
                                              "b.o",
                                              "-lm",
                                              "-L",
                                              "lib",
                                              "-Xlinker",
                                              "--as-needed",
                                              "-arch=sm_35",
                                              "-gencode",
                                              "arch=compute_52,code=sm_52",
                                              "--maxrregcount",
                                              "32",
                                              "-lcudart",
                                              "-use_fast_math",
                                              "-G",
                                              "-rdc=true",
                                              "-Xptxas",
                                              "-v",
                                              "-fmad=false",
                                              "-lineinfo",
                                              "-ccbin",
                                              "g++",
                                              "--expt-extended-lambda",
                                              "-Wno-deprecated-gpu-targets"});
    EXPECT_THAT(r.sources, ElementsAre("a.cu"));
    EXPECT_THAT(r.preprocessor, ElementsAre("-Ione", "-Itwo", "-Ithree", "-Ifour", "-DX=1", "-DY",
                                            "-UZ", "-isystem", "five", "-include", "six.h",
                                            "-D__CUDACC_EXTENDED_LAMBDA__"));
    EXPECT_THAT(r.host, ElementsAre("-O3", "-Wall", "-fno-strict-aliasing", "-g3"));
    EXPECT_THAT(r.link_words, ElementsAre("", "b.o", "-lm", "-Llib", "-Xlinker", "--as-needed"));
    EXPECT_EQ(r.output, "out");
    EXPECT_EQ(r.standard, "-std=c++14");
    EXPECT_TRUE(r.fast_math && r.device_debug && r.relocatable && r.report_kernels);
    EXPECT_FALSE(r.contract);
    EXPECT_EQ(r.phase, nvcc_phase::program);
}

TEST(nvcc_options, of_others_are_words_with_blanks_and_commas) {
    const nvcc_request r = read_nvcc_options(
        {"a.cu", "-Xcompiler", "-O2 -Wall,-DX=\"a b\"", "-Xlinker", "-z now", "-odir", "objects"});
    EXPECT_THAT(r.host, ElementsAre("-O2", "-Wall"));
    EXPECT_THAT(r.preprocessor, ElementsAre("-DX=a b"));
    EXPECT_THAT(r.link_words, ElementsAre("", "-Xlinker", "-z", "-Xlinker", "now"));
    EXPECT_EQ(r.output_folder, "objects");
}

TEST(nvcc_options, choose_what_is_made) {
    const auto phase = [](const char* option) { return read_nvcc_options({"a.cu", option}).phase; };
    EXPECT_EQ(phase("-c"), nvcc_phase::objects);
    EXPECT_EQ(phase("-dc"), nvcc_phase::objects);
    EXPECT_TRUE(read_nvcc_options({"a.cu", "-dc"}).relocatable);
    EXPECT_EQ(phase("--cubin"), nvcc_phase::device);
    EXPECT_EQ(phase("-ptx"), nvcc_phase::device);
    EXPECT_EQ(phase("-dlink"), nvcc_phase::device_link);
    EXPECT_EQ(phase("-lib"), nvcc_phase::archive);
    EXPECT_EQ(phase("-E"), nvcc_phase::preprocess);
    EXPECT_EQ(phase("-MM"), nvcc_phase::depend);
    EXPECT_EQ(phase("-V"), nvcc_phase::version);
    EXPECT_THAT(read_nvcc_options({"-x", "cu", "kernel.txt"}).sources, ElementsAre("kernel.txt"));
    EXPECT_THAT(read_nvcc_options({"a.cu", "-m64"}).warnings, Contains(HasSubstr("32-bit")));
    EXPECT_THAT(comma_list("-Wl\\,-rpath,two"), ElementsAre("-Wl,-rpath", "two"));
}

TEST(nvcc_options, of_others_are_no_questions) {
    EXPECT_TRUE(asks_for_commands({"-v", "no_file"}));
    EXPECT_TRUE(asks_for_commands({"-o", "x", "--dryrun"}));
    EXPECT_FALSE(asks_for_commands({"-Xptxas", "-v", "-o", "-v"}));
}

TEST(nvcc_options, that_are_wrong_are_named) {
    EXPECT_THAT(wrong({"a.cu", "--use-fast-math"}), HasSubstr("'--use_fast_math'"));
    EXPECT_THAT(wrong({"a.cu", "-frobnicate"}), HasSubstr("there is no option '-frobnicate'"));
    EXPECT_THAT(wrong({"a.cu", "-o"}), HasSubstr("nothing follows '-o'"));
    EXPECT_THAT(wrong({"a.cu", "-std=c++98"}), HasSubstr("c++17"));
    EXPECT_THAT(wrong({"a.cu", "-O7"}), HasSubstr("-O3"));
    EXPECT_THAT(wrong({"a.cu", "-rdc=maybe"}), HasSubstr("true, false"));
    EXPECT_THAT(wrong({"a.cu", "-m16"}), HasSubstr("32"));
    EXPECT_THAT(wrong({"a.cu", "-x", "f77"}), HasSubstr("cu, c, c++"));
    EXPECT_THAT(wrong({"a.f90"}), HasSubstr("unknown kind of file"));
    EXPECT_THAT(wrong({"--options-file", "/no/such"}), HasSubstr("/no/such"));
    EXPECT_EQ(wrong({"a.cu", "-frobnicate", "-forward-unknown-to-host-compiler"}), "");
    EXPECT_THAT(read_nvcc_options({"-optf", write_source("options", "-c 'a b.cu' -DX")}).sources,
                ElementsAre("a b.cu"));
}

/// Runs it; what it says on standard error, with its exit code.
std::string run(const words& line) {
    testing::internal::CaptureStderr();
    int code = 0;
    std::string thrown;
    try {
        code = nvcc(line);
    } catch (const configuration_error& error) {
        thrown = error.what();
        code = exit_code(error.kind());
    }
    return testing::internal::GetCapturedStderr() + thrown + "exit " + std::to_string(code);
}

TEST(nvcc, errors_leave_no_output) {
    const std::string object = scratch_file("bad.o");
    EXPECT_THAT(run({"-c", "no_such.cu", "-o", object}), HasSubstr("no such source file"));
    const std::string bad = write_source("bad.cu", "__global__ void k(int* p) { *p = nothing; }");
    const std::string said = run({"-c", bad, "-o", object});
    EXPECT_THAT(said, HasSubstr("bad.cu:1:34: error: use of undeclared identifier 'nothing'"));
    EXPECT_THAT(said, HasSubstr("exit 2"));
    EXPECT_FALSE(fs::exists(object));
    const std::string good = write_source("good.cu", "__global__ void k(int* p) { *p = 1; }");
    EXPECT_THAT(run({"-c", good, "-o", good}), HasSubstr("it is an input"));
    EXPECT_THAT(run({"-c", good, bad, "-o", object}), HasSubstr("2 sources"));
    EXPECT_THAT(run({good, "-o", good}), HasSubstr("it is an input"));
    EXPECT_THAT(run({}), HasSubstr("no input file"));
    EXPECT_THAT(run({"-cubin", write_source("none.cu", "int x;"), "-o", scratch_file("x.elf")}),
                HasSubstr("defines no kernel"));
    EXPECT_THAT(run({good, "/no/such.o", "-o", scratch_file("p")}), HasSubstr("no such file"));
}

TEST(nvcc, objects_have_both_halves_of_one_layout) {
    // The same text for both: what differs between the halves would be seen.
    const std::string text = R"(
#include <cstddef>
#include <cstdio>
struct mixed { char a; double b; char c; long long d; char e; float4 f; char g; double2 h; short2 i;
               char j; long k; void* l; wchar_t m; bool n; char3 o; longlong1 p; size_t q; };
enum small : unsigned char { one };
#define SIZES sizeof(mixed), alignof(mixed), offsetof(mixed, b), offsetof(mixed, d), \
    offsetof(mixed, f), offsetof(mixed, h), offsetof(mixed, i), offsetof(mixed, k), \
    offsetof(mixed, m), offsetof(mixed, o), offsetof(mixed, p), offsetof(mixed, q), \
    sizeof(char1), sizeof(char2), sizeof(char3), sizeof(char4), alignof(char2), alignof(char4), \
    sizeof(short3), alignof(short2), alignof(short4), sizeof(int3), alignof(int2), alignof(int4), \
    sizeof(long2), alignof(long2), alignof(long4), sizeof(longlong3), alignof(longlong2), \
    sizeof(float3), alignof(float2), alignof(float4), sizeof(double1), alignof(double1), \
    sizeof(double2), alignof(double2), sizeof(double3), sizeof(double4), alignof(double4), \
    sizeof(dim3), sizeof(small), sizeof(long), sizeof(void*), (size_t)(char)-1, \
    (size_t)sizeof(cudaTextureObject_t)
#if defined(__CUDA_ARCH__)
__device__ size_t sizes_of_device[] = {SIZES};
#endif
extern const size_t sizes_of_host[] = {SIZES};
__global__ void k(int* p) { *p = 1; }
int f() { k<<<1, 2>>>(0); return 0; }
)";
    const std::string source = write_source("layout.cu", text), object = scratch_file("layout.o"),
                      device = scratch_file("layout.elf");
    ASSERT_EQ(run({"-c", source, "-o", object}), "exit 0");
    ASSERT_EQ(run({"-cubin", source, "-o", device}), "exit 0");
    const auto objects = program::objects_in(object);
    ASSERT_EQ(objects.size(), 1U);
    const std::string host = objects.front().contents(".rodata");
    const std::string embedded = objects.front().contents(".nv_fatbin");
    EXPECT_EQ(embedded.substr(0, 8), program::cuda_magic);
    const auto image = program::image::load(device);
    const program::symbol* const sizes = image.find_symbol("sizes_of_device");
    std::string on_device;
    if (sizes != nullptr) {
        for (const program::segment& each : image.segments()) {
            if (sizes->address - each.address < each.size) {
                on_device.assign(each.data.begin() + (sizes->address - each.address),
                                 each.data.begin() + (sizes->address - each.address) + sizes->size);
            }
        }
    }
    ASSERT_GE(on_device.size(), 40 * 4U);
    EXPECT_NE(host.find(on_device), std::string::npos);
    EXPECT_EQ(std::string(on_device.substr(12 * 4, 4)), std::string("\1\0\0\0", 4));
}

TEST(nvcc, programs_have_a_place_each) {
    const std::string device = scratch_file("placed.elf");
    ASSERT_EQ(
        run({"-cubin",
             write_source("placed.cu",
                          "__device__ int v; extern \"C\" __global__ void k(double* p) { *p = "
                          "sin(*p) / 3; v = 1; }"),
             "-o", device}),
        "exit 0");
    const auto bytes = read_bytes(device);
    const std::string payload(bytes.begin(), bytes.end());
    ASSERT_TRUE(program::is_cuda_program(payload));
    program::compile_options how;
    const auto usual = program::place_cuda_program(payload, "p", how);
    how.place = {0x00100000, 0x60000000};
    const auto moved = program::place_cuda_program(payload, "p", how);
    const auto a = program::image::load(usual.data(), usual.size(), "usual");
    const auto b = program::image::load(moved.data(), moved.size(), "moved");
    EXPECT_EQ(b.get_kernel("k").entry - a.get_kernel("k").entry, 0x00100000U - 0x00010000U);
    EXPECT_EQ(a.find_symbol("v")->address, 0x40000000U);
    EXPECT_EQ(b.find_symbol("v")->address, 0x60000000U);
    EXPECT_THROW(static_cast<void>(program::place_cuda_program("nothing", "p", how)),
                 configuration_error);
}

TEST(nvcc, device_code_is_linked_over_files) {
    const std::string one = scratch_file("one.o"), two = scratch_file("two.o");
    ASSERT_EQ(
        run({"-dc",
             write_source("one.cu",
                          "extern __device__ int twice(int); extern __device__ int shared_one; "
                          "__global__ void k(int* p) { *p = twice(21) + shared_one; } "
                          "int main() { k<<<1, 1>>>(0); }"),
             "-o", one}),
        "exit 0");
    ASSERT_EQ(
        run({"-rdc=true", "-c",
             write_source("two.cu",
                          "__device__ int shared_one = 3; __device__ int twice(int x) { return "
                          "2 * x; } static __device__ int own; __global__ void l() { own = 1; }"
                          " void f() { int x = 0; l<<<1, 1>>>(); "
                          "cudaMemcpyToSymbol(own, &x, 4); }"),
             "-o", two}),
        "exit 0");
    const device_parts parts = find_device_parts({one, "-lm", two});
    EXPECT_EQ(parts.bitcode.size(), 2U);
    EXPECT_EQ(parts.registrations.size(), 2U);
    const std::string linked = scratch_file("linked.o");
    ASSERT_EQ(run({"-dlink", one, two, "-o", linked}), "exit 0");
    EXPECT_THAT(find_device_parts({one, two, linked}).registrations, IsEmpty());
    EXPECT_THAT(run({"-dlink", one, "-o", scratch_file("half.o")}), HasSubstr("twice"));
    const std::string archive = scratch_file("libboth.a");
    ASSERT_EQ(run({"-lib", one, two, "-o", archive}), "exit 0");
    EXPECT_EQ(find_device_parts({"-L" + fs::path(archive).parent_path().string(), "-lboth"})
                  .bitcode.size(),
              2U);
}

TEST(nvcc, warns_of_double_precision_if_asked) {
    const std::string source = write_source("doubles.cu",
                                            "__global__ void whole(float* p) { *p += 1.5f; }\n"
                                            "__global__ void slow(float* p) {\n"
                                            "    *p = *p\n"
                                            "        * 0.1;\n"
                                            "}\n");
    const std::string object = scratch_file("doubles.o");
    EXPECT_EQ(run({"-c", source, "-o", object}), "exit 0");
    const std::string said = run({"-c", source, "-o", object, "-Wdouble"});
    EXPECT_THAT(said, HasSubstr("kernel '_Z4slowPf' computes in double precision"));
    EXPECT_THAT(said, Not(HasSubstr("whole")));
    EXPECT_THAT(said, HasSubstr("doubles.cu:4 in "));
    EXPECT_THAT(said, HasSubstr(": double precision (__muldf3)"));
    EXPECT_EQ(said.find("Compiling entry function"), std::string::npos);
    const std::string single = write_source("single.cu", "__global__ void k(float* p) { *p = 1; }");
    EXPECT_EQ(run({"-c", single, "-o", object, "--warn-double"}), "exit 0");
}

TEST(nvcc, kernels_without_instructions_are_named) {
    const std::string source = write_source(
        "none.cu",
        "__global__ void bad(int* p) { __builtin_unreachable(); }\n"
        "__global__ void good(int* p, int by) { if (by) for (;;) *p += by; *p = 1; }\n");
    const std::string object = scratch_file("none.o");
    EXPECT_THAT(run({"-c", source, "-o", object, "-Xptxas", "-v"}),
                HasSubstr("kernel '_Z3badPi' has no instructions"));
    // Without optimization there is a jump, and parameters are described in the body.
    EXPECT_THAT(run({"-c", source, "-o", object, "-Xptxas", "-v", "-G"}),
                HasSubstr("Compiling entry function '_Z4goodPii'"));
}

TEST(nvcc, other_phases) {
    const std::string source = write_source("other.cu", "__global__ void k(int* p) { *p = X; }");
    testing::internal::CaptureStdout();
    EXPECT_EQ(nvcc({"-E", source, "-DX=4711"}), 0);
    EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("*p = 4711"));
    testing::internal::CaptureStdout();
    EXPECT_EQ(nvcc({"-MM", source}), 0);
    EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("other.cu"));
    testing::internal::CaptureStdout();
    EXPECT_EQ(nvcc({"--version"}), 0);
    EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("release 12.5, V12.5"));
    testing::internal::CaptureStdout();
    EXPECT_EQ(nvcc({"--help"}), 0);
    EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("-rdc"));
    const std::string object = scratch_file("other.o"), rule = scratch_file("other.d");
    const std::string said = run({"-dryrun", "-c", source, "-o", object});
    EXPECT_THAT(said, HasSubstr("#$ "));
    EXPECT_THAT(said, HasSubstr("-cc1"));
    EXPECT_FALSE(fs::exists(object));
    EXPECT_THAT(run({"-c", source, "-DX=1", "-o", object, "-MD", "-MF", rule, "-MT", "target",
                     "-Xptxas", "-v"}),
                HasSubstr("Compiling entry function '_Z1kPi'"));
    std::ifstream in(rule);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(text, HasSubstr("target:"));
    EXPECT_THAT(text, HasSubstr("cuda_runtime.h"));
    const std::string plain = write_source("plain.cpp",
                                           "#include <cuda_runtime.h>\n#include <cmath>\n"
                                           "__host__ int f() { return sizeof(dim3); }");
    EXPECT_EQ(run({"-c", plain, "-o", object}), "exit 0");
}

TEST(nvcc_options, of_other_machines_are_left_out_with_a_warning) {
    const std::string folder = fs::path(scratch_file("toolkit")).string();
    fs::create_directories(folder);
    for (const char* const name : {"cuda_runtime.h", "cuda_runtime_api.h"}) {
        std::ofstream(folder + "/" + name) << "#error another toolkit\n";
    }
    const nvcc_request r = read_nvcc_options({"-I" + folder, "-isystem", folder, "-Imine",
                                              "-Xcompiler", "-m64,-mcmodel=medium,-Wall", "-O4",
                                              "-march=native", "-deviceemu", "-lomp", "a.cu"});
    EXPECT_THAT(r.preprocessor, ElementsAre("-Imine"));
    EXPECT_THAT(r.host, ElementsAre("-Wall", "-O3"));
    EXPECT_THAT(r.link_words, ElementsAre("-lgomp", ""));
    EXPECT_THAT(r.warnings,
                ElementsAre(HasSubstr("-m64 is left out"), HasSubstr("-mcmodel=medium is left out"),
                            HasSubstr("-march=native is left out"), HasSubstr("another toolkit"),
                            HasSubstr("another toolkit")));
}

TEST(nvcc, addresses_of_managed_variables_are_no_initial_values) {
    for (const char* const value :
         {"int* p = &a[0];", "int* p = a + 5;", "int* p[] = {nullptr, a};",
          "struct s { int n; int* q; } p = {1, a + 1};"}) {
        const std::string source = write_source(
            "managed.cu", "__managed__ int a[10];\n" + std::string(value) +
                              "\nint* q() { return a + 5; }\nint main() { return *q(); }\n");
        testing::internal::CaptureStderr();
        EXPECT_NE(nvcc({"-c", source, "-o", scratch_file("managed.o")}), 0) << value;
        EXPECT_THAT(testing::internal::GetCapturedStderr(),
                    HasSubstr("the initial value of 'p' has the address of 'a', a __managed__"));
    }
}

}  // namespace
}  // namespace heddle::command
