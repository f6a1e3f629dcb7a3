// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The cycles of all instructions, and of none, are the CPI stack, cause by cause; what instructions
// did are the counts of the whole machine.
#include <gmock/gmock.h>

#include <sstream>

#include "hw/smx/smx_statistics.h"
#include "hw/smx/thread_pool/formations.h"
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_case.h"
#include "tests/hw/top/preempting.h"

namespace heddle {
namespace {

using host = std::function<void(device&)>;

host workload(const std::string& name, std::map<std::string, std::string> values = {},
              const std::string& input = "",
              workloads::launch_mode mode = workloads::launch_mode::flat) {
    return [=](device& gpu) {
        workloads::workload_options options;
        options.input = input;
        options.mode = mode;
        options.values = values;
        workloads::run_workload(workloads::find_workload(name), gpu, options);
    };
}

instruction_cost all_of(const code_costs& costs) {
    instruction_cost all = costs.elsewhere;
    for (const program_costs& of : costs.programs) {
        for (const instruction_cost& cost : of.instructions) all.add(cost);
    }
    return all;
}

/// Each number of each instruction, and of none.
std::string text_of(const code_costs& costs) {
    std::ostringstream out;
    const auto put = [&](std::size_t at, const instruction_cost& c) {
        if (c.empty()) return;
        out << at << ":";
        for (const std::uint64_t value : c.slots) out << " " << value;
        out << " | " << c.waited_for << " " << c.issues << " " << c.lanes << " " << c.diverged
            << " " << c.memory_issues << " " << c.accesses << " " << c.conflicts << "\n";
    };
    for (const program_costs& of : costs.programs) {
        for (std::size_t at = 0; at < of.instructions.size(); ++at) put(at, of.instructions[at]);
    }
    put(~std::size_t{0}, costs.elsewhere);
    return out.str();
}

struct costs_case {
    const char* name;
    const char* configuration;
    settings changes;
    std::vector<host> programs;

    friend std::ostream& operator<<(std::ostream& out, const costs_case& one) {
        return out << one.name;
    }
};

const std::string graph = "kronecker:scale=7,degree=8";

/// A launch of higher priority makes blocks leave, and come back.
void preempted(device& gpu) {
    gpu.load(kernels_of("preemption"));
    using words = std::vector<std::uint32_t>;
    const device_buffer<std::uint32_t> out(gpu, words(19 * 96), "out");
    const device_buffer<std::uint32_t> done(gpu, words(1), "done");
    launch(gpu, "work", shape_of(19, 96), out.get(), 60U);
    EXPECT_GT(disturb(gpu, gpu.record(stream_id(0)), 5000, 16, done), 0U);
}

std::vector<costs_case> cases() {
    const host bfs = workload("bfs", {{"searches", "2"}}, graph);
    const host histogram = workload("histogram", {{"n", "3000"}});
    const host reduction = workload("reduction", {{"n", "3000"}});
    const host matrix = workload("matrix", {{"rows", "32"}, {"inner", "32"}, {"columns", "32"}});
    const std::vector<host> usual{bfs, histogram, reduction, matrix};
    return {
        {"tiny", "tiny", {}, usual},
        {"g80", "g80", {}, usual},
        {"gf100", "gf100", {}, usual},
        {"gk110", "gk110", {}, usual},
        {"si", "si", {}, usual},
        {"iris6100", "iris6100", {}, usual},
        {"nrec", "g80", {"smx.formation=nrec"}, usual},
        {"dwf", "g80", {"smx.formation=dwf"}, usual},
        {"mimd", "g80", {"smx.formation=mimd"}, usual},
        {"barrel", "tiny", {"smx.barrel=true"}, usual},
        {"ccws", "tiny", {"smx.scheduler=ccws", "l1d.cache_global=true"}, usual},
        {"single_issue", "gk110", {"smx.dual_issue=false"}, usual},
        {"narrow_writeback", "tiny", {"smx.writeback_interval=4"}, usual},
        {"write_interval", "tiny", {"shared.write_interval=2"}, {histogram}},
        {"transactions", "tiny", {"tm.enabled=true"}, {workload("ht", {{"version", "tx"}})}},
        {"kernels_launch",
         "tiny",
         {},
         {workload("bfs_pockets", {}, graph, workloads::launch_mode::cdp)}},
        {"groups_launch",
         "tiny",
         {},
         {workload("bfs_pockets", {}, graph, workloads::launch_mode::dtbl)}},
        {"cooperation", "iris6100", {}, {workload("l_bfs", {}, "road:width=12,height=12")}},
        {"preemption", "tiny", {"coop.preempt=true", "kmu.queues=4"}, {preempted}},
    };
}

class costs_of_code : public testing::TestWithParam<costs_case> {};

void expect_counts(const timed_machine& machine, const gpu_configuration& configuration) {
    const code_costs costs = machine.costs();
    const instruction_cost all = all_of(costs);
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        const std::string name = std::string("gpu.") + scheduler_statistics[cause].name;
        EXPECT_EQ(all.slots[cause], machine.count(name)) << name;
    }
    EXPECT_EQ(all.issues, machine.count("gpu.warp_instructions"));
    EXPECT_EQ(all.lanes, machine.count("gpu.thread_instructions"));
    EXPECT_EQ(all.diverged, machine.count("gpu.divergent_branches"));
    EXPECT_EQ(all.memory_issues, machine.count("gpu.memory_instructions"));
    const auto in = [&](cycle_cause cause) { return all.slots[static_cast<std::size_t>(cause)]; };
    const std::uint64_t for_results =
        in(cycle_cause::memory) + in(cycle_cause::constants) + in(cycle_cause::dependency);
    EXPECT_LE(all.waited_for, for_results);
    if (row_of(configuration.smx.formation).on_pool || configuration.smx.barrel) {
        EXPECT_EQ(all.waited_for, 0U);  // the instruction itself is under way
    } else {
        EXPECT_GT(2 * all.waited_for, in(cycle_cause::dependency));
    }
    // Without a warp only; a result of another scheduler's warp may hold the pipeline, too.
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        const auto one = static_cast<cycle_cause>(cause);
        if (one == cycle_cause::no_warp || one == cycle_cause::writeback) continue;
        EXPECT_EQ(costs.elsewhere.slots[cause], 0U) << cycle_cause_names[cause];
    }
    if (configuration.machine.tm.enabled || configuration.shared.write_interval != 1) return;
    std::uint64_t conflicts = 0;
    for (std::size_t i = 0; i < configuration.machine.smx_count; ++i) {
        conflicts +=
            machine.count("smx." + std::to_string(i) + ".shared_memory.bank_conflict_cycles");
    }
    EXPECT_EQ(all.conflicts, conflicts);
}

TEST_P(costs_of_code, sum_to_the_counts_of_the_machine) {
    const gpu_configuration configuration =
        configuration_of(GetParam().configuration, GetParam().changes);
    for (const host& program : GetParam().programs) {
        const process_result result = run_in_child([&](std::string&) {
            timed_machine machine(configuration, false, {}, nullptr, true);
            machine.run_well(program);
            expect_counts(machine, configuration);
            return testing::Test::HasFailure() ? 1 : 0;
        });
        EXPECT_EQ(result.exit_code, 0) << result.output;
    }
}

TEST_P(costs_of_code, are_the_same_without_sleep) {
    const gpu_configuration configuration =
        configuration_of(GetParam().configuration, GetParam().changes);
    for (const host& program : GetParam().programs) {
        const auto costs_with = [&](bool no_sleep) {
            const process_result result = run_in_child([&](std::string& output) {
                timed_machine machine(configuration, no_sleep, {}, nullptr, true);
                machine.run_well(program);
                output = text_of(machine.costs());
                return testing::Test::HasFailure() ? 1 : 0;
            });
            EXPECT_EQ(result.exit_code, 0) << result.output;
            return result.output;
        };
        const std::string sleeping = costs_with(false);
        EXPECT_NE(sleeping, "");
        EXPECT_EQ(sleeping, costs_with(true));
    }
}

INSTANTIATE_TEST_SUITE_P(machines, costs_of_code, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(code_costs, nothing_is_collected_unless_asked) {
    timed_machine machine(configuration_of("tiny"));
    machine.run_well(workload("saxpy", {{"n", "1000"}}));
    EXPECT_TRUE(machine.costs().programs.empty());
    EXPECT_TRUE(machine.costs().elsewhere.empty());
}

TEST(code_costs, of_a_run_that_breaks_off_sum_as_well) {
    const gpu_configuration configuration = configuration_of("tiny");
    timed_machine machine(configuration, false, {}, nullptr, true);
    EXPECT_NE(machine.run(workload("saxpy", {{"n", "100000"}}), 3000), error_kind::none);
    expect_counts(machine, configuration);
}

}  // namespace
}  // namespace heddle
