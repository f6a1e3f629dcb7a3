// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/shared_access.h"
#include "hw/protocol/warp_issue.h"
#include "tests/hw/protocol/violation_table.h"

/// The rules of the links below a launch, each on the mistake that it is for.
namespace heddle::protocol::testing {
namespace {

using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

// ---- kde_link ---------------------------------------------------------------------------------

struct kde_fixture : checked_link<kde_link> {
    pool<kde_update> updates{"updates"};
    pool_ptr<kde_update> update = updates.make();

    kde_fixture() {
        update->launch = launch_id(1);
        update->event = kde_event::block_started;
    }
    kde_update& at(unsigned) { return *update; }
};

struct kde_table : violation_table<kde_fixture> {
    static std::vector<row> rows() {
        const step update = forward(1, kde_phase::update);
        return {
            {"completed_calls",
             {target_answers(TLM_COMPLETED), update, update, end_of_run(), ended(2)}},
            {"call_that_is_not_completed",
             {target_answers(TLM_ACCEPTED), update, end_of_run()},
             {rule::return_status},
             {"TLM_ACCEPTED as the answer to update on the forward path; legal: TLM_COMPLETED"}},
        };
    }
};

class kde_rules : public ::testing::TestWithParam<kde_table::row> {};
TEST_P(kde_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(calls, kde_rules, ::testing::ValuesIn(kde_table::rows()), kde_table::name);

// ---- block_link -------------------------------------------------------------------------------

struct block_fixture : checked_link<block_link> {
    pool<kernel_launch> launches{"launches"};
    pool<block_dispatch> blocks{"blocks"};
    pool_ptr<block_dispatch> block = blocks.make();

    block_fixture() {
        block->launch = launch_id(1);
        block->kernel = launches.make();
        block->kernel->launch = launch_id(1);
        block->kernel->grid = {4, 2, 1};
        block->position = {1, 1, 0};
        block->block = 5;
    }
    block_dispatch& at(unsigned) { return *block; }
};

struct block_table : violation_table<block_fixture> {
    static std::vector<row> rows() {
        const step dispatch = forward(1, block_phase::dispatch);
        const step done = [](block_fixture& f) {
            f.block->outcome = block_outcome::completed;
            f.initiator_answers(TLM_COMPLETED, {});
            f.backward(*f.block, block_phase::done);
        };
        const step starts_in_the_call = target_answers(TLM_UPDATED, block_phase::started);
        return {
            {"whole_transaction", {starts_in_the_call, dispatch, done, end_of_run(), ended(1)}},
            {"done_twice",
             {starts_in_the_call, dispatch, done, clean_so_far(), done},
             {rule::not_open}},
            {"done_before_started", {dispatch, done}, {rule::phase_order}},
        };
    }
};

class block_rules : public ::testing::TestWithParam<block_table::row> {};
TEST_P(block_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(phases, block_rules, ::testing::ValuesIn(block_table::rows()),
                         block_table::name);

// ---- warp_link --------------------------------------------------------------------------------

struct warp_fixture : checked_link<warp_link> {
    warp_cycle cycle;

    warp_fixture() {
        cycle.status.resident = cycle.status.ready = cycle.status.issuable = 0b110;
        target_answers(TLM_COMPLETED, {});
    }
    warp_cycle& at(unsigned) { return cycle; }
};

struct warp_table : violation_table<warp_fixture> {
    static step issues(unsigned warp) {
        return [=](warp_fixture& f) { f.cycle.decision = {true, warp_slot(warp)}; };
    }
    /// The payload is another one when the call is over.
    static step call_is_left() {
        return [](warp_fixture& f) {
            f.target.on_forward = [](auto&, auto&, auto&) -> tlm::tlm_sync_enum {
                throw std::runtime_error("left");
            };
            EXPECT_THROW(f.forward(f.cycle, warp_phase::select), std::runtime_error);
            f.cycle.scheduler = 1;
        };
    }
    static std::vector<row> rows() {
        const step select = forward(1, warp_phase::select);
        return {
            {"call_that_an_exception_leaves_is_lost_as_it_was",
             {call_is_left(), end_of_run()},
             {rule::lost},
             {"transaction 1 {sm 0, scheduler 0}"}},
            {"one_call_per_instant", {issues(1), select, wait(1), select}},
            {"cycle_without_an_issue", {select}},
            {"two_calls_at_once",
             {issues(1), select, wait(1), select, clean_so_far(), select},
             {rule::once_per_instant}},
            {"issue_of_a_warp_that_is_not_issuable",
             {issues(0), select},
             {rule::response_missing},
             {"warp 0 was issued but is not issuable"}},
            {"issue_of_a_slot_that_no_smx_has",
             {issues(maximum_warps), select},
             {rule::response_missing}},
        };
    }
};

class warp_rules : public ::testing::TestWithParam<warp_table::row> {};
TEST_P(warp_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(calls, warp_rules, ::testing::ValuesIn(warp_table::rows()),
                         warp_table::name);

// ---- shared_link -------------------------------------------------------------------------------

struct shared_fixture : checked_link<shared_link> {
    pool<shared_access> accesses{"accesses"};
    pool_ptr<shared_access> access = accesses.make();

    shared_fixture() {
        access->lanes = 0b11;
        access->address = {0, 4};
    }
    shared_access& at(unsigned) { return *access; }
};

struct local_table : violation_table<shared_fixture> {
    /// The target responds and adds `ns` to the time.
    static step target_adds(double ns) {
        return [=](shared_fixture& f) {
            f.target.on_blocking = [=](shared_access& a, sc_time& t) {
                a.response = shared_response::ok;
                const sc_time by(std::abs(ns), SC_NS);
                t = ns < 0 ? t - by : t + by;
            };
        };
    }
    /// The access is transactional or not; the target says that these lanes lose, some to lower
    /// ones.
    static step target_loses(bool transactional, std::uint64_t lost, std::uint64_t to_lower) {
        return [=](shared_fixture& f) {
            f.access->transactional = transactional;
            f.target.on_blocking = [=](shared_access& a, sc_time&) {
                a.response = shared_response::ok;
                a.lost = lost;
                a.lost_to_lower = to_lower;
            };
        };
    }
    static step call_at(double ns) {
        return [=](shared_fixture& f) {
            sc_time t(ns, SC_NS);
            f.initiator.socket->b_transport(*f.access, t);
        };
    }
    /// In the first call the run ends, and the same access is sent again.
    static step target_nests() {
        return [](shared_fixture& f) {
            f.target.on_blocking = [&f, nested = false](shared_access& a, sc_time&) mutable {
                a.response = shared_response::ok;
                if (std::exchange(nested, true)) return;
                f.checker.report_lost();
                a.response = shared_response::incomplete;
                f.blocking(a);
            };
        };
    }
    /// The payload is another one when the call is over.
    static step call_is_left() {
        return [](shared_fixture& f) {
            f.target.on_blocking = [](shared_access& a, sc_time&) {
                a.response = shared_response::ok;
                throw std::runtime_error("left");
            };
            EXPECT_THROW(f.blocking(*f.access), std::runtime_error);
            f.access->lanes = 0b1;
        };
    }
    static std::vector<row> rows() {
        return {
            {"blocking_call", {target_adds(2), blocking(1), end_of_run(), ended(1)}},
            {"non_blocking_call", {forward(1, shared_phase{})}, {rule::transport_style}},
            {"answer_without_a_response", {blocking(1)}, {rule::response_missing}},
            {"target_takes_time_away", {target_adds(-1), call_at(5)}, {rule::time_backwards}},
            {"lanes_lose", {target_loses(true, 0b10, 0b10), blocking(1)}},
            {"lanes_of_a_plain_access_lose",
             {target_loses(false, 0b10, 0), blocking(1)},
             {rule::response_missing},
             {"only lanes of a transactional access lose"}},
            {"lanes_lose_that_do_not_access",
             {target_loses(true, 0b100, 0), blocking(1)},
             {rule::response_missing},
             {"only lanes of a transactional access lose"}},
            {"lanes_lose_to_others_but_have_not_lost",
             {target_loses(true, 0b01, 0b10), blocking(1)},
             {rule::response_missing},
             {"have not lost"}},
            {"call_that_never_returns_is_lost_and_nesting_is_duplicated",
             {target_nests(), blocking(1)},
             {rule::lost, rule::duplicated},
             {"still open:\n  transaction 1 {launch 0, sm 0, warp 0, command 'load', lanes 0x3}",
              "b_transport of transaction 1 {launch 0, sm 0, warp 0, command 'load', lanes 0x3}"}},
            {"call_that_an_exception_leaves_is_lost_as_it_was",
             {call_is_left(), end_of_run()},
             {rule::lost},
             {"transaction 1 {launch 0, sm 0, warp 0, command 'load', lanes 0x3}"}},
        };
    }
};

class shared_rules : public ::testing::TestWithParam<local_table::row> {};
TEST_P(shared_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(calls, shared_rules, ::testing::ValuesIn(local_table::rows()),
                         local_table::name);

}  // namespace
}  // namespace heddle::protocol::testing
