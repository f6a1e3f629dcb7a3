// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// OpenCL C from memory to memory, and the cache of what has been built.
#include "models/program/opencl_build.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "models/base/error.h"
#include "models/program/build_cache.h"
#include "models/program/image.h"
#include "tests/base/temporary_directory.h"

namespace heddle::program {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* plain = "kernel void twice(global int* x) { x[get_global_id(0)] *= 2; }\n";

image loaded(const opencl_program& built) {
    EXPECT_EQ(built.status, build_status::success) << built.log;
    return image::load(built.image.data(), built.image.size(), "built");
}

opencl_program build(const std::string& text, const std::string& options = {},
                     const std::vector<source_text>& headers = {}) {
    return build_opencl({{"k.cl", text}, headers, options}, {});
}

TEST(opencl_build, gives_a_program_from_memory) {
    const opencl_program built = build(plain);
    const image program = loaded(built);
    EXPECT_EQ(built.log, "");
    ASSERT_EQ(program.kernels().size(), 1U);
    EXPECT_EQ(program.kernels()[0].name, "twice");
    EXPECT_EQ(program.kernels()[0].parameters[0].type, "int *");
    EXPECT_THAT(program.locate(program.kernels()[0].function).text(), HasSubstr("k.cl:1"));
    EXPECT_EQ(build(plain).image, built.image) << "no name of a moment";
}

TEST(opencl_build, tells_errors_by_the_program_s_own_lines) {
    const opencl_program built = build("kernel void f(global int* x) {\n  x[0] = y;\n}\n");
    EXPECT_EQ(built.status, build_status::failure);
    EXPECT_THAT(built.image, IsEmpty());
    EXPECT_THAT(built.log, AllOf(HasSubstr("k.cl:2:10: error: use of undeclared identifier 'y'"),
                                 Not(HasSubstr("heddle-compile-"))));
    EXPECT_THAT(build("int f(int x) { return x; }\n").log, HasSubstr("defines no kernel"));
    EXPECT_THAT(build("void g(void); kernel void f(void) { g(); }\n").log,
                HasSubstr("undefined symbol: g"));
}

TEST(opencl_build, passes_options_on) {
    const std::string text = R"(kernel void f(global float* x) {
#if A != 3 || B != 4
#error not defined
#endif
    x[0] = C[0];
})";
    EXPECT_EQ(build(text, "-DA=3 -D B=4 -DC='\"a b\"' ").status, build_status::success);
    EXPECT_EQ(build(text, "-DA=3 -DB=5 -DC=0").status, build_status::failure);
    for (const char* const option :
         {"-cl-fast-relaxed-math", "-cl-mad-enable", "-cl-single-precision-constant",
          "-cl-denorms-are-zero", "-cl-opt-disable", "-cl-std=CL1.0", "-cl-std=CL1.1",
          "-cl-std=CL1.2", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
          "-cl-finite-math-only", "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-strict-aliasing",
          "-cl-kernel-arg-info", "-w", "-g"}) {
        const opencl_program built = build(plain, option);
        EXPECT_EQ(built.status, build_status::success) << option << ": " << built.log;
    }
    // What an option means is seen in the code.
    const std::string sum = "kernel void f(global float* x) { x[0] = x[1] * x[2] / x[3] + 0.1; }";
    EXPECT_NE(build(sum, "-cl-opt-disable").image, build(sum).image);
    EXPECT_NE(build(sum, "-cl-single-precision-constant").image, build(sum).image);
    EXPECT_NE(build(sum, "-cl-fast-relaxed-math").image, build(sum).image);
}

TEST(opencl_build, has_the_macros_of_the_device) {
    const std::string text = R"(
#if __OPENCL_VERSION__ != 120 || __IMAGE_SUPPORT__ != 1 || __ENDIAN_LITTLE__ != 1
#error a macro is missing
#endif
kernel void f(global int* x) { x[0] = __OPENCL_C_VERSION__ + CL_VERSION_1_1; }
)";
    EXPECT_EQ(build(text).log, "");
    EXPECT_EQ(build(text, "-cl-std=CL1.1").log, "");
}

TEST(opencl_build, later_versions_are_taken_as_the_device_s) {
    const std::string text = R"(
#if __OPENCL_C_VERSION__ != 120
#error another version
#endif
float first(float* pointer) { return pointer[0]; }
kernel void f(global float* x) {
    float own[1] = {x[0]};
    x[0] = first(own);
}
)";
    for (const char* const option : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) {
        EXPECT_EQ(build(text, option).log, "") << option;
    }
}

TEST(opencl_build, refuses_options_that_it_does_not_know) {
    for (const auto& [options, error] :
         {std::pair("-cl-std=CL2.5", "'-cl-std=CL2.5'; legal: -cl-std=CL1.0, CL1.1, CL1.2"),
          std::pair("-cl-std=", "'-cl-std='; legal"), std::pair("-o /tmp/x", "unknown option '-o'"),
          std::pair("-cl-nonsense", "unknown option '-cl-nonsense'"),
          std::pair("-D", "nothing follows '-D'"), std::pair("-Wl,-z", "unknown option '-Wl,-z'"),
          std::pair("-DX='1", "a quotation mark is not closed"),
          std::pair("k.cl", "unknown option 'k.cl'")}) {
        const opencl_program built = build(plain, options);
        EXPECT_EQ(built.status, build_status::invalid_options) << options;
        EXPECT_THAT(built.log, HasSubstr(error));
    }
}

TEST(opencl_build, warnings_are_hidden_or_errors_as_asked) {
    const std::string text = "kernel void f(global int* x) { int y = 3.5; x[0] = y; }\n";
    EXPECT_THAT(build(text).log, HasSubstr("k.cl:1:40: warning: implicit conversion"));
    EXPECT_EQ(build(text, "-w").log, "");
    const opencl_program strict = build(text, "-Werror");
    EXPECT_EQ(strict.status, build_status::failure);
    EXPECT_THAT(strict.log, HasSubstr("error: implicit conversion"));
    // A warning of ours is none that the program has asked for.
    const std::string doubles = "kernel void f(global float* x) { x[0] = x[1] * 0.5; }\n";
    EXPECT_THAT(build(doubles).log, HasSubstr("double"));
    EXPECT_EQ(build(doubles, "-Werror").status, build_status::success);
}

TEST(opencl_build, headers_come_from_memory_and_from_folders) {
    const temporary_directory folder;
    std::ofstream(folder / "disk.h") << "#define FROM_DISK 5\n";
    const std::string text =
        "#include \"a.h\"\n#include <sub/b.h>\n#include \"disk.h\"\n"
        "kernel void f(global int* x) { x[0] = A + B + FROM_DISK; }\n";
    const std::vector<source_text> headers{{"a.h", "#include \"sub/b.h\"\n#define A B\n"},
                                           {"sub/b.h", "#pragma once\n#define B 4\n"}};
    const std::string options = "-I" + (folder / "") + " ";
    const opencl_program built = build(text, options, headers);
    EXPECT_EQ(built.status, build_status::success) << built.log;
    EXPECT_EQ(build(text, options, headers).image, built.image);
    EXPECT_THAT(build(text, options).log, HasSubstr("'a.h' file not found"));
    const opencl_module module = compile_opencl({{"k.cl", text}, headers, options}, {});
    EXPECT_THAT(module.dependencies, testing::Contains(folder / "disk.h"));
    EXPECT_THAT(module.dependencies, testing::Each(Not(HasSubstr("a.h"))));
    const opencl_program wrong =
        build("#include \"a.h\"\n", {}, {{"a.h", "\n#error in a header\n"}});
    EXPECT_THAT(wrong.log, HasSubstr("a.h:2:2: error: in a header"));
    EXPECT_THROW(build(text, {}, {{"../a.h", ""}}), configuration_error);
    EXPECT_THROW(build(text, {}, {{"/a.h", ""}}), configuration_error);
}

TEST(opencl_build, compiles_and_links_apart) {
    const auto module = [](const std::string& text) {
        opencl_module made = compile_opencl({{"m.cl", text}, {}, {}}, {});
        EXPECT_EQ(made.status, build_status::success) << made.log;
        return made.ir;
    };
    const std::string library = module("int three(int x) { return 3 * x; }\n");
    const std::string user =
        module("int three(int x);\nkernel void f(global int* x) { x[0] = three(x[0]); }\n");
    const std::string other =
        module("int three(int x);\nkernel void g(local int* x) { x[0] = three(x[0]); }\n");
    const image program = loaded(link_opencl({user, library, other}, "linked", {}));
    ASSERT_EQ(program.kernels().size(), 2U);
    EXPECT_EQ(program.kernels()[1].parameters[0].what, kernel_parameter::kind::local_pointer);
    const opencl_program incomplete = link_opencl({user}, "linked", {});
    EXPECT_EQ(incomplete.status, build_status::failure);
    EXPECT_THAT(incomplete.log, HasSubstr("undefined symbol: three"));
    EXPECT_THAT(link_opencl({user, library, user}, "linked", {}).log,
                HasSubstr("duplicate symbol: f"));
    EXPECT_THAT(link_opencl({library}, "linked", {}).log, HasSubstr("defines no kernel"));
}

TEST(opencl_build, links_for_the_place_that_is_given) {
    compile_options how;
    how.place = {0x00123000, 0x90000000};
    const image program =
        loaded(build_opencl({{"k.cl",
                              "constant int c[2] = {1, 2};\nkernel void f(global int* x, int i) "
                              "{ x[0] = c[i]; }\n"},
                             {},
                             {}},
                            how));
    EXPECT_EQ(program.code().base, 0x00123000U);
    EXPECT_EQ(extent_of(program, how.place).data, 0U);
    const program_extent extent = extent_of(program, how.place);
    EXPECT_GT(extent.code, 4 * program.code().instructions.size()) << "and the constants";
    EXPECT_LT(extent.code, 0x1000U);
    how.place = {0x00123004, 0x90000000};
    EXPECT_THROW(build_opencl({{"k.cl", plain}, {}, {}}, how), configuration_error);
    how.place = {0x01010000, 0x90000000};  // behind the last one
    EXPECT_THROW(build_opencl({{"k.cl", plain}, {}, {}}, how), configuration_error);
    how.place = {0x00010000, 0x3ffff000};
    EXPECT_THROW(build_opencl({{"k.cl", plain}, {}, {}}, how), configuration_error);
}

TEST(opencl_build, words_of_options_are_those_of_a_shell) {
    const auto words = [](const char* text) { return option_words(text).value(); };
    EXPECT_THAT(words(""), IsEmpty());
    EXPECT_THAT(words("  -a\t-b=c\n"), ElementsAre("-a", "-b=c"));
    EXPECT_THAT(words("-D'x y'z \"\" \\ q"), ElementsAre("-Dx yz", "", " q"));
    EXPECT_THAT(words(R"(-D"a\"b" '\')"), ElementsAre("-Da\"b", "\\"));
    EXPECT_FALSE(option_words("'").has_value());
}

class build_cache_test : public testing::Test {
protected:
    [[nodiscard]] std::vector<std::filesystem::path> entries() const {
        std::vector<std::filesystem::path> all;
        for (const auto& each : std::filesystem::directory_iterator(where())) {
            all.push_back(each.path());
        }
        std::sort(all.begin(), all.end());
        return all;
    }
    [[nodiscard]] std::filesystem::path where() const { return folder_ / "cache"; }
    static opencl_source source(const std::string& options = {}, const char* text = plain) {
        return {{"k.cl", text}, {}, options};
    }

    const temporary_directory folder_;
};

TEST_F(build_cache_test, gives_the_bytes_of_an_earlier_build) {
    const opencl_program direct = build_opencl(source("-g -Wall"), {});
    build_cache first(where());
    EXPECT_EQ(first.build(source("-g -Wall"), {}).image, direct.image);
    build_cache second(where());
    const opencl_program found = second.build(source("-g -Wall"), {});
    EXPECT_EQ(found.image, direct.image);
    EXPECT_EQ(found.log, direct.log);
    EXPECT_EQ(found.status, build_status::success);
    EXPECT_EQ(first.misses(), 1U);
    EXPECT_EQ(second.hits(), 1U);
    EXPECT_EQ(second.misses(), 0U);
}

TEST_F(build_cache_test, knows_what_decides_about_a_program) {
    build_cache cache(where());
    (void)cache.build(source(), {});
    opencl_source changed = source();
    changed.source.name = "other.cl";
    (void)cache.build(changed, {});
    (void)cache.build(source("-DX"), {});
    (void)cache.build(source({}, "kernel void f(global int* x) { x[0] = 2; }\n"), {});
    changed = source();
    changed.headers.push_back({"unused.h", ""});
    (void)cache.build(changed, {});
    compile_options how;
    how.place.code = 0x20000;
    (void)cache.build(source(), how);
    how = {};
    how.double_precision = false;
    (void)cache.build(source(), how);
    EXPECT_EQ(cache.hits(), 0U);
    EXPECT_EQ(cache.misses(), 7U);
    EXPECT_EQ(entries().size(), 7U);
    (void)cache.build(source(), {});
    EXPECT_EQ(cache.hits(), 1U);
}

TEST_F(build_cache_test, keeps_no_failure) {
    build_cache cache(where());
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT_EQ(cache.build(source({}, "kernel void f( {"), {}).status, build_status::failure);
        EXPECT_EQ(cache.build(source("-q"), {}).status, build_status::invalid_options);
    }
    EXPECT_EQ(cache.hits(), 0U);
    EXPECT_FALSE(std::filesystem::exists(where()));
}

TEST_F(build_cache_test, sees_changed_headers) {
    const std::string header = folder_ / "h.h";
    std::ofstream(header) << "#define VALUE 1\n";
    const opencl_source with =
        source("-I" + (folder_ / ""),
               "#include \"h.h\"\nkernel void f(global int* x) { x[0] = VALUE; }\n");
    build_cache cache(where());
    const opencl_program one = cache.build(with, {});
    EXPECT_EQ(cache.build(with, {}).image, one.image);
    EXPECT_EQ(cache.hits(), 1U);
    std::ofstream(header) << "#define VALUE 2\n";  // the same size
    const opencl_program two = cache.build(with, {});
    EXPECT_EQ(cache.hits(), 1U);
    EXPECT_NE(two.image, one.image);
    EXPECT_EQ(cache.build(with, {}).image, two.image);
    EXPECT_EQ(cache.hits(), 2U);
}

TEST_F(build_cache_test, builds_anew_what_is_damaged) {
    build_cache cache(where());
    const opencl_program good = cache.build(source(), {});
    const std::filesystem::path file = entries().front();
    const auto size = std::filesystem::file_size(file);
    const auto damage = [&](const std::function<void()>& how) {
        how();
        const std::uint64_t misses = cache.misses();
        EXPECT_EQ(cache.build(source(), {}).image, good.image);
        EXPECT_EQ(cache.misses(), misses + 1);
        EXPECT_EQ(cache.build(source(), {}).image, good.image);
        EXPECT_EQ(cache.misses(), misses + 1) << "it is whole again";
        EXPECT_EQ(std::filesystem::file_size(file), size);
    };
    damage([&] { std::filesystem::resize_file(file, size - 1); });
    damage([&] { std::filesystem::resize_file(file, 0); });
    for (const std::uintmax_t at : {std::uintmax_t{3}, std::uintmax_t{30}, size / 2, size - 1}) {
        damage([&] {
            std::fstream byte(file, std::ios::in | std::ios::out | std::ios::binary);
            byte.seekg(static_cast<std::streamoff>(at));
            const char old = static_cast<char>(byte.get());
            byte.seekp(static_cast<std::streamoff>(at));
            byte.put(static_cast<char>(old ^ 1));
        });
    }
}

TEST_F(build_cache_test, stays_within_its_size) {
    build_cache cache(where());
    (void)cache.build(source(), {});
    const std::uintmax_t one = std::filesystem::file_size(entries().front());
    build_cache small(where(), 3 * one + one / 2);
    for (const char* const options : {"-DA", "-DB", "-DC", "-DD"}) {
        (void)small.build(source(options), {});
        ::usleep(20'000);                 // times of files tell them apart
        (void)small.build(source(), {});  // always used
        ::usleep(20'000);
    }
    EXPECT_EQ(small.hits(), 4U) << "what is used stays";
    EXPECT_EQ(entries().size(), 3U);
    (void)small.build(source("-DA"), {});
    EXPECT_EQ(small.hits(), 4U) << "the oldest is gone";
}

TEST_F(build_cache_test, serves_processes_at_once) {
    std::vector<pid_t> children;
    for (unsigned i = 0; i < 8; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            build_cache cache(where());
            bool good = true;
            for (unsigned n = 0; n < 2; ++n) {
                const opencl_program built =
                    cache.build(source("-DN=" + std::to_string((i + n) % 3)), {});
                good =
                    good && built.status == build_status::success &&
                    image::load(built.image.data(), built.image.size(), "k").kernels().size() == 1;
            }
            ::_exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = -1;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(entries().size(), 3U) << "nothing half done is left";
    build_cache cache(where());
    for (unsigned n = 0; n < 3; ++n) (void)cache.build(source("-DN=" + std::to_string(n)), {});
    EXPECT_EQ(cache.hits(), 3U);
}

TEST_F(build_cache_test, that_can_not_write_still_builds) {
    std::ofstream(where()) << "a file";
    build_cache cache(where());
    EXPECT_EQ(cache.build(source(), {}).status, build_status::success);
    EXPECT_EQ(cache.build(source(), {}).status, build_status::success);
    EXPECT_EQ(cache.misses(), 2U);
    build_cache nowhere{{}};
    EXPECT_EQ(nowhere.build(source(), {}).status, build_status::success);
}

TEST(default_cache_folder, follows_the_environment) {
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(default_cache_folder(), "/somewhere/heddle/programs");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    ::setenv("HOME", "/home/somebody", 1);
    EXPECT_EQ(default_cache_folder(), "/home/somebody/.cache/heddle/programs");
    ::unsetenv("XDG_CACHE_HOME");
    ::unsetenv("HOME");
    EXPECT_EQ(default_cache_folder(), "");
}

}  // namespace
}  // namespace heddle::program
