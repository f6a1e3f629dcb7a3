// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hw/protocol/scripted_link.h"

/// Each rule of the checkers fires on the mistake that it is for, and on nothing else.
namespace heddle::protocol::testing {
namespace {

using ::testing::HasSubstr;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

struct launch_fixture : checked_link<launch_link> {
    pool<kernel_launch> launches{"launches"};

    pool_ptr<kernel_launch> launch(unsigned id = 1) {
        auto p = launches.make();
        p->launch = launch_id(id);
        p->kernel_name = "bfs";
        return p;
    }
    void accept(kernel_launch& p) { backward(p, launch_phase::accepted); }
    void complete(kernel_launch& p) {
        p.outcome = launch_outcome::completed;
        initiator_answers(TLM_COMPLETED, {});
        backward(p, launch_phase::completed);
        initiator_answers(TLM_ACCEPTED, {});
    }
};

TEST(launch_rules, whole_transaction_is_clean) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.wait(10);
    f.accept(*p);
    f.wait(10);
    f.complete(*p);
    f.checker.report_lost();
    f.expect_clean();
    EXPECT_EQ(f.checker.completed(), 1U);
    p.reset();
    EXPECT_EQ(f.launches.live(), 0U);
}

TEST(launch_rules, acceptance_in_the_same_call_is_clean) {
    launch_fixture f;
    auto p = f.launch(1);
    auto q = f.launch(2);
    f.target_answers(TLM_UPDATED, launch_phase::accepted);
    f.forward(*p, launch_phase::request);
    f.forward(*q, launch_phase::request);
    f.complete(*q);
    f.complete(*p);
    f.checker.report_lost();
    f.expect_clean();
}

TEST(launch_rules, unknown_phase) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, static_cast<launch_phase>(7));
    f.expect(rule::unknown_phase);
}

TEST(launch_rules, unknown_phase_in_an_update) {
    launch_fixture f;
    auto p = f.launch();
    f.target_answers(TLM_UPDATED, static_cast<launch_phase>(7));
    f.forward(*p, launch_phase::request);
    f.expect(rule::unknown_phase);
}

TEST(launch_rules, phase_order) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.complete(*p);  // before accepted
    f.expect(rule::phase_order);
    EXPECT_THAT(report_catcher::text(), HasSubstr("'checker' (launch): completed on the backward "
                                                  "path of transaction 1 {launch 1, kernel 'bfs'"));
    EXPECT_THAT(report_catcher::text(),
                HasSubstr("in state 'requested' since 0 s; legal: accepted on the backward path"));
}

TEST(launch_rules, phase_on_the_wrong_path) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.forward(*p, launch_phase::accepted);
    f.expect(rule::phase_order);
}

TEST(launch_rules, second_request_before_acceptance_is_exclusion) {
    launch_fixture f;
    auto p = f.launch(1);
    auto q = f.launch(2);
    f.forward(*p, launch_phase::request);
    f.wait(3);
    f.forward(*q, launch_phase::request);
    f.expect(rule::exclusion);
    EXPECT_THAT(report_catcher::text(), HasSubstr("transaction 2 {launch 2"));
    EXPECT_THAT(report_catcher::text(), HasSubstr("while transaction 1 {launch 1"));
}

TEST(launch_rules, request_after_acceptance_is_clean) {
    launch_fixture f;
    auto p = f.launch(1);
    auto q = f.launch(2);
    f.forward(*p, launch_phase::request);
    f.accept(*p);
    f.forward(*q, launch_phase::request);
    f.expect_clean();
}

TEST(launch_rules, duplicated_request) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.forward(*p, launch_phase::request);
    f.expect(rule::duplicated);
}

TEST(launch_rules, completion_twice) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.accept(*p);
    f.complete(*p);
    f.complete(*p);
    f.expect(rule::not_open);
}

TEST(launch_rules, lost) {
    launch_fixture f;
    auto p = f.launch(1);
    auto q = f.launch(2);
    f.forward(*p, launch_phase::request);
    f.wait(12);
    f.accept(*p);
    f.wait(5);
    f.forward(*q, launch_phase::request);
    EXPECT_EQ(f.checker.open_transactions().size(), 2U);
    f.expect_clean();
    f.checker.report_lost();
    f.expect(rule::lost);
    EXPECT_THAT(report_catcher::text(), HasSubstr("2 transactions are still open"));
    EXPECT_THAT(report_catcher::text(), HasSubstr("in state 'pending' since 12 ns"));
    EXPECT_THAT(report_catcher::text(), HasSubstr("in state 'requested' since 17 ns"));
}

TEST(launch_rules, completed_too_early_by_return_value) {
    launch_fixture f;
    auto p = f.launch();
    f.target.on_forward = [](kernel_launch& l, launch_phase&, sc_time&) {
        l.outcome = launch_outcome::completed;
        return TLM_COMPLETED;
    };
    f.forward(*p, launch_phase::request);
    f.expect(rule::return_status);
    EXPECT_THAT(report_catcher::text(), HasSubstr("legal: TLM_ACCEPTED or TLM_UPDATED"));
}

TEST(launch_rules, accepted_with_a_changed_phase) {
    launch_fixture f;
    auto p = f.launch();
    f.target.on_forward = [](kernel_launch&, launch_phase& ph, sc_time&) {
        ph = launch_phase::accepted;
        return TLM_ACCEPTED;
    };
    f.forward(*p, launch_phase::request);
    f.expect(rule::return_status);
}

TEST(launch_rules, end_that_is_not_acknowledged) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.accept(*p);
    p->outcome = launch_outcome::completed;
    f.backward(*p, launch_phase::completed);  // answered TLM_ACCEPTED
    f.expect(rule::return_status);
}

TEST(launch_rules, phase_before_the_previous_one) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request, sc_time(20, SC_NS));
    f.wait(10);
    f.backward(*p, launch_phase::accepted, sc_time(9, SC_NS));
    f.expect(rule::time_backwards);
}

TEST(launch_rules, phase_at_the_time_of_the_previous_one_is_clean) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request, sc_time(20, SC_NS));
    f.wait(10);
    f.backward(*p, launch_phase::accepted, sc_time(10, SC_NS));
    f.expect_clean();
}

TEST(launch_rules, callee_takes_time_back) {
    launch_fixture f;
    auto p = f.launch();
    f.target.on_forward = [](kernel_launch&, launch_phase& ph, sc_time& t) {
        ph = launch_phase::accepted;
        t -= sc_time(1, SC_NS);
        return TLM_UPDATED;
    };
    f.forward(*p, launch_phase::request, sc_time(5, SC_NS));
    EXPECT_THAT(report_catcher::ids(), ::testing::Each(std::string(rule::time_backwards)));
    EXPECT_FALSE(report_catcher::ids().empty());
}

TEST(launch_rules, blocking_call_on_a_non_blocking_link) {
    launch_fixture f;
    auto p = f.launch();
    f.blocking(*p);
    f.expect(rule::transport_style);
}

TEST(launch_rules, payload_without_a_reference) {
    launch_fixture f;
    kernel_launch on_the_stack;
    on_the_stack.launch = launch_id(1);
    f.forward(on_the_stack, launch_phase::request);
    f.expect(rule::not_acquired);
}

TEST(launch_rules, payload_released_under_way) {
    launch_fixture f;
    auto p = f.launch();
    kernel_launch& launch = *p;
    f.forward(launch, launch_phase::request);
    p.reset();  // nobody but the checker holds it now
    f.backward(launch, launch_phase::accepted);
    f.expect(rule::released_early);
}

TEST(launch_rules, attribute_changed_under_way) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.accept(*p);
    p->entry_pc = 0x10000;
    f.complete(*p);
    f.expect(rule::attribute_changed);
    EXPECT_THAT(report_catcher::text(), HasSubstr("entry_pc changed"));
}

TEST(launch_rules, completion_without_an_outcome) {
    launch_fixture f;
    auto p = f.launch();
    f.forward(*p, launch_phase::request);
    f.accept(*p);
    f.initiator_answers(TLM_COMPLETED, {});
    f.backward(*p, launch_phase::completed);
    f.expect(rule::response_missing);
}

TEST(kernel_dispatch_rules, second_request_before_acceptance_is_exclusion) {
    checked_link<kernel_dispatch_link> f;
    pool<kernel_launch> launches("launches");
    auto p = launches.make();
    auto q = launches.make();
    p->launch = launch_id(1);
    q->launch = launch_id(2);
    f.forward(*p, launch_phase::request);
    f.forward(*q, launch_phase::request);
    f.expect(rule::exclusion);
}

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
    issue_group group{0x10000, 0xf, nullptr};

    warp_fixture() {
        cycle.status.resident = cycle.status.ready = cycle.status.issuable = 0b110;
        cycle.decision = {true, warp_slot(1), &group, 1};
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

TEST(warp_rules, groups_that_share_a_lane) {
    warp_fixture f;
    const std::array<issue_group, 2> groups{{{0, 0b11, nullptr}, {8, 0b10, nullptr}}};
    f.cycle.decision.groups = groups.data();
    f.cycle.decision.group_count = 2;
    f.forward(f.cycle, warp_phase::select);
    f.expect(rule::response_missing);
    EXPECT_THAT(report_catcher::text(), HasSubstr("share a lane"));
}

TEST(warp_rules, decision_without_groups_or_lanes) {
    warp_fixture f;
    f.group.lanes = 0;
    f.forward(f.cycle, warp_phase::select);
    f.cycle.decision.group_count = 0;
    f.wait(1);
    f.forward(f.cycle, warp_phase::select);
    EXPECT_EQ(report_catcher::ids(), (std::vector<std::string>(2, rule::response_missing)));
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
