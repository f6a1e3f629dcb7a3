// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace heddle::cuda::test {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

template <class To, class From>
To bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

/// `expression` of device code in words x, y, z gives a word, or with `wide` two.
struct intrinsic {
    std::string expression;
    std::function<u64(u32, u32, u32)> exact;
    bool wide = false;
};

/// Compares all of them with the host's, over 1024 triples of words: random ones, floats, and ends
/// of ranges. In the expressions a and b are x and y as floats, xy and yz two words. Results that
/// the expression makes of floats or doubles may be any NaN if the host's is one.
void check(const std::vector<intrinsic>& all);

}  // namespace heddle::cuda::test
