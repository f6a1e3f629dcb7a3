// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/watchdog.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>

#include "hw/top/simulation.h"
#include "tests/hw/top/machine_fixture.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

// ---- the part alone -----------------------------------------------------------------------------

constexpr std::uint64_t limit = 100;

/// Gets on at the edges it was given, sleeps in between, and waits for an answer after them.
class worker final : public clocked {
public:
    worker(clock_domain& domain, std::vector<std::uint64_t> edges)
        : clocked(domain, "worker"), edges_(std::move(edges)) {}
    void evaluate() override {
        for (const std::uint64_t edge : edges_) progress += edge == domain().edge() ? 1 : 0;
    }
    activity update() override {
        for (const std::uint64_t edge : edges_) {
            if (edge > domain().edge()) wake_at(edge);
        }
        return activity::idle;
    }
    std::string waiting_for() const override { return "an answer that was lost"; }

    std::uint64_t progress = 0;
    unsigned looks_with_progress = 0;

private:
    std::vector<std::uint64_t> edges_;
};

class watchdog_test : public testing::Test {
protected:
    /// The cycle at which a run ends whose only progress is at `edges`.
    std::uint64_t end_of(const std::vector<std::uint64_t>& edges, std::uint64_t cycles = limit,
                         bool no_sleep = false) {
        core = std::make_unique<clock_domain>("core", frequency::megahertz(1000),
                                              clock_domain_options{&control, no_sleep});
        part = std::make_unique<worker>(*core, edges);
        watchdog_configuration configuration;
        configuration.watchdog = cycles;
        guard =
            std::make_unique<watchdog>(*core, "watchdog", configuration,
                                       watchdog::watched{[this] { return part->progress; },
                                                         [this] { ++part->looks_with_progress; }},
                                       control);
        run_limits bounds;
        bounds.max_cycles = most_cycles;
        bounds.cycle_domain = core.get();
        control.run(bounds);
        return core->edge();
    }

    std::uint64_t most_cycles = 1000;
    run_status status;
    run_control control{status};
    std::unique_ptr<clock_domain> core;
    std::unique_ptr<worker> part;
    std::unique_ptr<watchdog> guard;
};

TEST_F(watchdog_test, a_lost_answer_ends_the_run_at_the_limit_though_all_sleep) {
    EXPECT_EQ(end_of({}), limit);
    EXPECT_EQ(status.kind(), error_kind::no_progress);
    EXPECT_THAT(status.text(),
                AllOf(HasSubstr("no progress: for 100 cycles"), HasSubstr("gpu.watchdog"),
                      HasSubstr("waiting: worker: an answer that was lost")));
    EXPECT_LE(core->executed_edges(), 4U);
}

TEST_F(watchdog_test, sleep_does_not_change_the_end) {
    EXPECT_EQ(end_of({}, limit, true), limit);
    EXPECT_EQ(status.kind(), error_kind::no_progress);
}

TEST_F(watchdog_test, a_pause_of_the_limit_is_not_stopped) {
    EXPECT_EQ(end_of({100, 200, 300}), 400U);
}

TEST_F(watchdog_test, one_cycle_more_than_the_limit_is) {
    EXPECT_EQ(end_of({101, 201}), 100U);
}

TEST_F(watchdog_test, just_less_than_half_again_may_pass) {
    EXPECT_EQ(end_of({1, 150}), 250U);
}

TEST_F(watchdog_test, half_again_never_passes) {
    EXPECT_EQ(end_of({1, 151}), 150U);
}

TEST_F(watchdog_test, the_smallest_limits_work) {
    EXPECT_EQ(end_of({1, 2, 3}, 1), 4U);
}

TEST_F(watchdog_test, an_odd_limit_is_no_shorter) {
    EXPECT_GE(end_of({}, 5), 5U);
}

TEST_F(watchdog_test, zero_is_never) {
    EXPECT_EQ(end_of({1, 900}, 0), 900U);
    EXPECT_EQ(status.kind(), error_kind::none);
}

TEST_F(watchdog_test, tells_the_parts_when_they_get_on) {
    end_of({1, 2, 60, 170});  // looks at 0, 50, 100, 150, 200 ... 300
    EXPECT_EQ(part->looks_with_progress, 3U);
}

TEST_F(watchdog_test, what_runs_in_the_second_half_of_a_standstill_spins) {
    EXPECT_EQ(end_of({1}), 150U);  // a look at 50 has found it
    EXPECT_EQ(guard->spinning_since(), 100U);
}

TEST_F(watchdog_test, a_run_that_a_limit_ends_may_stand_still) {
    most_cycles = 101;
    end_of({1});
    EXPECT_EQ(status.kind(), error_kind::no_progress);
    EXPECT_EQ(guard->spinning_since(), 75U);
}

TEST_F(watchdog_test, half_the_limit_without_progress_is_the_least) {
    most_cycles = 100;
    end_of({1});
    EXPECT_EQ(guard->spinning_since(), std::nullopt);
}

TEST_F(watchdog_test, progress_since_the_last_look_is_progress) {
    most_cycles = 149;
    end_of({1, 120});
    EXPECT_EQ(guard->spinning_since(), std::nullopt);
}

TEST_F(watchdog_test, without_limit_nobody_knows_who_spins) {
    end_of({1}, 0);
    EXPECT_EQ(guard->spinning_since(), std::nullopt);
}

// ---- the machine, when nothing at all is left to happen -----------------------------------------

void wait_for_ever(device&) {
    sc_core::sc_event never;
    sc_core::wait(never);
}

TEST(watchdog_of_the_machine, finds_a_host_that_sleeps_for_ever) {
    gpu_configuration configuration;
    configuration.watchdog.watchdog = 5000;
    simulation run(configuration, {});
    EXPECT_EQ(run.run(wait_for_ever, {}), error_kind::no_progress);
    EXPECT_THAT(run.status().text(), HasSubstr("for 5000 cycles"));
    EXPECT_EQ(core_clock_of(run).edge(), 5000U);
}

TEST(watchdog_of_the_machine, starvation_is_no_progress_without_it_too) {
    gpu_configuration configuration;
    configuration.watchdog.watchdog = 0;
    simulation run(configuration, {});
    EXPECT_EQ(run.run(wait_for_ever, {}), error_kind::no_progress);
    EXPECT_THAT(run.status().text(), HasSubstr("no event is left"));
}

TEST(watchdog_of_the_machine, does_not_keep_a_finished_run_alive) {
    const gpu_configuration configuration;
    simulation run(configuration, {});
    EXPECT_EQ(run.run([](device&) {}, {}), error_kind::none);
    EXPECT_LE(core_clock_of(run).edge(), 1U);
}

// ---- kernels, through the command ---------------------------------------------------------------

command_result run_kernel(const std::string& program, const std::string& kernel,
                          const words& arguments, const words& more = {}) {
    words all{"run",   built_program(program), "--kernel", kernel, "--config", "tiny",
              "--set", "gpu.watchdog=20000"};
    for (const std::string& argument : arguments) all.insert(all.end(), {"--arg", argument});
    all.insert(all.end(), more.begin(), more.end());
    return heddle_command(all);
}

TEST(watchdog_of_kernels, names_the_simt_deadlock_of_a_spin_lock) {
    const command_result run = run_kernel("iss_control", "spin_lock", {"lock:u32[1]"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.output, HasSubstr("PARTIAL"));
    EXPECT_THAT(run.errors,
                AllOf(HasSubstr("no progress: for 20000 cycles"),
                      HasSubstr("kernel 'spin_lock', block (0,0,0), warp 0: "),
                      HasSubstr("SIMT deadlock? lanes 0xfffffffe spin at 0x"),
                      HasSubstr("lanes 0x1 wait for them at 0x"), HasSubstr("control_kernel.cpp:"),
                      HasSubstr("; locks need heddle::warp_lock"),
                      HasSubstr("waiting: gpu.host: 1 launches to complete")));
}

TEST(watchdog_of_kernels, finds_blocks_that_wait_for_one_that_is_not_resident) {
    const command_result run =
        run_kernel("iss_control", "chain", {"flags:u32[64]"}, {"--grid", "64", "--block", "1"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.errors,
                AllOf(HasSubstr("kernel 'chain', block (0,0,0), warp 0: "),
                      HasSubstr("last issue in cycle"), Not(HasSubstr("SIMT deadlock")),
                      HasSubstr("waiting: gpu.smx_scheduler: "), HasSubstr("for a block slot")));
}

TEST(watchdog_of_kernels, a_flag_that_nobody_sets_ends_alike_with_and_without_sleep) {
    const words flag{"flag:u32[2]"};
    const command_result run = run_kernel("iss_control", "wait_for_flag", flag);
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.errors, HasSubstr("kernel 'wait_for_flag'"));
    EXPECT_EQ(run_kernel("iss_control", "wait_for_flag", flag, {"--no-sleep"}).errors, run.errors);
}

TEST(watchdog_of_kernels, tells_who_waits_at_a_barrier) {
    const command_result run =
        run_kernel("watchdog", "one_warp_late", {"flag:u32[2]"}, {"--block", "64"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.errors, HasSubstr("block (0,0,0), warp 1: waits at the barrier (last issue"));
}

TEST(watchdog_of_kernels, shows_a_limited_number_of_warps) {
    const command_result run =
        run_kernel("iss_control", "wait_for_flag", {"flag:u32[2]"}, {"--block", "320"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.errors, AllOf(HasSubstr("warp 7: "), Not(HasSubstr("warp 8: ")),
                                  HasSubstr("and 2 more warps, 0 of them at a barrier")));
}

TEST(watchdog_of_kernels, those_that_keep_others_at_a_barrier_come_first) {
    for (const words& device : {words{}, words{"--functional", "--set", "iss.watchdog=20000"}}) {
        words options{"--block", "320"};
        options.insert(options.end(), device.begin(), device.end());
        const command_result run =
            run_kernel("watchdog", "last_warp_late", {"flag:u32[2]"}, options);
        EXPECT_EQ(run.code, 4) << run.output;
        EXPECT_THAT(run.errors,
                    AllOf(testing::ContainsRegex("\n  kernel '[a-z_]*', block [^ ]*, warp 9: "),
                          HasSubstr("and 2 more warps, 2 of them at a barrier")));
        EXPECT_LT(run.errors.find("warp 9: "), run.errors.find("warp 0: waits at the barrier"));
    }
}

TEST(watchdog_of_kernels, tells_what_is_open_on_checked_links) {
    const command_result run =
        run_kernel("iss_control", "wait_for_flag", {"flag:u32[2]"}, {"--check-links"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.errors, HasSubstr("open on gpu.host_launch_checker: "));
}

TEST(watchdog_of_kernels, max_cycles_ends_with_the_same_lines) {
    const command_result run =
        run_kernel("iss_control", "spin_lock", {"lock:u32[1]"}, {"--max-cycles", "25000"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.errors, AllOf(HasSubstr("the limit of this run"), HasSubstr("SIMT deadlock?")));
}

/// Lanes that wait are no deadlock as long as something gets on, as far as anybody knows.
TEST(watchdog_of_kernels, max_cycles_alone_names_no_deadlock) {
    const command_result run =
        run_kernel("iss_control", "spin_lock", {"lock:u32[1]"}, {"--max-cycles", "5000"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(
        run.errors,
        AllOf(HasSubstr("the limit of this run"), HasSubstr("; lanes 0xfffffffe are at 0x"),
              HasSubstr("; lanes 0x1 wait for them at 0x"), Not(HasSubstr("SIMT deadlock"))));
}

TEST(watchdog_of_kernels, lanes_that_run_in_turn_are_no_deadlock) {
    for (const words& device : {words{}, words{"--functional", "--set", "iss.watchdog=20000"}}) {
        words options{"--block", "64"};
        options.insert(options.end(), device.begin(), device.end());
        const command_result run =
            run_kernel("watchdog", "wait_in_turns", {"flag:u32[2]"}, options);
        EXPECT_EQ(run.code, 4) << run.output;
        EXPECT_THAT(run.errors, AllOf(HasSubstr("no progress: for "),
                                      HasSubstr("; lanes 0x55555555 wait for them at 0x"),
                                      Not(HasSubstr("SIMT deadlock"))));
    }
}

TEST(watchdog_of_kernels, a_lane_that_waits_for_its_launch_does_not_spin) {
    const command_result run = run_kernel("watchdog", "one_lane_launches", {"out:u32[2]"},
                                          {"--set", "launch.kernel_latency=1000000"});
    EXPECT_EQ(run.code, 4) << run.output;
    EXPECT_THAT(run.errors, AllOf(HasSubstr("no progress: for "), HasSubstr("waits for a launch"),
                                  HasSubstr("; lanes 0xfffffffe wait for them at 0x"),
                                  Not(HasSubstr("SIMT deadlock"))));
}

TEST(watchdog_of_kernels, writing_the_same_values_for_ever_is_no_progress) {
    const command_result run = run_kernel("watchdog", "same_values", {"word:u32[3]", "7"});
    EXPECT_EQ(run.code, 4) << run.output;
}

/// An L1D that keeps stores, which no bank sees.
const words write_back = {"--set", "l1d.cache_global=true", "--set", "l1d.write_policy=back"};

/// The bank of tiny, none, one of a few lines, and the bank of tiny below that L1D.
const words memories[] = {{}, {"--set", "l2.size=0"}, {"--set", "l2.size=4096"}, write_back};

TEST(watchdog_of_kernels, writing_the_same_values_for_ever_is_no_progress_without_l2) {
    const command_result run =
        run_kernel("watchdog", "same_values", {"word:u32[3]", "7"}, {"--set", "l2.size=0"});
    EXPECT_EQ(run.code, 4) << run.output;
}

TEST(watchdog_of_kernels, writing_the_same_values_for_ever_into_a_cache_is_no_progress) {
    const command_result run =
        run_kernel("watchdog", "same_values", {"word:u32[3]", "7"}, write_back);
    EXPECT_EQ(run.code, 4) << run.output;
}

TEST(watchdog_of_kernels, private_memory_is_no_progress) {
    for (const words& memory : memories) {
        words options{"--block", "1"};
        options.insert(options.end(), memory.begin(), memory.end());
        const command_result run =
            run_kernel("watchdog", "private_work", {"out:u32[1]", "100000"}, options);
        EXPECT_EQ(run.code, 4) << run.output;
    }
}

/// Runs far longer than the limit, getting on all the time.
void expect_long_run(const std::string& program, const std::string& kernel, unsigned rounds,
                     const words& more = {}) {
    const command_result run =
        run_kernel(program, kernel, {"out:u32[64]", std::to_string(rounds)}, more);
    EXPECT_EQ(run.code, 0) << run.errors;
    const std::size_t at = run.output.find("cycles ");
    ASSERT_NE(at, std::string::npos) << run.output;
    EXPECT_GT(std::stoull(run.output.substr(at + 6)), 60'000U) << run.output;
}

TEST(watchdog_of_kernels, stores_that_change_values_are_progress) {
    for (const words& memory : memories) expect_long_run("iss_control", "busy", 10'000, memory);
}

TEST(watchdog_of_kernels, atomics_that_change_values_are_progress) {
    for (const words& memory : memories) expect_long_run("watchdog", "atomic_work", 4'000, memory);
}

TEST(watchdog_of_kernels, values_in_shared_memory_are_progress) {
    expect_long_run("watchdog", "shared_work", 10'000);
}

TEST(watchdog_of_kernels, barriers_are_progress) {
    expect_long_run("watchdog", "barriers", 10'000, {"--block", "64"});
}

}  // namespace
}  // namespace heddle
