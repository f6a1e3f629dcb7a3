// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Reconvergence stacks of RTL beside those of the model, under random control flow that a kernel
// seldom has.
#include <gmock/gmock.h>

#include "hw/cosim/stimulus/random_control_flow.h"
#include "hw/top/exchangeable_parts.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

class formation_rtl : public testing::TestWithParam<slot_implementation> {};

TEST_P(formation_rtl, agrees_on_random_control_flow) {
    for (const unsigned entries : {1U, 5U, 24U, 128U}) {
        SCOPED_TRACE(entries);
        slot_rig rig;
        const auto part = rig.maker(exchangeable_parts().formation, GetParam())
                              .make({64, entries}, "gpu.smx_0.formation");
        random_stream random(1, "control_flow");
        cosim::random_control_flow driver(*part, entries == 5 ? 64 : 3, entries, random);
        for (int step = 0; step < 40'000; ++step) {
            rig.clock.now = static_cast<std::uint64_t>(step);
            driver.step(step / 2000 % 2 != 0);
            ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
        }
        EXPECT_EQ(driver.deepest, entries);
        EXPECT_GT(driver.overflows, 20U);
        EXPECT_GT(driver.moves, 100U);
        EXPECT_GT(driver.commits, 100U);
    }
}

INSTANTIATE_TEST_SUITE_P(with, formation_rtl,
                         testing::Values(slot_implementation::rtl, slot_implementation::shadow),
                         [](const auto& info) {
                             return std::string(info.param == slot_implementation::rtl ? "rtl"
                                                                                       : "shadow");
                         });

TEST(formation_rtl_setting, a_stack_without_limit_has_no_rtl) {
    slot_rig rig;
    const auto maker = rig.maker(exchangeable_parts().formation, slot_implementation::rtl);
    for (const unsigned entries : {0U, 129U}) {
        try {
            (void)maker.make({64, entries}, "gpu.smx_0.formation");
            FAIL() << entries;
        } catch (const configuration_error& error) {
            EXPECT_EQ(error.what(),
                      "slot.formation: smx.stack_entries = " + std::to_string(entries) +
                          "; legal with rtl and shadow: 1 to 128");
        }
    }
}

}  // namespace
}  // namespace heddle
