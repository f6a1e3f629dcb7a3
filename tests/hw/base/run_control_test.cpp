// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/run_control.h"

#include <gmock/gmock.h>

#include <csignal>
#include <functional>

#include "hw/base/clock_domain.h"

namespace heddle {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

/// Busy for ever; calls a function at one edge.
class runner final : public clocked {
public:
    runner(clock_domain& domain, std::uint64_t at, std::function<void()> call)
        : clocked(domain, "runner"), at_(at), call_(std::move(call)) {}
    void evaluate() override { ++evaluations; }
    activity update() override {
        if (domain().edge() == at_) {
            call_();
        }
        return activity::busy;
    }
    std::string waiting_for() const override { return "Godot"; }
    std::uint64_t evaluations = 0;

private:
    std::uint64_t at_;
    std::function<void()> call_;
};

/// In step with SystemC's kernel, and ahead of it.
class run_control_test : public testing::TestWithParam<bool> {
protected:
    run_control_test() {
        if (GetParam()) control.run_ahead();
    }

    run_status status;
    run_control control{status};
    clock_domain core{"core", frequency::megahertz(1000), {&control, false}};
    clock_domain other{"other", frequency::megahertz(500), {&control, false}};
};

TEST_P(run_control_test, finish_ends_the_run_at_that_edge_in_all_domains) {
    runner part(core, 6, [&] { control.finish(); });
    runner second(other, 1000, [] {});
    EXPECT_EQ(control.run(), error_kind::none);
    EXPECT_EQ(part.evaluations, 7U);
    EXPECT_EQ(second.evaluations, 4U);
    EXPECT_EQ(core.edge(), 6U);
}

TEST_P(run_control_test, domains_that_come_later_at_the_last_instant_complete_their_edges) {
    runner part(core, 1000, [] {});
    runner first(other, 3,
                 [&] { control.finish(); });  // its edge 3 was told of before edge 6 of core
    EXPECT_EQ(control.run(), error_kind::none);
    EXPECT_EQ(first.evaluations, 4U);
    EXPECT_EQ(part.evaluations, 7U);
}

TEST_P(run_control_test, an_error_ends_the_run_at_that_edge) {
    runner part(core, 5, [&] { status.report(error_kind::kernel_fault, "bad access"); });
    EXPECT_EQ(control.run(), error_kind::kernel_fault);
    EXPECT_EQ(part.evaluations, 6U);
}

TEST_P(run_control_test, max_cycles_is_exact_and_tells_who_waits) {
    runner part(core, 1000, [] {});
    run_limits limits;
    limits.max_cycles = 100;
    limits.cycle_domain = &core;
    EXPECT_EQ(control.run(limits), error_kind::no_progress);
    EXPECT_EQ(part.evaluations, 100U);
    EXPECT_EQ(core.edge_count(), 100U);  // what counts skipped edges counts those before the limit
    EXPECT_THAT(status.text(), HasSubstr("cycle 100 of 'core'"));
    EXPECT_THAT(status.text(), HasSubstr("waiting: runner: Godot"));
}

TEST_P(run_control_test, a_run_that_ends_by_itself_before_the_limit_is_good) {
    run_limits limits;
    limits.max_time = sc_core::sc_time(1, sc_core::SC_US);
    EXPECT_EQ(control.run(limits), error_kind::none);
    EXPECT_LT(sc_core::sc_time_stamp(), limits.max_time);
}

TEST_P(run_control_test, max_time_ends_the_run) {
    runner part(core, 1000000, [] {});
    run_limits limits;
    limits.max_time = sc_core::sc_time(1, sc_core::SC_US);
    EXPECT_EQ(control.run(limits), error_kind::no_progress);
    EXPECT_EQ(part.evaluations, 1000U);
}

TEST_P(run_control_test, ctrl_c_sets_a_flag_that_ends_the_run_at_an_edge) {
    run_control::install_signal_handler();
    runner part(core, 3, [] { std::raise(SIGINT); });
    EXPECT_EQ(control.run(), error_kind::interrupted);
    EXPECT_EQ(part.evaluations, 4U);
    EXPECT_THAT(status.text(), HasSubstr("partial"));
    EXPECT_EQ(exit_code(status.kind()), 130);
}

TEST_P(run_control_test, an_error_report_of_systemc_ends_as_wrong_result) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    runner part(core, 3, [] { SC_REPORT_ERROR("/heddle/test", "broken protocol"); });
    EXPECT_EQ(control.run(), error_kind::wrong_result);
    EXPECT_THAT(status.text(), HasSubstr("broken protocol"));
    EXPECT_THAT(status.text(), EndsWith(" @ 3 ns\n"));
}

INSTANTIATE_TEST_SUITE_P(ahead, run_control_test, testing::Bool());

}  // namespace
}  // namespace heddle
