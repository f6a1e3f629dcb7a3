// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hw/protocol/scripted_link.h"

/// The rules of the links below a launch, each on the mistake that it is for.
namespace heddle::protocol::testing {
namespace {

using ::testing::HasSubstr;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

TEST(kde_rules, update_is_one_completed_call) {
    checked_link<kde_link> f;
    pool<kde_update> updates("updates");
    auto p = updates.make();
    p->launch = launch_id(1);
    p->event = kde_event::block_started;
    f.target_answers(TLM_COMPLETED, {});
    f.forward(*p, kde_phase::update);
    f.forward(*p, kde_phase::update);
    f.checker.report_lost();
    f.expect_clean();
    EXPECT_EQ(f.checker.completed(), 2U);
    f.target_answers(TLM_ACCEPTED, {});
    f.forward(*p, kde_phase::update);
    f.checker.report_lost();
    f.expect(rule::return_status);
}

struct block_fixture : checked_link<block_link> {
    pool<kernel_launch> launches{"launches"};
    pool<block_dispatch> blocks{"blocks"};
    pool_ptr<kernel_launch> kernel = launches.make();

    block_fixture() {
        kernel->launch = launch_id(1);
        kernel->grid = {4, 2, 1};
    }
    pool_ptr<block_dispatch> block(unsigned x, unsigned y) {
        auto p = blocks.make();
        p->launch = launch_id(1);
        p->kernel = kernel;
        p->position = {x, y, 0};
        p->block = x + 4 * y;
        return p;
    }
};

TEST(block_rules, whole_transaction_is_clean_and_done_twice_is_not) {
    block_fixture f;
    auto p = f.block(1, 1);
    f.target_answers(TLM_UPDATED, block_phase::started);
    f.forward(*p, block_phase::dispatch);
    p->outcome = block_outcome::completed;
    f.initiator_answers(TLM_COMPLETED, {});
    f.backward(*p, block_phase::done);
    f.checker.report_lost();
    f.expect_clean();
    f.backward(*p, block_phase::done);
    f.expect(rule::not_open);
}

TEST(block_rules, done_before_started) {
    block_fixture f;
    auto p = f.block(0, 0);
    f.forward(*p, block_phase::dispatch);
    p->outcome = block_outcome::completed;
    f.initiator_answers(TLM_COMPLETED, {});
    f.backward(*p, block_phase::done);
    f.expect(rule::phase_order);
}

struct warp_fixture : checked_link<warp_link> {
    warp_cycle cycle;

    warp_fixture() {
        cycle.status.resident = cycle.status.ready = cycle.status.issuable = 0b110;
        cycle.decision = {true, warp_slot(1)};
        target_answers(TLM_COMPLETED, {});
    }
};

TEST(warp_rules, one_call_per_instant) {
    warp_fixture f;
    f.forward(f.cycle, warp_phase::select);
    f.wait(1);
    f.forward(f.cycle, warp_phase::select);
    f.expect_clean();
    f.forward(f.cycle, warp_phase::select);
    f.expect(rule::once_per_instant);
}

TEST(warp_rules, issue_of_a_warp_that_is_not_issuable) {
    warp_fixture f;
    f.cycle.decision.warp = warp_slot(0);
    f.forward(f.cycle, warp_phase::select);
    f.expect(rule::response_missing);
    EXPECT_THAT(report_catcher::text(), HasSubstr("warp 0 was issued but is not issuable"));
}

TEST(warp_rules, issue_of_a_slot_that_no_smx_has) {
    warp_fixture f;
    f.cycle.decision.warp = warp_slot(maximum_warps);
    f.forward(f.cycle, warp_phase::select);
    f.expect(rule::response_missing);
}

TEST(warp_rules, a_cycle_without_an_issue) {
    warp_fixture f;
    f.cycle.decision = {};
    f.forward(f.cycle, warp_phase::select);
    f.expect_clean();
}

struct local_fixture : checked_link<local_link> {
    pool<local_access> accesses{"accesses"};
    pool_ptr<local_access> access = accesses.make();

    local_fixture() {
        access->lanes = 0b11;
        access->address = {0, 4};
        target.on_blocking = [](local_access& a, sc_time& t) {
            a.response = local_response::ok;
            t += sc_time(2, SC_NS);
        };
    }
};

TEST(local_rules, blocking_call_is_clean) {
    local_fixture f;
    f.blocking(*f.access);
    f.checker.report_lost();
    f.expect_clean();
    EXPECT_EQ(f.checker.completed(), 1U);
}

TEST(local_rules, non_blocking_call) {
    local_fixture f;
    f.forward(*f.access, local_phase{});
    f.expect(rule::transport_style);
}

TEST(local_rules, answer_without_a_response) {
    local_fixture f;
    f.target.on_blocking = [](local_access&, sc_time&) {};
    f.blocking(*f.access);
    f.expect(rule::response_missing);
}

TEST(local_rules, target_takes_time_away) {
    local_fixture f;
    f.target.on_blocking = [](local_access& a, sc_time& t) {
        a.response = local_response::ok;
        t -= sc_time(1, SC_NS);
    };
    sc_time t(5, SC_NS);
    f.initiator.socket->b_transport(*f.access, t);
    f.expect(rule::time_backwards);
}

TEST(local_rules, call_that_never_returns_is_lost_and_nesting_is_duplicated) {
    local_fixture f;
    bool nested = false;
    f.target.on_blocking = [&](local_access& a, sc_time&) {
        a.response = local_response::ok;
        if (std::exchange(nested, true)) {
            return;
        }
        f.checker.report_lost();
        a.response = local_response::incomplete;
        f.blocking(a);
    };
    f.blocking(*f.access);
    EXPECT_EQ(report_catcher::ids(), (std::vector<std::string>{rule::lost, rule::duplicated}));
}

}  // namespace
}  // namespace heddle::protocol::testing
