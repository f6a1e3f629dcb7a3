// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/device/device.h"
#include "models/iss/simulator.h"
#include "models/program/image.h"

namespace heddle::cuda::test {

/// The device half of a CUDA source, as `heddle nvcc -cubin` with these options makes it; a test
/// failure and an exception if that fails.
std::shared_ptr<program::image> compile_device(const std::string& text,
                                               const std::vector<std::string>& options = {});

/// Loaded into a functional simulator. Kernels are called by their names: extern "C".
class cuda_kernels {
public:
    explicit cuda_kernels(const std::string& text, const std::vector<std::string>& options = {},
                          unsigned warp_lanes = 32);

    /// Runs a kernel; arguments as launch() takes them.
    template <class... Arguments>
    void run(const std::string& kernel, const launch_shape& shape, const Arguments&... arguments) {
        launch(*gpu_, kernel, shape, arguments...);
        gpu_->synchronize();
    }
    [[nodiscard]] device& gpu() noexcept { return *gpu_; }
    [[nodiscard]] const program::image& image() const noexcept { return *image_; }

private:
    std::shared_ptr<program::image> image_;
    std::unique_ptr<iss::functional_simulator> gpu_;
};

}  // namespace heddle::cuda::test
