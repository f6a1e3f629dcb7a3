// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Microbenchmarks on the machine against the closed form of the configuration: loads that follow
// each other and meet no other.
#include "hw/top/unloaded_latency.h"

#include <algorithm>
#include <numeric>

#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using option_values = std::map<std::string, std::string>;

/// What a run of `latency` has measured, all loads added.
struct measurement {
    std::uint64_t clocks = 0;
    std::uint64_t loads = 0;  ///< lines
    std::array<std::uint64_t, load_stage_count> in{};
};

measurement run(const std::string& name, const settings& changes, const option_values& options) {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration_of(name, changes));
        workloads::workload_options wanted;
        wanted.values = options;
        workloads::workload_report report;
        machine.run_well([&](device& gpu) {
            report = workloads::run_workload(workloads::find_workload("latency"), gpu, wanted);
        });
        if (!report.correct()) return 1;
        for (const workloads::report_row& row : report.rows()) {
            if (row.name == "clocks") output += row.text() + ' ';
        }
        const statistics values = machine.collected();
        const histogram& total = std::get<histogram>(values.find("load_latency.total")->value);
        output += std::to_string(total.samples()) + ' ';
        for (std::size_t i = 1; i <= load_stage_count; ++i) {
            const std::string stage = load_latency_statistics[i].name;
            const statistic* const found = values.find("load_latency." + stage);
            output += std::to_string(std::get<histogram>(found->value).sum()) + ' ';
        }
        return 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    measurement all;
    std::istringstream text(result.output);
    text >> all.clocks >> all.loads;
    for (std::uint64_t& stage : all.in) text >> stage;
    return all;
}

/// Clocks and stages of one load, from two runs of which one has `more` rounds of 16 loads more.
struct one_load {
    double clocks = 0;
    std::array<double, load_stage_count> in{};
};

one_load measure(const std::string& name, const settings& changes, option_values options) {
    constexpr unsigned loads_of_round = 16;
    constexpr unsigned few = 4;
    constexpr unsigned more = 64;
    options["rounds"] = std::to_string(few);
    const measurement first = run(name, changes, options);
    options["rounds"] = std::to_string(few + more);
    const measurement second = run(name, changes, options);
    constexpr double per = 1.0 / more;
    one_load one;
    one.clocks = static_cast<double>(second.clocks - first.clocks) * per / loads_of_round;
    for (std::size_t i = 0; i < load_stage_count; ++i) {
        one.in[i] = static_cast<double>(second.in[i] - first.in[i]) * per / loads_of_round;
    }
    return one;
}

/// How `latency` is run so that every load finds its bytes at `level`.
struct way_to_level {
    settings changes;
    option_values options;
};

way_to_level way_to(load_level level, const std::string& name) {
    const gpu_configuration machine = configuration_of(name);
    const std::uint32_t line = machine.l2.line;
    std::uint32_t stride = line;
    std::uint32_t footprint = line;
    settings changes{"dram.timing.refi=0"};
    if (level == load_level::l2 && machine.l1d.cache_global) {
        footprint = 4 * machine.l1d.size;  // nothing of it is left when the chain comes round
    } else if (level != load_level::l1 && level != load_level::l2) {
        changes.insert(changes.end(), {"l1d.cache_global=false", "l2.size=0"});
        if (level == load_level::other_row) {
            // Two rows of one bank: the lowest bit of the row, of what the channel has.
            const std::uint64_t local = machine.dram.row_mask & (~machine.dram.row_mask + 1);
            stride = static_cast<std::uint32_t>(local) * machine.l2.banks;
            footprint = 2 * stride;
        }
    }
    return {changes,
            {{"stride", std::to_string(stride)}, {"footprint", std::to_string(footprint)}}};
}

/// By hand: g80, all clocks equal, 8 bytes of header in flits of 32, lines of 64 bytes.
TEST(unloaded_latency, of_g80_is_what_its_blocks_say) {
    const gpu_configuration g80 = configuration_of("g80");
    EXPECT_THAT(unloaded_load(g80, load_level::l1, 7).in, testing::ElementsAre(10, 0, 0, 0, 0));
    // There: seen after 1, 24 in the switch, seen after 1. Back: 3 flits instead of 1.
    const unsigned crossbar = (1 + 24 + 1) + (1 + 24 + 2 + 1);
    // Seen after 1; four column accesses, 2 apart; the bank takes each when the one before goes.
    const unsigned queue = 1 + 2 * 2;
    const unsigned dram = 2 + (9 + 2) + 1;
    EXPECT_THAT(unloaded_load(g80, load_level::open_row, 7).in,
                testing::ElementsAre(0, crossbar, 30, queue, dram));
    EXPECT_THAT(unloaded_load(g80, load_level::closed_bank, 7).in,
                testing::ElementsAre(0, crossbar, 30, 12 + queue, dram));
    EXPECT_THAT(unloaded_load(g80, load_level::other_row, 7).in,
                testing::ElementsAre(0, crossbar, 30, 13 + 12 + queue, dram));
}

/// The ways inside the SMX count for l1, the controller's front end for queue, its back end for
/// dram.
TEST(unloaded_latency, ways_in_smx_and_controller_add_to_their_stages) {
    const gpu_configuration g80 = configuration_of("g80");
    gpu_configuration longer = g80;
    longer.lsu.request_latency = 11;
    longer.lsu.return_latency = 6;
    longer.dram.front_latency = 17;
    longer.dram.back_latency = 23;
    const load_times before = unloaded_load(g80, load_level::other_row, 7);
    const load_times after = unloaded_load(longer, load_level::other_row, 7);
    std::array<std::uint64_t, load_stage_count> more{11 + 5, 0, 0, 17, 23};
    for (std::size_t i = 0; i < load_stage_count; ++i) more[i] += before.in[i];
    EXPECT_EQ(after.in, more);
}

class unloaded_latency : public testing::TestWithParam<std::string> {};

/// Compares every level that a chain can be at; in `changes` what the machine's own clocks become.
void compare(const std::string& name, const settings& changes, double tolerance) {
    const gpu_configuration machine = configuration_of(name);
    for (const load_level level : load_levels(machine)) {
        if (level == load_level::closed_bank) continue;  // the load before leaves its row open
        SCOPED_TRACE(load_level_names[static_cast<std::size_t>(level)]);
        way_to_level way = way_to(level, name);
        way.changes.insert(way.changes.end(), changes.begin(), changes.end());
        const one_load got = measure(name, way.changes, way.options);
        const std::vector<double> expected =
            mean_unloaded_load(configuration_of(name, way.changes), level);
        for (std::size_t stage = 0; stage < load_stage_count; ++stage) {
            EXPECT_NEAR(got.in[stage], expected[stage], tolerance)
                << load_latency_statistics[1 + stage].name;
        }
        // A load issues at the edge at which the one before has its value, or at the next one at
        // which its scheduler has its turn. Of short ones the loop's instructions are not hidden.
        const double whole = std::accumulate(expected.begin(), expected.end(), 0.0);
        const double turn = machine.smx.issue_interval;
        EXPECT_GE(got.clocks, whole - tolerance);
        EXPECT_LT(got.clocks, whole + 3 * tolerance + 2 * turn + (whole > 20 ? 0 : 4));
    }
}

TEST_P(unloaded_latency, with_one_clock_is_exactly_what_a_chain_of_pointers_measures) {
    const std::string core = std::to_string(configuration_of(GetParam()).clock.core);
    settings one_clock;
    for (const char* clock : {"interconnect", "l2", "dram"}) {
        one_clock.push_back(std::string("clock.") + clock + "=" + core);
    }
    compare(GetParam(), one_clock, 1e-9);
}

TEST_P(unloaded_latency, with_longer_ways_is_exactly_what_a_chain_of_pointers_measures) {
    const std::string core = std::to_string(configuration_of(GetParam()).clock.core);
    settings changes{"lsu.request_latency=13", "lsu.return_latency=8"};
    for (const char* clock : {"interconnect", "l2", "dram"}) {
        changes.push_back(std::string("clock.") + clock + "=" + core);
    }
    if (configuration_of(GetParam()).memory.model != memory_model::fixed) {
        changes.insert(changes.end(), {"dram.front_latency=37", "dram.back_latency=41"});
    }
    compare(GetParam(), changes, 1e-9);
}

/// A chain settles in a pattern of its clocks' edges, and the closed form is the mean over all of
/// them: a stage may differ by a period of the slowest clock, as core cycles.
TEST_P(unloaded_latency, is_within_an_edge_of_what_a_chain_of_pointers_measures) {
    const clock_configuration& clock = configuration_of(GetParam()).clock;
    const auto slowest = std::min({clock.core, clock.interconnect, clock.l2, clock.dram});
    compare(GetParam(), {}, static_cast<double>(clock.core) / static_cast<double>(slowest));
}

INSTANTIATE_TEST_SUITE_P(machines, unloaded_latency,
                         testing::Values("tiny", "g80", "gf100", "gk110", "si", "iris6100"),
                         [](const auto& info) { return info.param; });

/// Lanes of a warp at a stride of s words reach banks / gcd(s, banks) banks, in turn.
TEST(microbenchmark, strides_in_shared_memory_take_the_configured_latency_and_conflicts) {
    for (const std::string name : {"gf100", "gk110"}) {
        const gpu_configuration machine = configuration_of(name);
        const unsigned banks = machine.shared.banks;
        const unsigned lanes = machine.machine.warp_size;
        for (const unsigned stride : {1U, 2U, 3U, 4U, 8U, 16U, 31U, 32U, 33U}) {
            const unsigned reached = banks / std::gcd(stride, banks);
            const unsigned turns = (lanes + reached - 1) / reached;
            const unsigned cycles =
                machine.shared.latency + (turns - 1) * machine.shared.replay_latency;
            const one_load got =
                measure(name, {}, {{"variant", "shared"}, {"stride", std::to_string(4 * stride)}});
            // The two runs' loops begin on different edges of the issue.
            EXPECT_NEAR(got.clocks, cycles, 0.01) << name << ", stride " << stride;
        }
    }
}

/// Lines that 32 lanes reach, from the beginning of one: accesses of the load-store unit.
TEST(microbenchmark, coalescing_makes_one_access_of_a_line) {
    for (const unsigned stride : {1U, 2U, 3U, 5U, 8U, 16U, 31U, 32U, 33U, 64U}) {
        const measurement few = run(
            "gk110", {},
            {{"variant", "coalescing"}, {"stride", std::to_string(4 * stride)}, {"rounds", "10"}});
        const measurement more = run(
            "gk110", {},
            {{"variant", "coalescing"}, {"stride", std::to_string(4 * stride)}, {"rounds", "30"}});
        const unsigned lines = std::min(32U, 31 * stride / 32 + 1);
        EXPECT_EQ(more.loads - few.loads, 20 * lines) << "stride " << stride;
    }
}

}  // namespace
}  // namespace heddle
