// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Issue times of known instruction sequences (kernel `timing`), exact to the cycle: an instruction
// issues at the edge that the configuration says, neither before nor after.
#include <gmock/gmock.h>

#include <vector>

#include "tb/kit/paths.h"
#include "tb/smx/smx_bench.h"

namespace heddle {
namespace {

struct issued {
    std::uint64_t edge;
    std::uint32_t raw;
};

class issue_log final : public execution_observer {
public:
    explicit issue_log(std::vector<issued>& into) : into_(into) {}

    void executed(const issued_instruction& i, const register_file&) override { add(i); }
    void accessed(const issued_instruction& i, const memory_instruction&) override { add(i); }
    void block_started(std::uint64_t, const protocol::block_dispatch&, std::uint64_t) override {}
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void loaded(std::uint64_t, unsigned, issue_number, isa::lane_mask,
                const std::uint32_t*) override {}
    void completed(std::uint64_t, unsigned, issue_number, const register_file&) override {}
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}

private:
    void add(const issued_instruction& i) { into_.push_back({i.edge, i.instruction->raw}); }

    std::vector<issued>& into_;
};

/// Runs `timing` with one warp and looks at the last pass, when the code is in L1I.
class smx_timing : public testing::Test {
protected:
    void run() {
        testbench_options options;
        options.stall_probability = 0;
        testbench bench("smx_timing", options);
        configuration.memory.latency_spread = 0;
        configuration.memory.stall_probability = 0;
        smx_bench device(bench, configuration);
        device.load(std::make_shared<program::image>(
            program::image::load(build_path("kernels/smx_tb.elf"))));
        issue_log log(trace);
        device.block().core().observe(&log);
        const device_ptr<unsigned> out{device.allocate(256, "out")};
        launch(device, "timing", {{1}, {32}}, out);
        EXPECT_EQ(device.run(), error_kind::none) << bench.status().text();
    }
    /// Cycles from the first to the second instruction behind a marker, in the last pass.
    [[nodiscard]] std::uint64_t gap(unsigned marker, unsigned from = 1, unsigned to = 2) const {
        for (std::size_t i = trace.size(); i-- > 0;) {
            if (trace[i].raw == (marker << 12 | 0x37)) {
                return trace.at(i + to).edge - trace.at(i + from).edge;
            }
        }
        ADD_FAILURE() << "no marker " << marker;
        return 0;
    }
    unit_configuration& unit(unit_class which) {
        return configuration.smx.units[static_cast<std::size_t>(which)];
    }

    smx_bench_configuration configuration;
    std::vector<issued> trace;
};

TEST_F(smx_timing, default_latencies) {
    const smx_configuration& c = configuration.smx;
    run();
    const std::uint64_t integer = c.operand_latency + c.unit(unit_class::integer).latency;
    const std::uint64_t multiply = c.operand_latency + c.unit(unit_class::multiply).latency;
    EXPECT_EQ(gap(1), integer) << "read after write";
    EXPECT_EQ(gap(2), 1u) << "independent instructions";
    EXPECT_EQ(gap(3), multiply) << "write after write";
    EXPECT_EQ(gap(4), c.unit(unit_class::divide).initiation_interval) << "initiation interval";
    EXPECT_EQ(gap(5), integer + 1) << "bank conflict";
    EXPECT_EQ(gap(6), c.branch_latency + configuration.l1i.hit_latency) << "taken branch";
    EXPECT_EQ(gap(7), c.branch_latency + configuration.l1i.hit_latency) << "branch not taken";
    EXPECT_EQ(gap(9), 1u) << "barrier of one warp";
}

TEST_F(smx_timing, a_barrier_takes_its_latency) {
    configuration.smx.barrier_latency = 35;
    run();
    EXPECT_EQ(gap(9), 35u);
    EXPECT_EQ(gap(2), 1u);
}

/// Two instructions of a warp in a cycle, if the second needs nothing of the first and has a unit.
TEST_F(smx_timing, dual_issue_takes_independent_instructions_together) {
    configuration.smx.dual_issue = true;
    configuration.smx.instruction_buffer = 8;
    configuration.smx.operand_latency = 0;
    unit(unit_class::integer) = {4, 1, 1};
    unit(unit_class::multiply).latency = 3;
    run();
    EXPECT_EQ(gap(2, 1, 3), 1u) << "two a cycle, neither one nor three";
    EXPECT_EQ(gap(1), 1u) << "a dependent one waits for the result";
    EXPECT_EQ(gap(3), 3u) << "write after write";
    EXPECT_EQ(gap(4), unit(unit_class::divide).initiation_interval) << "the only divider is taken";
    EXPECT_GE(gap(6), 1U) << "nothing goes beside a branch";
}

/// A divide keeps the pipeline of its scheduler from the add behind it; a store goes beside it.
TEST_F(smx_timing, a_scheduler_pipeline_takes_one_instruction_at_a_time) {
    configuration.smx.scheduler_pipeline = true;
    unit(unit_class::multiply).initiation_interval = 16;
    unit(unit_class::divide) = {4, 20, 12};
    run();
    EXPECT_EQ(gap(4), 12u) << "of four dividers the scheduler uses one";
    EXPECT_EQ(gap(4, 2, 3), 12u) << "an add behind a divide";
    EXPECT_EQ(gap(2), 1u);
    EXPECT_EQ(gap(8, 0, 1), 1u) << "a store behind an instruction of the pipeline";
}

TEST_F(smx_timing, other_latencies) {
    configuration.smx.operand_latency = 0;
    configuration.smx.branch_latency = 1;
    configuration.smx.register_banks = 1;
    configuration.l1i.hit_latency = 3;
    configuration.smx.instruction_buffer = 8;
    unit(unit_class::integer) = {1, 1, 1};
    unit(unit_class::multiply) = {1, 23, 1};
    unit(unit_class::divide) = {2, 40, 17};
    run();
    EXPECT_EQ(gap(1), 2u) << "the latency of 1 and the conflict of t0 and t1";
    EXPECT_EQ(gap(3), 24u);
    EXPECT_EQ(gap(4), 1u) << "there are two dividers";
    EXPECT_EQ(gap(6), 4u);
    EXPECT_EQ(gap(7), 4u);
}

TEST_F(smx_timing, an_input_is_blocked_by_conflicts) {
    configuration.smx.register_banks = 1;
    unit(unit_class::integer) = {1, 4, 2};
    run();
    EXPECT_EQ(gap(2), 3u) << "interval and conflict";
}

TEST_F(smx_timing, schedulers_take_turns_in_the_issue_interval) {
    configuration.smx.issue_interval = 4;
    configuration.smx.schedulers = 1;
    run();
    EXPECT_EQ(gap(2), 4u);
    for (const issued& i : trace) EXPECT_EQ(i.edge % 4, 0u);
    EXPECT_EQ(gap(1), 12u) << "the first turn at or after the latency of 9";
}

TEST_F(smx_timing, barrel_issue_has_one_instruction_in_flight) {
    configuration.smx.barrel = true;
    run();
    EXPECT_EQ(gap(2), 9u);
}

TEST_F(smx_timing, a_fence_waits_for_the_acknowledgements_of_stores) {
    configuration.memory.least_latency = 500;
    run();
    EXPECT_EQ(gap(8, 1, 2), 1u) << "the fence issues at once";
    EXPECT_GE(gap(8, 1, 3), 500u);
    EXPECT_LE(gap(8, 1, 3), 510u);
}

TEST_F(smx_timing, a_full_write_back_port_delays_results) {
    // Results of the multiply and the add behind it would be written in the same cycle.
    configuration.smx.writeback_ports = 1;
    unit(unit_class::multiply) = {1, 8, 1};
    run();
    EXPECT_EQ(gap(3), 10u);
    EXPECT_EQ(gap(1), 9u);
}

}  // namespace
}  // namespace heddle
