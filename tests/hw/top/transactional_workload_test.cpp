// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Workloads with transactions on the whole machine, under every detection and serialization, with
// the functional simulator in step.
#include <gmock/gmock.h>

#include <map>
#include <tuple>

#include "hw/smx/tm/conflict_detectors.h"
#include "models/iss/lockstep.h"
#include "models/iss/simulator.h"
#include "models/workloads/registry.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::HasSubstr;

using option_values = std::map<std::string, std::string>;

/// A detection with a serialization.
struct mechanism {
    const char* detection;
    const char* serialization;

    [[nodiscard]] std::string name() const { return std::string(detection) + "_" + serialization; }
    /// si with two SMXs.
    [[nodiscard]] gpu_configuration machine(settings more = {}) const {
        more.insert(more.end(),
                    {"gpu.smx_count=2", "tm.enabled=true", std::string("tm.detection=") + detection,
                     std::string("tm.serialization=") + serialization});
        return configuration_of("si", more);
    }
};

std::vector<mechanism> all_mechanisms() {
    std::vector<mechanism> all;
    for (const transaction_detection& detection : conflict_detectors::all()) {
        for (const char* serialization : {"ascending_single", "descending_single",
                                          "ascending_multiple", "descending_multiple"}) {
            all.push_back({detection.name, serialization});
        }
    }
    return all;
}

void expect_right(const mechanism& with, const char* name, const option_values& options) {
    const gpu_configuration configuration = with.machine();
    const workloads::workload& workload = workloads::find_workload(name);
    const workloads::workload_options chosen{3, "", options};
    workloads::workload_report timed;
    timed_machine machine(configuration);
    machine.run_well([&](device& gpu) { timed = workloads::run_workload(workload, gpu, chosen); });
    EXPECT_NO_THROW(timed.require_correct(name));
    iss::functional_simulator simulator(configuration.machine);
    const auto golden = workloads::run_workload(workload, simulator, chosen);
    EXPECT_EQ(workloads::golden_difference(timed, golden), std::nullopt);
}

class every_mechanism : public testing::TestWithParam<mechanism> {};
INSTANTIATE_TEST_SUITE_P(of, every_mechanism, testing::ValuesIn(all_mechanisms()),
                         [](const auto& info) { return info.param.name(); });

TEST_P(every_mechanism, moves_amounts) {
    expect_right(GetParam(), "it",
                 {{"block", "96"}, {"blocks", "3"}, {"positions", "40"}, {"rounds", "2"}});
}

/// Each workload with high and low contention, on every mechanism. Blocks of two and a half warps,
/// one on each SMX.
class critical_sections
    : public testing::TestWithParam<std::tuple<const char*, const char*, mechanism>> {};
INSTANTIATE_TEST_SUITE_P(with, critical_sections,
                         testing::Combine(testing::Values("ht", "it", "gc", "km"),
                                          testing::Values("high", "low"),
                                          testing::ValuesIn(all_mechanisms())),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) + "_" +
                                    std::get<1>(info.param) + "_" + std::get<2>(info.param).name();
                         });

TEST_P(critical_sections, are_right) {
    const auto& [workload, contention, with] = GetParam();
    expect_right(with, workload,
                 {{"contention", contention}, {"block", "160"}, {"blocks", "2"}, {"rounds", "1"}});
}

/// Transactions of different bodies in one warp.
TEST_P(every_mechanism, audits_accounts) {
    expect_right(GetParam(), "audit",
                 {{"block", "96"}, {"blocks", "3"}, {"accounts", "9"}, {"audits", "10"}});
}

/// Deques with so few places that nodes go to the queues in memory, too.
TEST_P(every_mechanism, searches_trees) {
    expect_right(GetParam(), "uts", {{"block", "96"}, {"roots", "8"}, {"places", "4"}});
}

/// A kernel with 1024 bytes of shared memory and `dynamic` more.
error_kind run_with_shared(timed_machine& machine, std::uint32_t dynamic) {
    return machine.run([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> numbers(gpu, 256, "numbers");
        launch_shape shape{{1}, {256}};
        shape.dynamic_shared_bytes = dynamic;
        launch(gpu, "take_numbers", shape, numbers.get());
        gpu.synchronize();
    });
}

TEST(shared_memory, with_29124_bytes_runs) {
    timed_machine machine(mechanism{"dcd", "ascending_multiple"}.machine());
    EXPECT_EQ(run_with_shared(machine, 29124 - 1024), error_kind::none) << machine.status().text();
    EXPECT_EQ(machine.count("tm.commits"), 256u);
}

TEST(shared_memory, with_29128_bytes_is_2_bytes_too_large) {
    timed_machine machine(mechanism{"dcd", "ascending_multiple"}.machine());
    EXPECT_EQ(run_with_shared(machine, 29128 - 1024), error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(), HasSubstr("29128 bytes of shared memory"));
    EXPECT_THAT(machine.status().text(), HasSubstr("are 2 B too large"));
}

/// Warp 0 changes a word in transactions, warp 1 reads it outside of them.
TEST(plain_accesses, to_words_of_transactions_are_counted_and_the_first_is_named) {
    timed_machine machine(mechanism{"prw_sig", "ascending_single"}.machine());
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> seen(gpu, 128, "seen");
        launch(gpu, "watched", {{1}, {128}}, seen.get());
        gpu.synchronize();
    });
    const iss::lockstep_counts& found = machine.check_counts();
    EXPECT_GT(found.plain_conflicts, 0u);
    EXPECT_THAT(found.first_plain_conflict,
                HasSubstr("outside of transactions, and shared byte 0 is a transaction's"));
    EXPECT_THAT(found.first_plain_conflict, HasSubstr("transaction_kernel.cpp:"));
    EXPECT_GT(machine.count("tm.plain_conflicts"), 0u);
}

}  // namespace
}  // namespace heddle
