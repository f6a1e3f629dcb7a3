// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The latency of loads by stage, on whole machines: the parts sum to the whole, whatever the
// machine, and don't depend on sleep; an access that is alone takes what its blocks say.
#include "hw/smx/lsu/loads/load_latency.h"

#include <map>

#include "hw/top/gpu_statistics.h"
#include "hw/top/simulation.h"
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

const histogram& of(const statistics& values, const std::string& name) {
    return std::get<histogram>(values.find(name)->value);
}

std::uint64_t sum_of_stages(const statistics& values, const std::string& scope) {
    std::uint64_t sum = 0;
    for (std::size_t i = 1; i <= load_stage_count; ++i) {
        sum += of(values, scope + "." + load_latency_statistics[i].name).sum();
    }
    return sum;
}

struct job {
    const char* configuration;
    settings changes;
    const char* workload;
};
void PrintTo(const job& j, std::ostream* out) {
    *out << j.workload << " on " << j.configuration;
}

class load_latencies : public testing::TestWithParam<job> {};

TEST_P(load_latencies, sum_to_the_whole) {
    const gpu_configuration configuration =
        configuration_of(GetParam().configuration, GetParam().changes);
    timed_machine machine(configuration);
    workloads::workload_options options;
    options.values["block"] = "64";
    if (std::string(GetParam().workload) == "bfs") {
        options.input = "kronecker:scale=8,degree=8";
    } else {
        options.values["rows"] = "150";
        options.values["columns"] = "70";
    }
    machine.run_well([&](device& gpu) {
        workloads::run_workload(workloads::find_workload(GetParam().workload), gpu, options);
    });
    const statistics values = machine.collected();
    EXPECT_EQ(of(values, "load_latency.total").sum(), sum_of_stages(values, "load_latency"));
    std::uint64_t loads = 0;
    std::uint64_t fetched = 0;
    for (unsigned i = 0; i < configuration.machine.smx_count; ++i) {
        const std::string scope = "smx." + std::to_string(i) + ".";
        const histogram& total = of(values, scope + "load_latency.total");
        EXPECT_EQ(total.sum(), sum_of_stages(values, scope + "load_latency"));
        EXPECT_EQ(of(values, scope + "load_latency.l1").samples(), total.samples());
        fetched += of(values, scope + "load_latency.dram").samples();
        loads += total.samples();
    }
    EXPECT_EQ(loads, of(values, "load_latency.total").samples());
    EXPECT_GT(loads, 0U);
    EXPECT_GT(fetched, 0U);
    EXPECT_EQ(of(values, "load_latency.queue").samples(), fetched);
}

INSTANTIATE_TEST_SUITE_P(
    machines, load_latencies,
    testing::Values(job{"tiny", {}, "bfs"}, job{"tiny", {"l1d.cache_global=false"}, "atax"},
                    job{"tiny", {"l2.size=0", "l2.mshr_targets=4"}, "bfs"}, job{"g80", {}, "bfs"},
                    job{"gf100", {}, "bfs"}, job{"gf100", {"dram.scheduler=fifo"}, "atax"},
                    job{"gk110", {}, "bfs"}, job{"gk110", {"dram.model=fixed"}, "atax"},
                    job{"si", {}, "bfs"}, job{"iris6100", {}, "bfs"}),
    [](const auto& info) {
        return std::string(info.param.workload) + "_on_" + info.param.configuration + "_" +
               std::to_string(info.index);
    });

/// Prints cycles and samples of bfs on gf100.
std::string cycles_and_samples(bool collected) {
    const process_result child = run_in_child([&](std::string& output) {
        const gpu_configuration configuration = configuration_of("gf100");
        gpu_options options;
        options.load_latency = collected;
        simulation run(configuration, options);
        workloads::workload_options input;
        input.input = "kronecker:scale=8,degree=8";
        const error_kind end = run.run(
            [&](device& gpu) {
                workloads::run_workload(workloads::find_workload("bfs"), gpu, input);
            },
            {});
        statistics values;
        collect_gpu(run, configuration, values);
        output = std::to_string(std::get<std::uint64_t>(values.find("gpu.cycles")->value));
        for (const statistic_declaration& part : load_latency_statistics) {
            const bool any = of(values, std::string("load_latency.") + part.name).samples() != 0;
            output += any ? " some" : " none";
        }
        return end == error_kind::none ? 0 : 1;
    });
    EXPECT_EQ(child.exit_code, 0);
    return child.output;
}

TEST(load_latency, is_collected_on_request_and_changes_no_time) {
    const std::string with = cycles_and_samples(true);
    const std::string without = cycles_and_samples(false);
    const std::size_t cycles = with.find(' ');
    ASSERT_GT(cycles, 0U);
    EXPECT_EQ(with.substr(cycles), " some some some some some some");
    EXPECT_EQ(without, with.substr(0, cycles) + " none none none none none none");
}

}  // namespace
}  // namespace heddle
