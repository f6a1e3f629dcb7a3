// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/divider.h"

#include <gtest/gtest.h>

#include "models/base/random.h"

namespace heddle {
namespace {

void expect_as_division(std::uint32_t by, std::uint64_t of) {
    const divider d(by);
    ASSERT_EQ(d.quotient(of), of / by) << of << " / " << by;
    ASSERT_EQ(d.remainder(of), of % by) << of << " % " << by;
}

TEST(divider, is_exact_around_multiples) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 32;
    for (const std::uint32_t by : {1U, 2U, 3U, 5U, 6U, 7U, 10U, 12U, 32U, 96U, 641U, 65537U,
                                   0x7fffffffU, 0x80000000U, 0x80000001U, 0xffffffffU}) {
        for (const std::uint64_t times : {std::uint64_t{0}, std::uint64_t{1}, limit / by}) {
            const std::uint64_t at = times * by;
            for (std::uint64_t of = at < 2 ? 0 : at - 2; of < at + 3; ++of) {
                expect_as_division(by, of);
            }
        }
        for (const std::uint64_t of : {limit - 1, limit, limit + 1, ~std::uint64_t{0}}) {
            expect_as_division(by, of);
        }
    }
}

TEST(divider, random_numbers) {
    random_stream random(5, "divider");
    for (int i = 0; i < 200'000; ++i) {
        const auto by = static_cast<std::uint32_t>(1 + (random.next() >> (32 + random.below(32))));
        expect_as_division(by == 0 ? 1 : by, random.next() >> random.below(64));
    }
}

}  // namespace
}  // namespace heddle
