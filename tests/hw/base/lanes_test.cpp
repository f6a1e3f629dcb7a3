// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/lanes.h"

#include <gmock/gmock.h>

#include <memory>

#include "hw/base/clock_domain.h"

namespace heddle {
namespace {

using testing::ElementsAre;

class lane_part final : public clocked {
public:
    using clocked::clocked;
    void evaluate() override {}
    activity update() override { return activity::idle; }
};

struct lane_rig {
    explicit lane_rig(std::size_t parts) {
        for (std::size_t i = 0; i < parts; ++i) {
            made.push_back(std::make_unique<lane_part>(core, "part"));
        }
    }
    clock_domain core{"core", frequency::megahertz(1000)};
    std::vector<std::unique_ptr<lane_part>> made;
};

TEST(lanes, deal_by_weight_the_heaviest_first) {
    lane_rig rig(5);
    lanes dealt(2);
    const std::uint32_t weights[] = {3, 3, 2, 2, 2};
    for (std::size_t i = 0; i < 5; ++i) dealt.share(*rig.made[i], weights[i]);
    EXPECT_FALSE(dealt.empty());
    dealt.prepare({&rig.core});
    EXPECT_THAT(dealt.weights(0), ElementsAre(3, 3, 2, 2, 2));
    EXPECT_THAT(dealt.of(0, 0), ElementsAre(0b10101U));
    EXPECT_THAT(dealt.of(1, 0), ElementsAre(0b01010U));
}

TEST(lanes, one_heavy_part_is_a_lane) {
    lane_rig rig(4);
    lanes dealt(2);
    const std::uint32_t weights[] = {1, 1, 1, 5};
    for (std::size_t i = 0; i < 4; ++i) dealt.share(*rig.made[i], weights[i]);
    dealt.prepare({&rig.core});
    EXPECT_THAT(dealt.of(0, 0), ElementsAre(0b1000U));
    EXPECT_THAT(dealt.of(1, 0), ElementsAre(0b0111U));
}

TEST(lanes, deal_again_by_what_was_evaluated_since) {
    lane_rig rig(4);
    lanes dealt(2);
    for (const auto& part : rig.made) dealt.share(*part, 1);
    dealt.prepare({&rig.core});
    EXPECT_THAT(dealt.of(0, 0), ElementsAre(0b0101U));
    for (int i = 0; i < 9; ++i) dealt.count(1, 0, 3);  // part 3 alone is awake
    dealt.deal();
    EXPECT_THAT(dealt.of(0, 0), ElementsAre(0b1000U));
    EXPECT_THAT(dealt.of(1, 0), ElementsAre(0b0111U));
    dealt.deal();  // nothing was evaluated since
    EXPECT_THAT(dealt.of(0, 0), ElementsAre(0b0101U));
    EXPECT_THAT(dealt.of(1, 0), ElementsAre(0b1010U));
}

TEST(lanes, leave_out_what_is_not_shared) {
    lane_rig rig(66);
    lanes dealt(3);
    dealt.share(*rig.made[65], 2);
    dealt.share(*rig.made[1], 2);
    dealt.prepare({&rig.core});
    EXPECT_EQ(dealt.weights(0)[0], 0U);
    EXPECT_THAT(dealt.of(0, 0), ElementsAre(2U, 0U));
    EXPECT_THAT(dealt.of(1, 0), ElementsAre(0U, 2U));
    EXPECT_THAT(dealt.of(2, 0), ElementsAre(0U, 0U));
}

}  // namespace
}  // namespace heddle
