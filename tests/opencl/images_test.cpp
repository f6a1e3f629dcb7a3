// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Images and samplers against the reference of test_image.h.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "models/base/random.h"
#include "tests/opencl/built_ins.h"
#include "tests/opencl/test_image.h"

namespace heddle::opencl::test {
namespace {

constexpr const char* image_kernels = R"(
kernel void sample(read_only image2d_t in, sampler_t how, global const float2* at, global float4* out) {
    const int i = get_global_id(0);
    out[i] = read_imagef(in, how, at[i]);
}
kernel void read_at(read_only image2d_t in, sampler_t how, global const int2* at, global float4* out) {
    const int i = get_global_id(0);
    out[i] = read_imagef(in, how, at[i]);
}
kernel void read_plainly(read_only image2d_t in, global const int2* at, global float4* out) {
    const int i = get_global_id(0);
    out[i] = read_imagef(in, at[i]);
}
kernel void read_signed(read_only image2d_t in, sampler_t how, global const int2* at, global int4* out) {
    const int i = get_global_id(0);
    out[i] = read_imagei(in, how, at[i]);
    out[i + get_global_size(0)] = read_imagei(in, how, convert_float2(at[i]) + 0.75f);
    out[i + 2 * get_global_size(0)] = read_imagei(in, clamp(at[i], 0, get_image_dim(in) - 1));
}
kernel void read_unsigned(read_only image2d_t in, sampler_t how, global const int2* at, global uint4* out) {
    const int i = get_global_id(0);
    out[i] = read_imageui(in, how, at[i]);
    out[i + get_global_size(0)] = read_imageui(in, how, convert_float2(at[i]) + 0.75f);
    out[i + 2 * get_global_size(0)] = read_imageui(in, clamp(at[i], 0, get_image_dim(in) - 1));
}
kernel void write_real(write_only image2d_t to, global const int2* at, global const float4* value) {
    const int i = get_global_id(0);
    write_imagef(to, at[i], value[i]);
}
kernel void write_signed(write_only image2d_t to, global const int2* at, global const int4* value) {
    const int i = get_global_id(0);
    write_imagei(to, at[i], value[i]);
}
kernel void write_unsigned(write_only image2d_t to, global const int2* at, global const uint4* value) {
    const int i = get_global_id(0);
    write_imageui(to, at[i], value[i]);
}
constant sampler_t in_source = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
kernel void sample_in_source(read_only image2d_t in, global const float2* at, global float4* out) {
    const int i = get_global_id(0);
    out[i] = read_imagef(in, in_source, at[i]);
}
kernel void ask(read_only image2d_t in, write_only image2d_t to, global int* out) {
    out[0] = get_image_width(in);
    out[1] = get_image_height(in);
    out[2] = get_image_dim(in).x;
    out[3] = get_image_dim(in).y;
    out[4] = get_image_channel_data_type(in);
    out[5] = get_image_channel_order(in);
    out[6] = get_image_width(to);
    out[7] = get_image_height(to);
    out[8] = get_image_dim(to).x;
    out[9] = get_image_dim(to).y;
    out[10] = get_image_channel_data_type(to);
    out[11] = get_image_channel_order(to);
}
)";

constexpr unsigned threads = 256;

class opencl_images : public testing::Test {
protected:
    /// All kernels take a place for each thread, and a value that they read or write.
    template <class Place, class Value, class... Arguments>
    std::vector<Value> call(const char* kernel, const std::vector<Place>& at,
                            const std::vector<Value>& values, const Arguments&... image) {
        const device_buffer<Place> places(gpu_, at, "places");
        const device_buffer<Value> data(gpu_, values, "values");
        launch(gpu_, kernel, {{threads / 64}, {64}}, image..., places.get(), data.get());
        return data.read();
    }
    static device_ptr<std::uint32_t> sampler(unsigned how) { return {how}; }

    built_ins built_ins_{image_kernels};
    device& gpu_ = built_ins_.gpu();
    random_stream random_{20, "images"};
};

/// Places in and around the image, in its middle, and on the boundaries of pixels. Linear filters
/// take no place that single precision could put into another pixel.
std::vector<std::array<float, 2>> places_of(random_stream& random, const test_image& of,
                                            bool normalized) {
    std::vector<std::array<float, 2>> all;
    for (unsigned i = 0; i < threads; ++i) {
        const auto one = [&](int size) {
            // Multiples of 1/8 of a pixel, a little beside the boundary where the division is
            // inexact.
            const double pixels = static_cast<double>(random.below(8U * 3 * size)) / 8 - size;
            return static_cast<float>(normalized ? (pixels + 1.0 / 64) / size : pixels);
        };
        all.push_back({one(of.width()), one(of.height())});
    }
    all[0] = {-1e30F, 3};
    all[1] = {1e30F, -1e30F};
    all[2] = {2e9F, 0.25F};
    return all;
}

TEST_F(opencl_images, are_sampled_as_the_specification_says) {
    const format formats[] = {{HEDDLE_IMAGE_RGBA, HEDDLE_IMAGE_FLOAT},
                              {HEDDLE_IMAGE_R, HEDDLE_IMAGE_FLOAT},
                              {HEDDLE_IMAGE_RGBA, HEDDLE_IMAGE_UNORM_INT8},
                              {HEDDLE_IMAGE_INTENSITY, HEDDLE_IMAGE_UNORM_INT8}};
    for (const format& each : formats) {
        const test_image image(gpu_, each, 13, 7, random_);
        for (const unsigned filter : {HEDDLE_SAMPLER_NEAREST, HEDDLE_SAMPLER_LINEAR}) {
            for (const unsigned mode :
                 {HEDDLE_SAMPLER_CLAMP_TO_EDGE, HEDDLE_SAMPLER_CLAMP,
                  HEDDLE_SAMPLER_CLAMP_TO_EDGE | HEDDLE_SAMPLER_NORMALIZED,
                  HEDDLE_SAMPLER_CLAMP | HEDDLE_SAMPLER_NORMALIZED,
                  HEDDLE_SAMPLER_REPEAT | HEDDLE_SAMPLER_NORMALIZED,
                  HEDDLE_SAMPLER_MIRRORED_REPEAT | HEDDLE_SAMPLER_NORMALIZED}) {
                const unsigned how = filter | mode;
                auto at = places_of(random_, image, (mode & HEDDLE_SAMPLER_NORMALIZED) != 0);
                if ((mode & HEDDLE_SAMPLER_ADDRESS) > HEDDLE_SAMPLER_CLAMP)
                    at[0] = at[1] = at[2] = at[3];
                const auto found = call("sample", at, std::vector<std::array<float, 4>>(threads),
                                        image.get(), sampler(how));
                for (unsigned i = 0; i < threads; ++i) {
                    const colour expected =
                        sampled(image, how, std::clamp<double>(at[i][0], -1e6, 1e6),
                                std::clamp<double>(at[i][1], -1e6, 1e6));
                    for (unsigned n = 0; n < 4; ++n) {
                        ASSERT_NEAR(found[i][n], expected[n], 2e-5)
                            << "order " << each.order << ", sampler " << how << ", at " << at[i][0]
                            << ", " << at[i][1] << ", channel " << n;
                    }
                }
            }
        }
    }
}

std::vector<std::array<int, 2>> pixels_of(random_stream& random, const test_image& of, int beyond) {
    std::vector<std::array<int, 2>> all;
    for (unsigned i = 0; i < threads; ++i) {
        const auto one = [&](int size) {
            return static_cast<int>(random.below(static_cast<unsigned>(size + 2 * beyond))) -
                   beyond;
        };
        all.push_back({one(of.width()), one(of.height())});
    }
    return all;
}

std::vector<format> real_formats() {
    std::vector<format> all;
    for (const unsigned type :
         {HEDDLE_IMAGE_SNORM_INT8, HEDDLE_IMAGE_SNORM_INT16, HEDDLE_IMAGE_UNORM_INT8,
          HEDDLE_IMAGE_UNORM_INT16, HEDDLE_IMAGE_HALF_FLOAT, HEDDLE_IMAGE_FLOAT}) {
        for (const unsigned order :
             {HEDDLE_IMAGE_R, HEDDLE_IMAGE_A, HEDDLE_IMAGE_RG, HEDDLE_IMAGE_RA, HEDDLE_IMAGE_RGBA,
              HEDDLE_IMAGE_INTENSITY, HEDDLE_IMAGE_LUMINANCE}) {
            all.push_back({order, type});
        }
        if (channel_bytes(type) != 1) continue;
        all.push_back({HEDDLE_IMAGE_BGRA, type});
        all.push_back({HEDDLE_IMAGE_ARGB, type});
    }
    for (const unsigned type : {HEDDLE_IMAGE_UNORM_SHORT_565, HEDDLE_IMAGE_UNORM_SHORT_555,
                                HEDDLE_IMAGE_UNORM_INT_101010}) {
        all.push_back({HEDDLE_IMAGE_RGB, type});
    }
    return all;
}

std::vector<format> integer_formats(bool is_signed) {
    std::vector<format> all;
    for (unsigned size = 0; size < 3; ++size) {
        const unsigned type =
            (is_signed ? HEDDLE_IMAGE_SIGNED_INT8 : HEDDLE_IMAGE_UNSIGNED_INT8) + size;
        for (const unsigned order : {HEDDLE_IMAGE_R, HEDDLE_IMAGE_A, HEDDLE_IMAGE_RG,
                                     HEDDLE_IMAGE_RA, HEDDLE_IMAGE_RGBA}) {
            all.push_back({order, type});
        }
        if (size != 0) continue;
        all.push_back({HEDDLE_IMAGE_BGRA, type});
        all.push_back({HEDDLE_IMAGE_ARGB, type});
    }
    return all;
}

TEST_F(opencl_images, of_all_formats_are_read) {
    for (const format& each : real_formats()) {
        const test_image image(gpu_, each, 9, 11, random_);
        const auto at = pixels_of(random_, image, 2);
        const auto beside =
            call("read_at", at, std::vector<std::array<float, 4>>(threads), image.get(),
                 sampler(HEDDLE_SAMPLER_CLAMP | HEDDLE_SAMPLER_NEAREST));
        const auto inside = pixels_of(random_, image, 0);
        const auto plainly =
            call("read_plainly", inside, std::vector<std::array<float, 4>>(threads), image.get());
        for (unsigned i = 0; i < threads; ++i) {
            for (unsigned n = 0; n < 4; ++n) {
                ASSERT_FLOAT_EQ(beside[i][n],
                                static_cast<float>(image.pixel(at[i][0], at[i][1])[n]))
                    << "order " << each.order << ", type " << each.type << ", channel " << n;
                ASSERT_FLOAT_EQ(plainly[i][n],
                                static_cast<float>(image.pixel(inside[i][0], inside[i][1])[n]))
                    << "order " << each.order << ", type " << each.type << ", channel " << n;
            }
        }
    }
}

TEST_F(opencl_images, of_integers_are_read) {
    for (const bool is_signed : {true, false}) {
        for (const format& each : integer_formats(is_signed)) {
            const test_image image(gpu_, each, 9, 11, random_);
            const auto at = pixels_of(random_, image, 2);
            const auto found =
                call(is_signed ? "read_signed" : "read_unsigned", at,
                     std::vector<std::array<std::uint32_t, 4>>(3 * std::size_t{threads}),
                     image.get(), sampler(HEDDLE_SAMPLER_CLAMP | HEDDLE_SAMPLER_NEAREST));
            for (unsigned i = 0; i < threads; ++i) {
                const colour expected = image.pixel(at[i][0], at[i][1]);
                const colour edge = image.pixel(std::clamp(at[i][0], 0, image.width() - 1),
                                                std::clamp(at[i][1], 0, image.height() - 1));
                for (unsigned n = 0; n < 4; ++n) {
                    const auto bits = [](double value) {
                        return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
                    };
                    ASSERT_EQ(found[i][n], bits(expected[n]))
                        << "order " << each.order << ", type " << each.type << ", channel " << n;
                    ASSERT_EQ(found[threads + i][n], bits(expected[n]));
                    ASSERT_EQ(found[2 * threads + i][n], bits(edge[n]));
                }
            }
        }
    }
}

/// What is written comes back when it is read, and bytes around it stay.
TEST_F(opencl_images, of_all_formats_are_written) {
    for (const format& each : real_formats()) {
        if (each.order == HEDDLE_IMAGE_INTENSITY || each.order == HEDDLE_IMAGE_LUMINANCE) continue;
        test_image to(gpu_, each, 16, 16, random_);
        const test_image from(gpu_, each, 16, 16, random_);
        std::vector<std::array<int, 2>> at;
        std::vector<std::array<float, 4>> values;
        for (int i = 0; i < static_cast<int>(threads); ++i) {
            at.push_back({i % 16, i / 16});
            const colour c = from.pixel(i % 16, i / 16);
            values.push_back({static_cast<float>(c[0]), static_cast<float>(c[1]),
                              static_cast<float>(c[2]), static_cast<float>(c[3])});
        }
        at[5] = {-1, 3};
        at[6] = {16, 3};
        at[7] = {2, 16};
        (void)call("write_real", at, values, to.get());
        const std::vector<std::uint8_t> now = to.device_bytes();
        to.bytes() = now;
        test_image& written = to;
        for (int i = 0; i < static_cast<int>(threads); ++i) {
            if (i >= 5 && i <= 7) continue;
            for (unsigned n = 0; n < 4; ++n) {
                ASSERT_FLOAT_EQ(static_cast<float>(written.pixel(i % 16, i / 16)[n]), values[i][n])
                    << "order " << each.order << ", type " << each.type << ", pixel " << i
                    << ", channel " << n;
            }
        }
    }
}

TEST_F(opencl_images, are_written_nowhere_else) {
    test_image to(gpu_, {HEDDLE_IMAGE_RG, HEDDLE_IMAGE_UNSIGNED_INT8}, 16, 16, random_);
    std::vector<std::array<int, 2>> at(threads, {-1, -1});
    std::vector<std::array<std::uint32_t, 4>> values(threads, {300, 5, 6, 7});
    at[3] = {15, 2};  // behind it the row has bytes of nobody
    at[4] = {16, 2};
    at[9] = {0, 0};
    (void)call("write_unsigned", at, values, to.get());
    std::vector<std::uint8_t> expected = to.bytes();
    for (const auto& [x, y] : {std::pair(15, 2), std::pair(0, 0)}) {
        expected[to.offset(x, y)] = 255;  // saturated
        expected[to.offset(x, y) + 1] = 5;
    }
    EXPECT_EQ(to.device_bytes(), expected);

    test_image of_signed(gpu_, {HEDDLE_IMAGE_RGBA, HEDDLE_IMAGE_SIGNED_INT16}, 16, 16, random_);
    std::fill(at.begin(), at.end(), std::array<int, 2>{-1, -1});
    at[0] = {4, 5};
    const std::vector<std::array<std::int32_t, 4>> numbers(threads, {-40000, 40000, -3, 32767});
    (void)call("write_signed", at, numbers, of_signed.get());
    std::vector<std::uint8_t> bytes = of_signed.bytes();
    const std::int16_t kept[] = {-32768, 32767, -3, 32767};
    std::memcpy(&bytes[of_signed.offset(4, 5)], kept, sizeof kept);
    EXPECT_EQ(of_signed.device_bytes(), bytes);
}

TEST_F(opencl_images, reals_are_rounded_and_saturated_when_they_are_written) {
    test_image to(gpu_, {HEDDLE_IMAGE_RGBA, HEDDLE_IMAGE_UNORM_INT8}, 16, 16, random_);
    std::vector<std::array<int, 2>> at(threads, {-1, -1});
    std::vector<std::array<float, 4>> values(threads);
    at[0] = {1, 1};
    values[0] = {-0.5F, 1.5F, 0.5F, 100.4F / 255};
    (void)call("write_real", at, values, to.get());
    const std::vector<std::uint8_t> now = to.device_bytes();
    const std::size_t first = to.offset(1, 1);
    EXPECT_EQ(std::vector<int>(now.begin() + static_cast<std::ptrdiff_t>(first),
                               now.begin() + static_cast<std::ptrdiff_t>(first) + 4),
              (std::vector<int>{0, 255, 128, 100}));
}

TEST_F(opencl_images, samplers_in_the_source_are_those_of_the_host) {
    const test_image image(gpu_, {HEDDLE_IMAGE_RGBA, HEDDLE_IMAGE_FLOAT}, 13, 7, random_);
    auto at = places_of(random_, image, true);
    at[0] = at[1] = at[2] = at[3];
    const std::vector<std::array<float, 4>> nothing(threads);
    EXPECT_EQ(call("sample_in_source", at, nothing, image.get()),
              call("sample", at, nothing, image.get(),
                   sampler(HEDDLE_SAMPLER_NORMALIZED | HEDDLE_SAMPLER_MIRRORED_REPEAT |
                           HEDDLE_SAMPLER_LINEAR)));
}

TEST_F(opencl_images, tell_what_they_are) {
    const test_image in(gpu_, {HEDDLE_IMAGE_RA, HEDDLE_IMAGE_UNORM_INT16}, 5, 6, random_);
    const test_image to(gpu_, {HEDDLE_IMAGE_RGBA, HEDDLE_IMAGE_FLOAT}, 7, 8, random_);
    const device_buffer<int> out(gpu_, 12, "out");
    launch(gpu_, "ask", {{1}, {1}}, in.get(), to.get(), out.get());
    EXPECT_EQ(out.read(),
              (std::vector<int>{5, 6, 5, 6, 0x10d3, 0x10b3, 7, 8, 7, 8, 0x10de, 0x10b5}));
}

}  // namespace
}  // namespace heddle::opencl::test
