// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Texture fetches against a reference in double precision, by the formulas of CUDA's programming
// guide: all address modes, filters, kinds of texels, in and outside of the texture.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "runtime/cuda/include/heddle_cuda/texture_descriptor.h"
#include "tests/cuda/cuda_kernels.h"
#include "tests/cuda/texture_axis.h"

namespace heddle::cuda::test {
namespace {

constexpr int width = 13, height = 7;
constexpr std::size_t coordinates = 256;

struct texel_kind {
    const char* type;  ///< of texels in device code
    unsigned channels, bits, kind;
    bool as_float;  ///< normalized
};
const texel_kind kinds[] = {{"float", 1, 32, heddle_texture_float, false},
                            {"float4", 4, 32, heddle_texture_float, false},
                            {"float2", 2, 32, heddle_texture_float, false},
                            {"int2", 2, 32, heddle_texture_signed, false},
                            {"uchar4", 4, 8, heddle_texture_unsigned, false},
                            {"short", 1, 16, heddle_texture_signed, false},
                            {"uchar4", 4, 8, heddle_texture_unsigned, true},
                            {"signed char", 1, 8, heddle_texture_signed, true},
                            {"ushort2", 2, 16, heddle_texture_unsigned, true},
                            {"short4", 4, 16, heddle_texture_signed, true},
                            {"unsigned char", 1, 8, heddle_texture_unsigned, true}};

bool gives_floats(const texel_kind& kind) {
    return kind.as_float || kind.kind == heddle_texture_float;
}

/// The type of a fetch.
std::string fetched(const texel_kind& kind) {
    if (!kind.as_float) return kind.type;
    return kind.channels == 1 ? "float" : "float" + std::to_string(kind.channels);
}

std::string kernel(const texel_kind& kind, unsigned number) {
    const std::string n = std::to_string(number), type = fetched(kind);
    const char* const parts[] = {".x", ".y", ".z", ".w"};
    const auto store = [&](const char* offset) {
        std::string text;
        for (unsigned c = 0; c < kind.channels; ++c) {
            text += std::string("out[") + offset + " + i * 4 + " + std::to_string(c) +
                    "] = (double)v" + (kind.channels == 1 ? "" : parts[c]) + ";";
        }
        return text;
    };
    const std::string reference = "ref" + n;
    return "texture<" + std::string(kind.type) + ", 2, " +
           (kind.as_float ? "cudaReadModeNormalizedFloat" : "cudaReadModeElementType") + "> " +
           reference + ";\nextern \"C\" __global__ void k" + n +
           "(double* out, const float2* at, cudaTextureObject_t object, int by) {"
           " unsigned i = blockIdx.x * blockDim.x + threadIdx.x; float2 c = at[i]; " +
           type + " v; if (by == 0) v = tex2D<" + type +
           ">(object, c.x, c.y);"
           " else if (by == 1) v = tex2D(" +
           reference +
           ", c.x, c.y);"
           " else if (by == 2) tex1D(&v, object, c.x);"
           " else v = tex1Dfetch<" +
           type + ">(object, (int)c.x);" + store("0") + "}\n";
}

/// The textures' contents: bytes of random texels.
std::vector<std::uint8_t> contents(const texel_kind& kind, std::size_t pitch,
                                   std::mt19937& random) {
    std::vector<std::uint8_t> bytes(pitch * height);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    if (kind.kind != heddle_texture_float) return bytes;
    std::uniform_real_distribution<float> value(-2, 2);
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
        const float x = value(random);
        std::memcpy(bytes.data() + at, &x, 4);
    }
    return bytes;
}

class reference {
public:
    reference(const heddle_texture& d, const std::vector<std::uint8_t>& bytes, bool as_float)
        : d_(d), bytes_(bytes), as_float_(as_float) {}

    [[nodiscard]] double linear(int i, unsigned c) const {
        return i < 0 || i >= static_cast<int>(d_.width) ? 0 : texel(i, 0, c);
    }
    [[nodiscard]] double at(double x, double y, unsigned c, bool two) const {
        x = across().placed(x);
        y = two ? down().placed(y) : 0;
        if (d_.filter == heddle_texture_point) {
            return get(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)), c, two);
        }
        const double left = std::floor(x - 0.5), top = std::floor(y - 0.5);
        const double a = weight(x - 0.5 - left), b = weight(y - 0.5 - top);
        const int i = static_cast<int>(left), j = static_cast<int>(top);
        if (!two) return (1 - a) * get(i, 0, c, two) + a * get(i + 1, 0, c, two);
        return (1 - b) * ((1 - a) * get(i, j, c, two) + a * get(i + 1, j, c, two)) +
               b * ((1 - a) * get(i, j + 1, c, two) + a * get(i + 1, j + 1, c, two));
    }

private:
    [[nodiscard]] texture_axis across() const {
        return {d_.address_x, static_cast<int>(d_.width), d_.normalized != 0};
    }
    [[nodiscard]] texture_axis down() const {
        return {d_.address_y, static_cast<int>(d_.height), d_.normalized != 0};
    }
    static double weight(double fraction) { return std::nearbyint(fraction * 256) / 256; }
    [[nodiscard]] double get(int i, int j, unsigned c, bool two) const {
        i = across().index(i);
        j = two ? down().index(j) : 0;
        return i < 0 || j < 0 ? 0 : texel(i, j, c);
    }
    [[nodiscard]] double texel(int i, int j, unsigned c) const {
        const std::size_t size = d_.bits / 8;
        const std::uint8_t* const from = bytes_.data() + static_cast<std::size_t>(j) * d_.pitch +
                                         (static_cast<std::size_t>(i) * d_.channels + c) * size;
        if (d_.kind == heddle_texture_float) {
            float value = 0;
            std::memcpy(&value, from, 4);
            return static_cast<double>(value);
        }
        std::int64_t value = 0;
        std::memcpy(&value, from, size);
        const std::int64_t range = std::int64_t{1} << d_.bits;
        const bool is_signed = d_.kind == heddle_texture_signed;
        if (is_signed && value >= range / 2) value -= range;
        if (!as_float_) return static_cast<double>(value);
        const double largest = static_cast<double>(is_signed ? range / 2 - 1 : range - 1);
        return std::max(static_cast<double>(value) / largest, -1.0);
    }

    const heddle_texture& d_;
    const std::vector<std::uint8_t>& bytes_;
    bool as_float_;
};

TEST(cuda_textures, fetches_are_those_of_the_formulas) {
    static_assert(sizeof(heddle_texture) == 76);
    std::string text;
    for (unsigned n = 0; n < std::size(kinds); ++n) text += kernel(kinds[n], n);
    cuda_kernels kernels(text);
    device& gpu = kernels.gpu();
    std::mt19937 random(1);
    std::uniform_real_distribution<float> far(-2.5F, 3.5F);
    std::vector<float> normalized, in_texels;
    for (std::size_t i = 0; i < coordinates; ++i) {
        for (const int size : {width, height}) {
            // A quarter lies on a texel's edge or middle, where the float is exact.
            const float x = i % 4 == 0 ? std::floor(far(random) * 8) / 8 : far(random);
            normalized.push_back(x);
            in_texels.push_back(i % 4 == 0 ? std::floor(x * static_cast<float>(size) * 2) / 2
                                           : x * static_cast<float>(size));
        }
    }
    const device_buffer<float> at_normalized(gpu, normalized, "normalized");
    const device_buffer<float> at_texels(gpu, in_texels, "in texels");
    const device_buffer<double> out(gpu, coordinates * 4, "out");
    device_buffer<heddle_texture> object(gpu, 1, "object");
    std::size_t compared = 0;
    for (unsigned n = 0; n < std::size(kinds); ++n) {
        const texel_kind& kind = kinds[n];
        const std::uint32_t pitch = width * kind.channels * kind.bits / 8 / 16 * 16 + 32;
        const std::vector<std::uint8_t> bytes = contents(kind, pitch, random);
        const device_buffer<std::uint8_t> texels(gpu, bytes, "texels");
        const auto* const variable = kernels.image().find_symbol("ref" + std::to_string(n));
        ASSERT_NE(variable, nullptr);
        ASSERT_GE(variable->size, sizeof(heddle_texture));
        for (unsigned mode = 0; mode < 4 * 4 * 2 * 2 * 4; ++mode) {
            // by: object, reference, one dimension, linear memory.
            const unsigned by = mode % 4, modes = mode / 4 % 16, filter = mode / 64 % 2;
            heddle_texture d{texels.get().address,
                             width,
                             by >= 2 ? 0U : height,
                             by >= 2 ? 0U : pitch,
                             kind.channels,
                             kind.bits,
                             kind.kind,
                             filter,
                             modes % 4,
                             modes / 4,
                             mode / 128,
                             kind.as_float ? 1U : 0U,
                             0,
                             0,
                             0,
                             {}};
            if (filter == heddle_texture_linear && !gives_floats(kind)) continue;
            // What does not depend on a mode is tried with one.
            if (by >= 2 && modes / 4 != 0) continue;
            if (by == 3 && mode >= 4) continue;
            if (by == 1 && mode / 4 % 3 != n % 3) continue;
            object.write({d});
            gpu.write(variable->address, &d, sizeof d);
            const std::vector<float>& at = d.normalized != 0 ? normalized : in_texels;
            kernels.run("k" + std::to_string(n), {{coordinates / 64}, {64}}, out.get(),
                        device_ptr<float>{d.normalized != 0 ? at_normalized.get().address
                                                            : at_texels.get().address},
                        std::uint64_t{object.get().address}, static_cast<int>(by));
            const std::vector<double> found = out.read();
            const reference exact(d, bytes, kind.as_float);
            for (std::size_t i = 0; i < coordinates; ++i) {
                for (unsigned c = 0; c < kind.channels; ++c) {
                    const double x = static_cast<double>(at[2 * i]),
                                 y = static_cast<double>(at[2 * i + 1]);
                    const double wanted =
                        by == 3 ? exact.linear(static_cast<int>(x), c) : exact.at(x, y, c, by < 2);
                    // A weight may round the other way: 1/256 of a difference of at most 4.
                    const double tolerance = filter == heddle_texture_linear ? 0.033 : 1e-6;
                    ++compared;
                    ASSERT_NEAR(found[i * 4 + c], wanted, tolerance)
                        << kind.type << ", mode " << mode << ", by " << by << ", (" << x << ", "
                        << y << "), channel " << c;
                }
            }
        }
    }
    EXPECT_GT(compared, 500000U);
}

TEST(cuda_textures, what_is_not_bound_gives_zeros) {
    cuda_kernels kernels(R"(
texture<float, 2> t; texture<int, 1> u;
extern "C" __global__ void k(float* f, int* i) { f[0] = tex2D(t, 1.0f, 2.0f); i[0] = tex1Dfetch(u, 0); }
)");
    const device_buffer<float> f(kernels.gpu(), std::vector<float>{5}, "f");
    const device_buffer<int> i(kernels.gpu(), std::vector<int>{5}, "i");
    kernels.run("k", {{1}, {1}}, f.get(), i.get());
    EXPECT_EQ(f.read()[0], 0);
    EXPECT_EQ(i.read()[0], 0);
}

}  // namespace
}  // namespace heddle::cuda::test
