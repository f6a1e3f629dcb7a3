// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/group_shape.h"

#include <algorithm>

namespace heddle::opencl {
namespace {

std::uint64_t largest_divisor(std::uint64_t of, std::uint64_t most) {
    for (std::uint64_t divisor = std::min(of, most); divisor > 1; --divisor) {
        if (of % divisor == 0) return divisor;
    }
    return 1;
}

}  // namespace

work_size choose_group(const work_size& range, std::uint64_t most) {
    // More do not help an SMX, which holds several groups; they wait for each other at barriers.
    constexpr std::uint64_t enough = 256;
    std::uint64_t left = std::max<std::uint64_t>(1, std::min(most, enough));
    work_size group{};
    for (std::size_t i = 0; i < group.size(); ++i) {
        group[i] = largest_divisor(range[i], left);
        left /= group[i];
    }
    return group;
}

}  // namespace heddle::opencl
