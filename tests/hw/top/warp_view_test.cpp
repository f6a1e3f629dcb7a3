// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A warp scheduling policy from outside of the tree, which sees more of the warps than masks.
#include <gmock/gmock.h>

#include <algorithm>

#include "models/device/basic_device.h"
#include "models/workloads/registry.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

/// What policies have seen.
struct seen_warps {
    std::uint64_t decisions = 0;
    std::uint64_t wrong_issues = 0;  ///< last_issue is not the cycle of the policy's own decision
    std::uint64_t wrong_starts = 0;  ///< the warp has issued before it started
    std::uint32_t most_in_flight = 0;
    std::uint32_t lowest_pc = ~0U;
    std::uint32_t highest_pc = 0;
};

/// The warp with the fewest loads and stores in flight; of these the one that has issued longest
/// ago.
class fewest_in_flight : public selection_events {
public:
    fewest_in_flight(const selection_setting& setting, seen_warps& seen)
        : view_(setting.view), seen_(&seen) {}

    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        unsigned best = no_warp;
        bits::for_each(in.issuable, [&](unsigned warp) {
            look_at(warp, in.cycle);
            if (best == no_warp || key(warp) < key(best)) best = warp;
        });
        ++seen_->decisions;
        decided_ = in.cycle;
        return best;
    }
    void started(unsigned warp) noexcept { issued_[warp] = 0; }
    void issued(unsigned warp) noexcept { issued_[warp] = decided_; }

private:
    [[nodiscard]] std::pair<std::uint32_t, std::uint64_t> key(unsigned warp) const noexcept {
        return {view_->memory_in_flight[warp], view_->last_issue[warp]};
    }
    void look_at(unsigned warp, std::uint64_t cycle) const noexcept {
        if (issued_[warp] != 0 && view_->last_issue[warp] != issued_[warp]) ++seen_->wrong_issues;
        if (issued_[warp] == 0 && view_->last_issue[warp] != view_->started[warp]) {
            ++seen_->wrong_issues;
        }
        if (view_->started[warp] > view_->last_issue[warp] || view_->started[warp] >= cycle) {
            ++seen_->wrong_starts;
        }
        seen_->most_in_flight = std::max(seen_->most_in_flight, view_->memory_in_flight[warp]);
        seen_->lowest_pc = std::min(seen_->lowest_pc, view_->pc[warp]);
        seen_->highest_pc = std::max(seen_->highest_pc, view_->pc[warp]);
    }

    const warp_view* view_;
    seen_warps* seen_;
    mutable std::uint64_t decided_ = 0;
    std::array<std::uint64_t, protocol::maximum_warps> issued_{};
};

class own_policy : public testing::TestWithParam<const char*> {};

TEST_P(own_policy, sees_age_last_issue_accesses_and_pc) {
    seen_warps seen;
    exchangeable_parts parts;
    parts.warp_scheduler = slot_registry<warp_selection_traits>(
        [&](const selection_setting& setting, const slot_context&) {
            return std::make_unique<warp_selection_of<fewest_in_flight>>(
                fewest_in_flight(setting, seen));
        });
    const gpu_configuration configuration =
        configuration_of(GetParam(), {"smx.dual_issue=false", "gpu.smx_count=1"});
    timed_machine machine(configuration, false, parts);
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    machine.run_well([&](device& gpu) {
        workloads::workload_options options;
        options.values = {{"n", "8192"}};
        workloads::run_workload(workloads::find_workload("histogram"), gpu, options);
        const program::kernel_code& code = dynamic_cast<basic_device&>(gpu).image().code();
        first = code.base;
        end = code.base + 4 * static_cast<std::uint32_t>(code.instructions.size());
    });
    EXPECT_EQ(seen.decisions, machine.count("gpu.warp_instructions"));
    EXPECT_EQ(seen.wrong_issues, 0U);
    EXPECT_EQ(seen.wrong_starts, 0U);
    EXPECT_GE(seen.most_in_flight, 1U);
    EXPECT_GE(seen.lowest_pc, first);
    EXPECT_LT(seen.highest_pc, end);
    EXPECT_GT(seen.highest_pc, seen.lowest_pc);
}

INSTANTIATE_TEST_SUITE_P(configurations, own_policy, testing::Values("tiny", "gk110", "si"));

TEST(warp_view, without_an_smx_has_zeros) {
    for (const unsigned warp : {0U, 63U}) {
        EXPECT_EQ(selection_setting::no_view.started[warp], 0U);
        EXPECT_EQ(selection_setting::no_view.last_issue[warp], 0U);
        EXPECT_EQ(selection_setting::no_view.memory_in_flight[warp], 0U);
        EXPECT_EQ(selection_setting::no_view.pc[warp], 0U);
    }
}

TEST(warp_view, finds_the_values_of_a_member_of_records) {
    struct record {
        std::uint64_t other;
        std::uint32_t value;
    };
    record records[3] = {{9, 1}, {9, 2}, {9, 3}};
    const of_each_warp<std::uint32_t> values(records[0].value, sizeof(record));
    records[2].value = 7;
    EXPECT_EQ(values[0], 1U);
    EXPECT_EQ(values[1], 2U);
    EXPECT_EQ(values[2], 7U);
}

}  // namespace
}  // namespace heddle
