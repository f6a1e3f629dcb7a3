// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hw/protocol/scripted_link.h"

/// Each rule of the launch links fires on the mistake that it is for, and on nothing else.
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

}  // namespace
}  // namespace heddle::protocol::testing
