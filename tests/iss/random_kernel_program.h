// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/device/device.h"
#include "models/program/compile.h"
#include "models/program/image.h"
#include "models/random_kernels/random_kernel.h"
#include "tests/base/temporary_directory.h"

namespace heddle::iss {

/// The number in environment variable `name`.
inline unsigned setting(const char* name, unsigned otherwise) {
    const char* given = std::getenv(name);
    return given == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

/// Random kernels in one source file, compiled.
class random_kernel_program {
public:
    random_kernel_program(unsigned seed, unsigned count, kernel_language language,
                          unsigned optimization, const kernel_operations& operations) {
        random_stream random(seed, "uniform conditions");
        const bool opencl = language == kernel_language::opencl;
        std::string text = opencl ? "" : "#include <heddle.h>\n";
        for (unsigned k = 0; k < count; ++k) {
            kernels_.push_back(
                make_random_kernel(random, "k" + std::to_string(k), language, operations));
            text += source_text(kernels_.back());
        }
        program::compile_options options;
        options.optimization = optimization;
        const std::string compiled = files_ / "random.elf";
        program::compile({files_.write(opencl ? "random.cl" : "random.cpp", text)}, compiled,
                         options);
        image_ = std::make_shared<program::image>(program::image::load(compiled));
    }

    [[nodiscard]] const std::vector<kernel_tree>& kernels() const noexcept { return kernels_; }
    [[nodiscard]] const std::shared_ptr<const program::image>& image() const noexcept {
        return image_;
    }

private:
    const temporary_directory files_;
    std::vector<kernel_tree> kernels_;
    std::shared_ptr<const program::image> image_;
};

/// One block of a kernel on a device, compared with the interpreter of its tree.
inline void expect_result(device& gpu, const kernel_tree& kernel, unsigned warp_size,
                          unsigned threads, const kernel_arguments& arguments) {
    const std::string what = "\nwarps of " + std::to_string(warp_size) +
                             ", n = " + std::to_string(arguments.n) +
                             ", m = " + std::to_string(arguments.m) + "\n" + source_text(kernel);
    const std::vector<std::uint32_t> flags(arguments.flags.begin(), arguments.flags.end());
    const device_buffer<std::uint32_t> given(gpu, flags, "flags");
    const device_buffer<std::uint32_t> out(gpu, threads, "out");
    launch_shape shape{{1}, {threads}};
    shape.cooperative = kernel.operations.cooperation;
    try {
        launch(gpu, kernel.name, shape, arguments.n, arguments.m, given.get(), out.get());
        EXPECT_EQ(out.read(), result_of(kernel, arguments, threads, warp_size).out) << what;
    } catch (const run_error& error) {
        ADD_FAILURE() << error.what() << what;
    }
}

}  // namespace heddle::iss
