// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/cuda/intrinsic_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/cuda/cuda_kernels.h"

namespace heddle::cuda::test {
namespace {

constexpr std::size_t count = 1024;

std::vector<u32> words(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<u32> all{0,          1,          0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000,
                         0xbf800000, 0x4effffff, 0x4f000000, 0x3f000000, 0x00800000, 0x7f800000};
    std::normal_distribution<float> usual(0, 1000);
    while (all.size() < count) {
        all.push_back(all.size() % 2 == 0 ? static_cast<u32>(random()) : bits<u32>(usual(random)));
    }
    std::shuffle(all.begin(), all.end(), random);
    return all;
}

bool is_nan(u64 word, bool of_double) {
    return of_double ? (word & ~(u64{1} << 63)) > u64{0x7ff} << 52
                     : (word & 0x7fffffff) > 0x7f800000;
}

}  // namespace

void check(const std::vector<intrinsic>& all) {
    std::string text;
    for (std::size_t n = 0; n < all.size(); ++n) {
        text += "extern \"C\" __global__ void k" + std::to_string(n) +
                "(unsigned long long* out, const unsigned* in) {"
                " unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], y = in[i + 1024],"
                " z = in[i + 2048]; float a = __uint_as_float(x), b = __uint_as_float(y);"
                " unsigned long long xy = (unsigned long long)x << 32 | y,"
                " yz = (unsigned long long)y << 32 | z; out[i] = " +
                (all[n].wide ? "(unsigned long long)(" : "(unsigned)(") + all[n].expression +
                "); }\n";
    }
    cuda_kernels kernels(text);
    std::vector<u32> in = words(1);
    for (const unsigned seed : {2U, 3U}) {
        const std::vector<u32> more = words(seed);
        in.insert(in.end(), more.begin(), more.end());
    }
    const device_buffer<u32> input(kernels.gpu(), in, "in");
    const device_buffer<u64> out(kernels.gpu(), count, "out");
    for (std::size_t n = 0; n < all.size(); ++n) {
        kernels.run("k" + std::to_string(n), {{count / 64}, {64}}, out.get(), input.get());
        const std::vector<u64> found = out.read();
        for (std::size_t i = 0; i < count; ++i) {
            const u32 x = in[i], y = in[i + count], z = in[i + 2 * count];
            const u64 exact = all[n].exact(x, y, z);
            if (found[i] == exact) continue;
            const bool of_float = all[n].expression.rfind("__float_as_uint", 0) == 0;
            const bool of_double = all[n].expression.rfind("__double_as_longlong", 0) == 0;
            if ((of_float || of_double) && is_nan(found[i], of_double) &&
                is_nan(exact, of_double)) {
                continue;
            }
            ADD_FAILURE() << std::hex << all[n].expression << " of 0x" << x << ", 0x" << y << ", 0x"
                          << z << " is 0x" << found[i] << ", not 0x" << exact;
            break;
        }
    }
}

}  // namespace heddle::cuda::test
