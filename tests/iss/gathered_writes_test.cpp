// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/gathered_writes.h"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

namespace heddle::iss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// Warps are numbers here.
struct gathered : testing::Test {
    using writes = std::vector<std::pair<int, isa::lane_mask>>;

    [[nodiscard]] writes made() {
        writes all;
        collected.take_effect([&](int warp, isa::lane_mask lane) { all.emplace_back(warp, lane); });
        return all;
    }
    int first = 1;
    int second = 2;
    gathered_writes<int, 4> collected;
};

TEST_F(gathered, take_effect_once_in_the_order_of_the_lanes_of_the_pipeline) {
    collected.add(first, 0b1010, {0, 2, 0, 1});
    collected.add(second, 0b0101, {3, 0, 0, 0});
    EXPECT_THAT(made(), ElementsAre(Pair(2, 0b0100U), Pair(1, 0b1000U), Pair(1, 0b0010U),
                                    Pair(2, 0b0001U)));
    EXPECT_THAT(made(), IsEmpty());
}

TEST_F(gathered, those_of_a_refused_instruction_take_no_effect) {
    collected.add(first, 0b1111, {0, 1, 2, 3});
    collected.drop();
    EXPECT_THAT(made(), IsEmpty());
}

}  // namespace
}  // namespace heddle::iss
