// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "hw/protocol/kernel_launch.h"
#include "tests/hw/protocol/violation_table.h"

/// Each rule of the launch links fires on the mistake that it is for, and on nothing else.
namespace heddle::protocol::testing {
namespace {

using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

template <typename Link>
struct launch_fixture : checked_link<Link> {
    pool<kernel_launch> launches{"launches"};
    std::map<unsigned, pool_ptr<kernel_launch>> held;
    kernel_launch on_the_stack;

    /// The launch with this id; 0 is one that no pool made.
    kernel_launch& at(unsigned id) {
        if (id == 0) {
            on_the_stack.launch = launch_id(1);
            return on_the_stack;
        }
        pool_ptr<kernel_launch>& p = held[id];
        if (!p) {
            p = launches.make();
            p->launch = launch_id(id);
            p->kernel_name = "bfs";
        }
        return *p;
    }
};

struct launch_table : violation_table<launch_fixture<launch_link>> {
    using fixture = launch_fixture<launch_link>;
    static constexpr auto unknown = static_cast<launch_phase>(7);

    static step request(unsigned id, double ns = 0) {
        return forward(id, launch_phase::request, ns);
    }
    static step accepted(unsigned id, double ns = 0) {
        return backward(id, launch_phase::accepted, ns);
    }
    static step completed(unsigned id) { return backward(id, launch_phase::completed); }
    static step outcome(unsigned id) {
        return [=](fixture& f) { f.at(id).outcome = launch_outcome::completed; };
    }
    /// The end as it should be.
    static step complete(unsigned id) {
        return [=](fixture& f) {
            outcome(id)(f);
            f.initiator_answers(TLM_COMPLETED, {});
            completed(id)(f);
            f.initiator_answers(TLM_ACCEPTED, {});
        };
    }
    /// The target ends the launch in the call that brings it.
    static step target_completes() {
        return [](fixture& f) {
            f.target.on_forward = [](kernel_launch& p, launch_phase&, sc_time&) {
                p.outcome = launch_outcome::completed;
                return TLM_COMPLETED;
            };
        };
    }
    /// The target changes the phase to accepted and the time by `ns`, and returns `status`.
    static step target_returns(tlm::tlm_sync_enum status, double ns_back) {
        return [=](fixture& f) {
            f.target.on_forward = [=](kernel_launch&, launch_phase& ph, sc_time& t) {
                ph = launch_phase::accepted;
                t -= sc_time(ns_back, SC_NS);
                return status;
            };
        };
    }
    static step initiator_releases(unsigned id) {
        return [=](fixture& f) {
            kernel_launch& launch = f.at(id);
            f.held[id].reset();
            f.backward(launch, launch_phase::accepted);
        };
    }
    /// Nobody holds a reference: the checker takes none.
    static step all_returned(unsigned id) {
        return [=](fixture& f) {
            f.held[id].reset();
            EXPECT_EQ(f.launches.live(), 0U);
        };
    }
    static step open(unsigned count) {
        return [=](fixture& f) { EXPECT_EQ(f.checker.open_transactions().size(), count); };
    }
    static step change_entry(unsigned id) {
        return [=](fixture& f) { f.at(id).entry_pc = 0x10000; };
    }

    static std::vector<row> legal() {
        return {
            {"whole_transaction",
             {request(1), wait(10), accepted(1), wait(10), complete(1), end_of_run(), ended(1),
              all_returned(1)}},
            {"acceptance_in_the_same_call",
             {target_answers(TLM_UPDATED, launch_phase::accepted), request(1), request(2),
              complete(2), complete(1), end_of_run()}},
            {"request_after_acceptance", {request(1), accepted(1), request(2)}},
            {"phase_at_the_time_of_the_previous_one", {request(1, 20), wait(10), accepted(1, 10)}},
        };
    }
    static std::vector<row> wrong_phases() {
        return {
            {"unknown_phase", {forward(1, unknown)}, {rule::unknown_phase}},
            {"unknown_phase_in_an_update",
             {target_answers(TLM_UPDATED, unknown), request(1)},
             {rule::unknown_phase}},
            {"phase_order",
             {request(1), complete(1)},
             {rule::phase_order},
             {"'checker' (launch): completed on the backward path of transaction 1 {launch 1, "
              "kernel 'bfs'",
              "in state 'requested' since 0 s; legal: accepted on the backward path"}},
            {"phase_on_the_wrong_path",
             {request(1), forward(1, launch_phase::accepted)},
             {rule::phase_order}},
            {"second_request_before_acceptance",
             {request(1), wait(3), request(2)},
             {rule::exclusion},
             {"transaction 2 {launch 2", "while transaction 1 {launch 1"}},
            {"duplicated_request", {request(1), request(1)}, {rule::duplicated}},
            {"completion_twice",
             {request(1), accepted(1), complete(1), complete(1)},
             {rule::not_open}},
            {"lost",
             {request(1), wait(12), accepted(1), wait(5), request(2), open(2), clean_so_far(),
              end_of_run()},
             {rule::lost},
             {"2 transactions are still open", "in state 'pending' since 12 ns",
              "in state 'requested' since 17 ns"}},
        };
    }
    static std::vector<row> wrong_calls() {
        return {
            {"completed_too_early_by_return_value",
             {target_completes(), request(1)},
             {rule::return_status},
             {"legal: TLM_ACCEPTED or TLM_UPDATED"}},
            {"accepted_with_a_changed_phase",
             {target_returns(TLM_ACCEPTED, 0), request(1)},
             {rule::return_status}},
            {"end_that_is_not_acknowledged",
             {request(1), accepted(1), outcome(1), completed(1)},
             {rule::return_status}},
            {"phase_before_the_previous_one",
             {request(1, 20), wait(10), accepted(1, 9)},
             {rule::time_backwards}},
            {"callee_takes_time_back",
             {target_returns(TLM_UPDATED, 1), request(1, 5)},
             {rule::time_backwards, rule::time_backwards},
             {"took the time annotation back from 5 ns to 4 ns", "accepted at 4 ns"}},
            {"blocking_call", {blocking(1)}, {rule::transport_style}},
        };
    }
    static std::vector<row> wrong_payloads() {
        return {
            {"payload_without_a_reference", {request(0)}, {rule::not_acquired}},
            {"payload_released_under_way",
             {request(1), initiator_releases(1)},
             {rule::released_early}},
            {"attribute_changed_under_way",
             {request(1), accepted(1), change_entry(1), complete(1)},
             {rule::attribute_changed},
             {"entry_pc changed"}},
            {"completion_without_an_outcome",
             {request(1), accepted(1), initiator_answers(TLM_COMPLETED), completed(1)},
             {rule::response_missing}},
        };
    }
};

class launch_rules : public ::testing::TestWithParam<launch_table::row> {};
TEST_P(launch_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(legal, launch_rules, ::testing::ValuesIn(launch_table::legal()),
                         launch_table::name);
INSTANTIATE_TEST_SUITE_P(phases, launch_rules, ::testing::ValuesIn(launch_table::wrong_phases()),
                         launch_table::name);
INSTANTIATE_TEST_SUITE_P(calls, launch_rules, ::testing::ValuesIn(launch_table::wrong_calls()),
                         launch_table::name);
INSTANTIATE_TEST_SUITE_P(payloads, launch_rules,
                         ::testing::ValuesIn(launch_table::wrong_payloads()), launch_table::name);

struct dispatch_table : violation_table<launch_fixture<kernel_dispatch_link>> {
    static std::vector<row> rows() {
        return {
            {"second_request_before_acceptance",
             {forward(1, launch_phase::request), forward(2, launch_phase::request)},
             {rule::exclusion},
             {"'checker' (kernel_dispatch)"}},
        };
    }
};

class kernel_dispatch_rules : public ::testing::TestWithParam<dispatch_table::row> {};
TEST_P(kernel_dispatch_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(phases, kernel_dispatch_rules, ::testing::ValuesIn(dispatch_table::rows()),
                         dispatch_table::name);

}  // namespace
}  // namespace heddle::protocol::testing
