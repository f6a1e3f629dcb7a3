// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/cuda/cuda_kernels.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "command/nvcc/nvcc_command.h"
#include "models/base/machine_configuration.h"
#include "tests/program/compiled_program.h"

namespace heddle::cuda::test {

std::shared_ptr<program::image> compile_device(const std::string& text,
                                               const std::vector<std::string>& options) {
    const std::string source = program::test::write_source("kernels.cu", text);
    const std::string output = program::test::scratch_file("kernels.elf");
    std::vector<std::string> words{"-cubin", source, "-o", output};
    words.insert(words.end(), options.begin(), options.end());
    if (command::nvcc(words) != 0) throw std::runtime_error("heddle nvcc failed");
    return std::make_shared<program::image>(program::image::load(output));
}

cuda_kernels::cuda_kernels(const std::string& text, const std::vector<std::string>& options,
                           unsigned warp_lanes)
    : image_(compile_device(text, options)) {
    machine_configuration machine;
    machine.smx_count = 2;
    machine.warp_size = warp_lanes;
    gpu_ = std::make_unique<iss::functional_simulator>(machine);
    gpu_->load(image_);
}

}  // namespace heddle::cuda::test
