// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Threads that come back from memory one by one, and the narrow write-back port that they share.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

struct waits {
    std::uint64_t cycles = 0, write_back = 0;
};

/// A workload on one SMX.
waits waits_of(const std::string& name, const std::map<std::string, std::string>& values,
               settings changes) {
    changes.insert(changes.end(), {"smx.formation=dwf", "gpu.smx_count=1"});
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration_of("g80", changes));
        machine.run_well([&](device& gpu) {
            workloads::workload_options options;
            options.values = values;
            workloads::run_workload(workloads::find_workload(name), gpu, options)
                .require_correct(name);
        });
        output = std::to_string(machine.count("gpu.cycles")) + " " +
                 std::to_string(machine.count("smx.0.issue_slots.writeback"));
        return 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    waits found;
    std::istringstream(result.output) >> found.cycles >> found.write_back;
    return found;
}

/// Threads load each from a line of its own.
waits waits_of_scattered(const settings& changes) {
    return waits_of("mvt", {{"rows", "200"}, {"columns", "80"}, {"block", "64"}}, changes);
}

/// A register keeps the port for 4 cycles. 32 threads that return by themselves take 4 cycles, too,
/// and not 32 x 4.
TEST(thread_return, threads_that_return_by_themselves_take_the_port_no_longer_than_together) {
    const waits together = waits_of_scattered({});
    const waits alone = waits_of_scattered({"dwf.individual_return=true"});
    EXPECT_EQ(together.write_back, 0u);
    EXPECT_GT(alone.write_back, 0u) << "they go before results of the pipeline";
    EXPECT_LT(alone.write_back, alone.cycles / 50);
    EXPECT_LT(alone.cycles, together.cycles * 11 / 10);
}

/// Four threads a cycle.
TEST(thread_return, a_port_that_is_narrower_takes_longer) {
    const waits eight = waits_of_scattered({"dwf.individual_return=true"});
    const waits four =
        waits_of_scattered({"dwf.individual_return=true", "smx.writeback_interval=8"});
    EXPECT_GT(four.write_back, 2 * eight.write_back);
}

/// Threads of a warp load from a line or two: most of them complete the load.
TEST(thread_return, the_last_threads_of_a_load_take_the_port_too) {
    const auto waits_of_near = [](const settings& changes) {
        return waits_of("matrix", {{"rows", "32"}, {"columns", "64"}, {"inner", "64"}}, changes);
    };
    const waits together = waits_of_near({});
    const waits alone = waits_of_near({"dwf.individual_return=true"});
    EXPECT_GT(together.write_back, 100u);
    EXPECT_GT(alone.write_back, together.write_back * 3 / 4);
}

}  // namespace
}  // namespace heddle
