// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/opencl/test_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace heddle::opencl::test {
namespace {

unsigned channels(unsigned order) {
    switch (order) {
        case HEDDLE_IMAGE_RG:
        case HEDDLE_IMAGE_RA:
            return 2;
        case HEDDLE_IMAGE_RGBA:
        case HEDDLE_IMAGE_BGRA:
        case HEDDLE_IMAGE_ARGB:
            return 4;
        default:
            return 1;
    }
}

double half_value(unsigned bits) {
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const int fraction = static_cast<int>(bits & 1023);
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

colour border_of(unsigned order) {
    const bool opaque = order == HEDDLE_IMAGE_R || order == HEDDLE_IMAGE_RG ||
                        order == HEDDLE_IMAGE_RGB || order == HEDDLE_IMAGE_LUMINANCE;
    return {0, 0, 0, opaque ? 1.0 : 0.0};
}

int clamped(int i, int size, unsigned mode) {
    if (mode == HEDDLE_SAMPLER_CLAMP_TO_EDGE) return std::clamp(i, 0, size - 1);
    return std::clamp(i, -1, size);
}

/// i0, i1 and the share of i1 (8.2), in one dimension.
struct taps {
    int first, second;
    double share;
};
taps taps_of(double s, int size, unsigned how) {
    const unsigned mode = how & HEDDLE_SAMPLER_ADDRESS;
    const bool linear = (how & HEDDLE_SAMPLER_LINEAR) != 0;
    if (mode == HEDDLE_SAMPLER_REPEAT) {
        const double u = (s - std::floor(s)) * size;
        if (!linear) return {static_cast<int>(std::floor(u)) % size, 0, 0};
        int i0 = static_cast<int>(std::floor(u - 0.5));
        int i1 = i0 + 1;
        if (i0 < 0) i0 += size;
        if (i1 > size - 1) i1 -= size;
        return {i0, i1, u - 0.5 - std::floor(u - 0.5)};
    }
    if (mode == HEDDLE_SAMPLER_MIRRORED_REPEAT) {
        const double u = std::fabs(s - 2 * std::rint(0.5 * s)) * size;
        if (!linear) return {std::min(static_cast<int>(std::floor(u)), size - 1), 0, 0};
        const int i0 = static_cast<int>(std::floor(u - 0.5));
        return {std::max(i0, 0), std::min(i0 + 1, size - 1), u - 0.5 - std::floor(u - 0.5)};
    }
    const double u = (how & HEDDLE_SAMPLER_NORMALIZED) != 0 ? s * size : s;
    if (!linear) return {clamped(static_cast<int>(std::floor(u)), size, mode), 0, 0};
    const int i0 = static_cast<int>(std::floor(u - 0.5));
    return {clamped(i0, size, mode), clamped(i0 + 1, size, mode), u - 0.5 - std::floor(u - 0.5)};
}

}  // namespace

unsigned channel_bytes(unsigned type) {
    switch (type) {
        case HEDDLE_IMAGE_SNORM_INT8:
        case HEDDLE_IMAGE_UNORM_INT8:
        case HEDDLE_IMAGE_SIGNED_INT8:
        case HEDDLE_IMAGE_UNSIGNED_INT8:
            return 1;
        case HEDDLE_IMAGE_UNORM_INT_101010:
        case HEDDLE_IMAGE_SIGNED_INT32:
        case HEDDLE_IMAGE_UNSIGNED_INT32:
        case HEDDLE_IMAGE_FLOAT:
            return 4;
        default:
            return 2;
    }
}

test_image::test_image(device& gpu, const format& of, unsigned width, unsigned height,
                       random_stream& random)
    : of_(of),
      width_(static_cast<int>(width)),
      height_(static_cast<int>(height)),
      pixel_(channels(of.order) * channel_bytes(of.type)),
      pitch_(pixel_ * (width + 3)),
      bytes_(std::size_t{pitch_} * height),
      gpu_(gpu),
      memory_(gpu, bytes_.size() / 4 + 1, "pixels"),
      descriptor_(gpu, 8, "descriptor") {
    for (std::uint8_t& byte : bytes_) byte = static_cast<std::uint8_t>(random.below(256));
    const unsigned step = channel_bytes(of.type);
    for (std::size_t at = 0; at < bytes_.size(); at += step) {
        // No infinity and no NaN.
        if (of.type == HEDDLE_IMAGE_HALF_FLOAT) bytes_[at + 1] &= 0xbb;
        if (of.type == HEDDLE_IMAGE_FLOAT) {
            const float value = static_cast<float>(random.below(2001)) / 1000 - 1;
            std::memcpy(&bytes_[at], &value, sizeof value);
        }
    }
    gpu.write(memory_.get().address, bytes_.data(), bytes_.size());
    descriptor_.write({memory_.get().address, width, height, pitch_, of.order, of.type, 0, 0});
}

std::vector<std::uint8_t> test_image::device_bytes() const {
    std::vector<std::uint8_t> now(bytes_.size());
    gpu_.read(now.data(), memory_.get().address, now.size());
    return now;
}

colour test_image::pixel(int x, int y) const {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return border_of(of_.order);
    colour c{};
    for (unsigned n = 0; n < channels(of_.order); ++n) {
        std::uint32_t raw = 0;
        std::memcpy(&raw, &bytes_[offset(x, y) + n * channel_bytes(of_.type)],
                    channel_bytes(of_.type));
        if (of_.order == HEDDLE_IMAGE_RGB) {
            c = packed(raw);
        } else {
            c[n] = value(raw);
        }
    }
    switch (of_.order) {
        case HEDDLE_IMAGE_R:
            return {c[0], 0, 0, 1};
        case HEDDLE_IMAGE_A:
            return {0, 0, 0, c[0]};
        case HEDDLE_IMAGE_RG:
            return {c[0], c[1], 0, 1};
        case HEDDLE_IMAGE_RA:
            return {c[0], 0, 0, c[1]};
        case HEDDLE_IMAGE_RGB:
            return {c[0], c[1], c[2], 1};
        case HEDDLE_IMAGE_BGRA:
            return {c[2], c[1], c[0], c[3]};
        case HEDDLE_IMAGE_ARGB:
            return {c[1], c[2], c[3], c[0]};
        case HEDDLE_IMAGE_INTENSITY:
            return {c[0], c[0], c[0], c[0]};
        case HEDDLE_IMAGE_LUMINANCE:
            return {c[0], c[0], c[0], 1};
        default:
            return c;
    }
}

double test_image::value(std::uint32_t raw) const {
    switch (of_.type) {
        case HEDDLE_IMAGE_SNORM_INT8:
            return std::max(static_cast<std::int8_t>(raw) / 127.0, -1.0);
        case HEDDLE_IMAGE_SNORM_INT16:
            return std::max(static_cast<std::int16_t>(raw) / 32767.0, -1.0);
        case HEDDLE_IMAGE_UNORM_INT8:
            return raw / 255.0;
        case HEDDLE_IMAGE_UNORM_INT16:
            return raw / 65535.0;
        case HEDDLE_IMAGE_SIGNED_INT8:
            return static_cast<std::int8_t>(raw);
        case HEDDLE_IMAGE_SIGNED_INT16:
            return static_cast<std::int16_t>(raw);
        case HEDDLE_IMAGE_SIGNED_INT32:
            return static_cast<std::int32_t>(raw);
        case HEDDLE_IMAGE_HALF_FLOAT:
            return half_value(raw);
        case HEDDLE_IMAGE_FLOAT: {
            float real = 0;
            std::memcpy(&real, &raw, sizeof real);
            return real;
        }
        default:
            return raw;
    }
}

colour test_image::packed(std::uint32_t raw) const {
    if (of_.type == HEDDLE_IMAGE_UNORM_SHORT_565) {
        return {(raw >> 11) / 31.0, (raw >> 5 & 63) / 63.0, (raw & 31) / 31.0, 0};
    }
    if (of_.type == HEDDLE_IMAGE_UNORM_SHORT_555) {
        return {(raw >> 10 & 31) / 31.0, (raw >> 5 & 31) / 31.0, (raw & 31) / 31.0, 0};
    }
    return {(raw >> 20 & 1023) / 1023.0, (raw >> 10 & 1023) / 1023.0, (raw & 1023) / 1023.0, 0};
}

colour sampled(const test_image& of, unsigned how, double s, double t) {
    const taps x = taps_of(s, of.width(), how);
    const taps y = taps_of(t, of.height(), how);
    if ((how & HEDDLE_SAMPLER_LINEAR) == 0) return of.pixel(x.first, y.first);
    colour sum{};
    for (unsigned n = 0; n < 4; ++n) {
        sum[n] = (1 - x.share) * (1 - y.share) * of.pixel(x.first, y.first)[n] +
                 x.share * (1 - y.share) * of.pixel(x.second, y.first)[n] +
                 (1 - x.share) * y.share * of.pixel(x.first, y.second)[n] +
                 x.share * y.share * of.pixel(x.second, y.second)[n];
    }
    return sum;
}

}  // namespace heddle::opencl::test
