// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstdlib>

#include "models/program/compile.h"
#include "tests/base/temporary_directory.h"
#include "tests/iss/fixture.h"
#include "tests/iss/random_kernel.h"

namespace heddle::iss {
namespace {

unsigned setting(const char* name, unsigned otherwise) {
    const char* given = std::getenv(name);
    return given == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

struct compilation {
    kernel_language language;
    unsigned optimization;
};

class uniform_conditions : public testing::TestWithParam<compilation> {
protected:
    /// Compiles `count` kernels in one source.
    void compile(unsigned seed, unsigned count) {
        random_stream random(seed, "uniform conditions");
        const bool opencl = GetParam().language == kernel_language::opencl;
        std::string text = opencl ? "" : "#include <heddle.h>\n";
        kernels_.clear();
        for (unsigned k = 0; k < count; ++k) {
            kernels_.push_back(
                make_random_kernel(random, "k" + std::to_string(k), GetParam().language));
            text += source_text(kernels_.back());
        }
        source_ = files_.write(opencl ? "random.cl" : "random.cpp", text);
        program::compile_options options;
        options.optimization = GetParam().optimization;
        program_ = files_ / "random.elf";
        program::compile({source_}, program_, options);
    }

    /// Runs all of them and compares with the interpreter of their trees.
    void compare(unsigned warp_size, unsigned threads, const kernel_arguments& arguments) {
        for (const auto& kernel : kernels_) {
            // Each on a machine of its own: a fault ends all that was launched.
            functional_simulator gpu(small_machine(warp_size));
            gpu.load(std::make_shared<program::image>(program::image::load(program_)));
            const std::vector<std::uint32_t> flags(arguments.flags.begin(), arguments.flags.end());
            const device_buffer<std::uint32_t> given(gpu, flags, "flags");
            const device_buffer<std::uint32_t> out(gpu, threads, "out");
            const auto expected = result_of(kernel, arguments, threads, warp_size);
            try {
                launch(gpu, kernel.name, {{1}, {threads}}, arguments.n, arguments.m, given.get(),
                       out.get());
                EXPECT_EQ(out.read(), expected) << describe(kernel, arguments, warp_size);
            } catch (const run_error& error) {
                ADD_FAILURE() << error.what() << describe(kernel, arguments, warp_size);
            }
        }
    }

private:
    static std::string describe(const kernel_tree& kernel, const kernel_arguments& arguments,
                                unsigned warp_size) {
        return "\nwarps of " + std::to_string(warp_size) + ", n = " + std::to_string(arguments.n) +
               ", m = " + std::to_string(arguments.m) + "\n" + source_text(kernel);
    }

    const temporary_directory files_;
    std::string source_, program_;
    std::vector<kernel_tree> kernels_;
};

/// HEDDLE_RANDOM_KERNELS sets how many, HEDDLE_RANDOM_SEED which.
TEST_P(uniform_conditions, hold_in_random_kernels) {
    constexpr unsigned in_one_source = 40;
    const unsigned count = setting("HEDDLE_RANDOM_KERNELS", in_one_source);
    const unsigned seed = setting("HEDDLE_RANDOM_SEED", 1);
    for (unsigned done = 0; done < count && !HasFailure(); done += in_one_source) {
        compile(seed + done / in_one_source, std::min(in_one_source, count - done));
        compare(32, 64, {4, 5, {0, 1, 2, 3}});
        compare(32, 64, {1, 10, {3, 0, 2, 1}});
        compare(8, 32, {2, 3, {1, 3, 0, 2}});
        compare(64, 48, {3, 6, {2, 2, 1, 0}});
    }
}

INSTANTIATE_TEST_SUITE_P(
    cpp, uniform_conditions,
    testing::Values(compilation{kernel_language::cpp, 0}, compilation{kernel_language::cpp, 1},
                    compilation{kernel_language::cpp, 2}, compilation{kernel_language::cpp, 3}),
    [](const auto& of) { return "O" + std::to_string(of.param.optimization); });
INSTANTIATE_TEST_SUITE_P(opencl, uniform_conditions,
                         testing::Values(compilation{kernel_language::opencl, 1},
                                         compilation{kernel_language::opencl, 2},
                                         compilation{kernel_language::opencl, 3}),
                         [](const auto& of) {
                             return "O" + std::to_string(of.param.optimization);
                         });

}  // namespace
}  // namespace heddle::iss
