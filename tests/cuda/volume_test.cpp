// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Textures of three dimensions and of layers, borders that have a colour, and surfaces.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "models/base/error.h"
#include "runtime/cuda/include/heddle_cuda/texture_descriptor.h"
#include "tests/cuda/cuda_kernels.h"
#include "tests/cuda/texture_axis.h"

namespace heddle::cuda::test {
namespace {

constexpr int columns = 6, rows = 4, slices = 5;
constexpr unsigned pitch = 32, slice = 7 * pitch;
constexpr std::size_t points = 256;

/// The volume by the formulas of CUDA's programming guide; weights have 8 bits behind the point.
class volume {
public:
    volume(const heddle_texture& d, const std::vector<float>& words) : d_(d), words_(words) {}

    [[nodiscard]] double at(const double (&where)[3], int layer, int dimensions) const {
        const bool normalized = d_.normalized != 0;
        const texture_axis axes[] = {{d_.address_x, columns, normalized},
                                     {d_.address_y, rows, normalized},
                                     {d_.address_z, slices, normalized}};
        int first[3] = {0, 0, layer}, second[3] = {0, 0, layer};
        double weight[3] = {0, 0, 0};
        const bool linear = d_.filter == heddle_texture_linear;
        for (int i = 0; i < dimensions; ++i) {
            const double x = axes[i].placed(where[i]) - (linear ? 0.5 : 0);
            const auto whole = static_cast<int>(std::floor(x));
            first[i] = axes[i].index(whole);
            second[i] = axes[i].index(whole + 1);
            if (linear) weight[i] = std::nearbyint((x - std::floor(x)) * 256) / 256;
        }
        double sum = 0;
        for (unsigned corner = 0; corner < 8; ++corner) {
            int place[3];
            double share = 1;
            for (unsigned i = 0; i < 3; ++i) {
                const bool far = (corner >> i & 1) != 0;
                place[i] = far ? second[i] : first[i];
                share *= far ? weight[i] : 1 - weight[i];
            }
            if (share != 0) sum += share * get(place);
        }
        return sum;
    }

private:
    [[nodiscard]] double get(const int (&place)[3]) const {
        if (place[0] < 0 || place[1] < 0 || place[2] < 0) {
            float border = 0;
            std::memcpy(&border, &d_.border[0], sizeof border);
            return static_cast<double>(border);
        }
        const auto bytes = static_cast<std::size_t>(place[2]) * slice +
                           static_cast<std::size_t>(place[1]) * pitch +
                           static_cast<std::size_t>(place[0]) * 4;
        return static_cast<double>(words_[bytes / 4]);
    }

    const heddle_texture& d_;
    const std::vector<float>& words_;
};

const char* const fetches =
    "texture<float, 3, cudaReadModeElementType> whole;\n"
    "texture<float, cudaTextureType2DLayered, cudaReadModeElementType> layers;\n"
    "extern \"C\" __global__ void k(float* out, const float4* at, cudaTextureObject_t object) {\n"
    "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; const float4 p = at[i];\n"
    "  out[5 * i] = tex3D<float>(object, p.x, p.y, p.z); out[5 * i + 1] = tex3D(whole, p.x, p.y, "
    "p.z);\n"
    "  tex2DLayered(&out[5 * i + 2], object, p.x, p.y, (int)p.w);\n"
    "  out[5 * i + 3] = tex2DLayered(layers, p.x, p.y, (int)p.w);\n"
    "  out[5 * i + 4] = tex1DLayered<float>(object, p.x, (int)p.w); }\n";

TEST(cuda_volume_textures, are_those_of_the_programming_guide) {
    cuda_kernels kernels(fetches);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> value(-2, 2), place(-1, 7);
    std::vector<float> words(slices * slice / 4);
    for (float& word : words) word = value(random);
    const device_buffer<float> texels(kernels.gpu(), words, "texels");
    for (unsigned way = 0; way < 16; ++way) {
        heddle_texture d{};
        d.address = texels.get().address;
        d.width = columns, d.height = rows, d.depth = slices, d.pitch = pitch, d.slice = slice;
        d.channels = 1, d.bits = 32, d.kind = heddle_texture_float;
        d.normalized = way / 2 % 2;
        d.filter = way % 2;
        const unsigned modes[] = {heddle_texture_wrap, heddle_texture_clamp, heddle_texture_mirror,
                                  heddle_texture_border};
        const unsigned shift = d.normalized != 0 ? way / 4 : 0;
        d.address_x = d.normalized != 0 ? modes[shift] : modes[way / 4 % 2 * 2 + 1];
        d.address_y = d.normalized != 0 ? modes[(shift + 1) % 4] : modes[1];
        d.address_z = d.normalized != 0 ? modes[(shift + 2) % 4] : modes[3];
        const float border = 0.375F;
        std::memcpy(&d.border[0], &border, sizeof border);
        std::vector<float> at(4 * points);
        for (std::size_t i = 0; i < at.size(); ++i) {
            at[i] = place(random) / (d.normalized != 0 && i % 4 != 3 ? 3 : 1);
        }
        const device_buffer<float> where(kernels.gpu(), at, "where");
        const device_buffer<float> out(kernels.gpu(), 5 * points, "out");
        const device_buffer<heddle_texture> object(kernels.gpu(), std::vector<heddle_texture>{d},
                                                   "object");
        for (const char* const name : {"whole", "layers"}) {
            write_symbol(kernels.gpu(), name, &d, sizeof d);
        }
        kernels.run("k", {{points / 64}, {64}}, out.get(), where.get(),
                    std::uint64_t{object.get().address});
        const std::vector<float> found = out.read();
        const volume exact(d, words);
        for (std::size_t i = 0; i < points; ++i) {
            const double p[3] = {static_cast<double>(at[4 * i]), static_cast<double>(at[4 * i + 1]),
                                 static_cast<double>(at[4 * i + 2])};
            const int layer = std::min(std::max(static_cast<int>(at[4 * i + 3]), 0), slices - 1);
            const double of_volume = exact.at(p, 0, 3), of_layer = exact.at(p, layer, 2),
                         of_row = exact.at(p, layer, 1);
            const double wanted[] = {of_volume, of_volume, of_layer, of_layer, of_row};
            for (std::size_t n = 0; n < 5; ++n) {
                // A weight may round to the other side.
                EXPECT_NEAR(found[5 * i + n], wanted[n], d.filter != 0 ? 0.04 : 1e-6)
                    << "way " << way << " fetch " << n << " at " << p[0] << ", " << p[1] << ", "
                    << p[2] << ", layer " << layer;
            }
        }
    }
}

TEST(cuda_volume_textures, have_borders_of_integers) {
    cuda_kernels kernels(
        "extern \"C\" __global__ void k(int4* out, cudaTextureObject_t t) {"
        " out[threadIdx.x] = tex2D<int4>(t, (float)threadIdx.x - 1.0f, 0.0f); }\n");
    const device_buffer<int> texels(kernels.gpu(), std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8},
                                    "texels");
    heddle_texture d{};
    d.address = texels.get().address;
    d.width = 2, d.height = 1, d.pitch = 32, d.channels = 4, d.bits = 32;
    d.kind = heddle_texture_signed;
    d.address_x = d.address_y = heddle_texture_border;
    for (unsigned c = 0; c < 4; ++c) d.border[c] = 90 + c;
    const device_buffer<heddle_texture> object(kernels.gpu(), std::vector<heddle_texture>{d}, "t");
    const device_buffer<int> out(kernels.gpu(), 16, "out");
    kernels.run("k", {{1}, {4}}, out.get(), std::uint64_t{object.get().address});
    EXPECT_EQ(out.read(),
              (std::vector<int>{90, 91, 92, 93, 1, 2, 3, 4, 5, 6, 7, 8, 90, 91, 92, 93}));
}

const char* const accesses =
    "surface<void, 2> flat; surface<void, cudaSurfaceType3D> deep;\n"
    "extern \"C\" __global__ void put(cudaSurfaceObject_t s) { const int x = threadIdx.x, y = "
    "threadIdx.y;\n"
    "  surf2Dwrite((float)(10 * y + x), s, x * 4, y);\n"
    "  surf3Dwrite((float)(100 + 10 * y + x), deep, x * 4, y, 2);\n"
    "  surf2DLayeredwrite((float)(200 + 10 * y + x), s, x * 4, y, 3); }\n"
    "extern \"C\" __global__ void get(float* out, cudaSurfaceObject_t s) {\n"
    "  out[0] = surf2Dread<float>(s, 8, 1); surf2Dread(&out[1], flat, 4, 3); out[2] = "
    "surf3Dread<float>(s, 4, 1, 2);\n"
    "  out[3] = surf2DLayeredread<float>(s, 20, 3, 3); out[4] = surf2Dread<float>(flat, -4, 9, "
    "cudaBoundaryModeClamp);\n"
    "  out[5] = surf2Dread<float>(flat, 24, 0, cudaBoundaryModeZero); out[6] = "
    "surf1Dread<float>(s, 999, cudaBoundaryModeClamp);\n"
    "  surf2Dwrite(-1.0f, flat, 24, 0, cudaBoundaryModeZero); const float2 two = "
    "surf2Dread<float2>(flat, 16, 2);\n"
    "  out[7] = two.x; out[8] = two.y; out[9] = surf2Dread<float>(flat, 0, 1); }\n"
    "extern \"C\" __global__ void beyond(cudaSurfaceObject_t s) { surf2Dwrite(0.0f, s, 24, 0); }\n";

TEST(cuda_surfaces, are_arrays_whose_columns_are_bytes) {
    cuda_kernels kernels(accesses);
    const device_buffer<float> texels(kernels.gpu(), std::vector<float>(slices * slice / 4, 0.0F),
                                      "texels");
    heddle_texture d{};
    d.address = texels.get().address;
    d.width = columns, d.height = rows, d.depth = slices, d.pitch = pitch, d.slice = slice;
    d.channels = 1, d.bits = 32, d.kind = heddle_texture_float;
    const device_buffer<heddle_texture> object(kernels.gpu(), std::vector<heddle_texture>{d}, "s");
    for (const char* const name : {"flat", "deep"}) {
        write_symbol(kernels.gpu(), name, &d, sizeof d);
    }
    const device_buffer<float> out(kernels.gpu(), 10, "out");
    const std::uint64_t surface = object.get().address;
    kernels.run("put", {{1}, {columns, rows}}, surface);
    kernels.run("get", {{1}, {1}}, out.get(), surface);
    EXPECT_EQ(out.read(), (std::vector<float>{12, 31, 111, 235, 30, 0, 5, 24, 25, 10}));
    EXPECT_THROW(kernels.run("beyond", {{1}, {1}}, surface), run_error);
}

}  // namespace
}  // namespace heddle::cuda::test
