// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <utility>

#include "models/program/image.h"

namespace heddle {

/// The program that the device runs, shared by the host, which loads it, and the SMXs, which
/// fetch from it. A kernel is named by its position in image::kernels().
class program_holder {
public:
    void set(std::shared_ptr<const program::image> image) noexcept { image_ = std::move(image); }
    /// Null until a program is loaded.
    [[nodiscard]] const program::image* get() const noexcept { return image_.get(); }

private:
    std::shared_ptr<const program::image> image_;
};

}  // namespace heddle
