// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/random.h"
#include "models/device/device.h"
#include "models/program/opencl/image_descriptor.h"

namespace heddle::opencl::test {

using colour = std::array<double, 4>;

struct format {
    unsigned order;
    unsigned type;
};

/// Of a channel, or of a packed pixel.
unsigned channel_bytes(unsigned type);

/// An image of random pixels in the memory of the device, and its bytes on the host. Behind each
/// row lie bytes of nobody.
class test_image {
public:
    test_image(device& gpu, const format& of, unsigned width, unsigned height,
               random_stream& random);

    /// The argument of an image parameter.
    [[nodiscard]] device_ptr<std::uint32_t> get() const { return descriptor_.get(); }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] std::vector<std::uint8_t> device_bytes() const;
    [[nodiscard]] std::vector<std::uint8_t>& bytes() { return bytes_; }
    [[nodiscard]] std::size_t offset(int x, int y) const {
        return static_cast<std::size_t>(y) * pitch_ + static_cast<std::size_t>(x) * pixel_;
    }
    /// What a kernel reads there, by the bytes of the host; outside: the border.
    [[nodiscard]] colour pixel(int x, int y) const;

private:
    [[nodiscard]] double value(std::uint32_t raw) const;
    [[nodiscard]] colour packed(std::uint32_t raw) const;

    format of_;
    int width_, height_;
    unsigned pixel_, pitch_;  ///< bytes
    std::vector<std::uint8_t> bytes_;
    device& gpu_;
    device_buffer<std::uint32_t> memory_;
    device_buffer<std::uint32_t> descriptor_;
};

/// What a sampler gives, in double precision by the formulas of OpenCL 1.2, 8.2.
colour sampled(const test_image& of, unsigned how, double s, double t);

}  // namespace heddle::opencl::test
