// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Transactions of threads that issue from pools, with the functional simulator in step.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "hw/smx/tm/conflict_detectors.h"
#include "models/device/device.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::uint32_t>;

/// A formation of `tiny`.
struct pool_case {
    const char* name;
    settings changes;
};
void PrintTo(const pool_case& p, std::ostream* out) {
    *out << p.name;
}
const pool_case pools[] = {
    {"nrec", {"smx.formation=nrec"}},
    {"dwf", {"smx.formation=dwf"}},
    {"dwf_schedulers",
     {"smx.formation=dwf", "smx.schedulers=4", "smx.dual_issue=true", "smx.barrel=false"}},
    {"dwf_shared_pool",
     {"smx.formation=dwf", "smx.schedulers=2", "dwf.pools=shared", "dwf.policy=pdom_priority"}},
    // Threads have several places in a group; each comes back when its own data has come.
    {"dwf_places",
     {"smx.formation=dwf", "dwf.home_lanes=pipeline", "smx.issue_interval=4",
      "dwf.individual_return=true"}},
    {"dwf_spills", {"smx.formation=dwf", "dwf.pool_entries=2", "dwf.patience=300"}},
    {"mimd", {"smx.formation=mimd"}}};

std::vector<std::string> detections() {
    std::vector<std::string> names;
    for (const transaction_detection& each : conflict_detectors::all()) {
        names.emplace_back(each.name);
    }
    return names;
}

words counted(std::uint32_t count) {
    words values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

class each_pool : public testing::TestWithParam<std::tuple<pool_case, std::string, std::string>> {
protected:
    [[nodiscard]] bool every_thread_alone() const {
        return std::string(std::get<0>(GetParam()).name) == "mimd";
    }
    [[nodiscard]] gpu_configuration with(settings more = {}) const {
        const auto& [pool, detection, serialization] = GetParam();
        more.insert(more.end(), pool.changes.begin(), pool.changes.end());
        more.insert(more.end(), {"tm.enabled=true", "tm.detection=" + detection,
                                 "tm.serialization=" + serialization, "gpu.watchdog=2000000"});
        return configuration_of("tiny", more);
    }
};
INSTANTIATE_TEST_SUITE_P(of, each_pool,
                         testing::Combine(testing::ValuesIn(pools), testing::ValuesIn(detections()),
                                          testing::Values("ascending_single",
                                                          "descending_multiple")),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param).name) + "_" +
                                    std::get<1>(info.param) + "_" + std::get<2>(info.param);
                         });

/// One warp: the group that begins is the warp of pdom, and takes its attempts.
TEST_P(each_pool, a_warp_that_stays_together_takes_the_attempts_of_pdom) {
    const bool multiple = std::get<2>(GetParam()) == "descending_multiple";
    timed_machine machine(with());
    words after;
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> values(gpu, counted(32), "values");
        launch(gpu, "neighbours", {{1}, {32}}, values.get());
        after = values.read();
    });
    EXPECT_EQ(machine.count("tm.commits"), 32);
    for (std::uint32_t i = 0; i < 32; i += 2) {
        const bool first = after[i] == i + 2 && after[i + 1] == i + 1;
        const bool second = after[i] == i + 2 && after[i + 1] == i + 3;
        EXPECT_TRUE(first || second) << i << ": " << after[i] << ", " << after[i + 1];
    }
    if (every_thread_alone()) return;
    EXPECT_EQ(machine.count("tm.attempts"), multiple ? 4 : 49);
    EXPECT_EQ(machine.count("tm.losses"), multiple ? 64 : 2 * 16 * 17);
}

TEST_P(each_pool, gives_each_thread_a_number_of_its_own) {
    timed_machine machine(with());
    words numbers;
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> buffer(gpu, 96, "numbers");
        launch(gpu, "take_numbers", {{1}, {96}}, buffer.get());
        numbers = buffer.read();
    });
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(numbers, counted(96));
    EXPECT_GT(machine.count("tm.losses"), 0);
}

/// More groups than a block has tables want to begin.
TEST_P(each_pool, lets_groups_wait_for_a_table) {
    constexpr std::uint32_t threads = 72;
    constexpr std::uint32_t rounds = 3;
    timed_machine machine(with());
    words numbers;
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> taken(gpu, rounds * threads, "numbers");
        const device_buffer<std::uint32_t> wrong(gpu, words(threads), "wrong");
        launch(gpu, "stragglers", {{1}, {threads}}, rounds, taken.get(), wrong.get());
        numbers = taken.read();
        EXPECT_THAT(wrong.read(), Each(0U));
    });
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(numbers, counted(rounds * threads));
    EXPECT_EQ(machine.count("tm.commits"), rounds * threads);
}

TEST_P(each_pool, takes_back_branches_calls_and_private_memory) {
    timed_machine machine(with());
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> values(gpu, counted(64), "values");
        launch(gpu, "undone", {{2}, {64}});
        launch(gpu, "control_flow", {{1}, {64}}, values.get());
        gpu.synchronize();
    });
    EXPECT_GT(machine.count("tm.losses"), 0);
}

/// Without L1D a store does not wait for the line that the load of its old words fetches: what
/// issues behind it may lose before these have come.
TEST_P(each_pool, waits_for_the_old_words_of_private_memory) {
    timed_machine machine(with({"l1d.size=0", "l1d.cache_global=false"}));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> wrong(gpu, words(128), "wrong");
        launch(gpu, "late_log", {{2}, {128}}, wrong.get());
        EXPECT_THAT(wrong.read(), Each(0U));
    });
    EXPECT_EQ(machine.count("tm.commits"), 256);
}

TEST_P(each_pool, keeps_words_equal) {
    timed_machine machine(with());
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> differences(gpu, 96, "differences");
        launch(gpu, "kept_equal", {{1}, {96}}, 2U, differences.get());
        EXPECT_THAT(differences.read(), Each(0U));
    });
}

/// Groups lose while they are in the pool, as another one has to be alone.
TEST_P(each_pool, takes_groups_out_of_the_pool_that_have_lost) {
    timed_machine machine(with());
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> counts(gpu, 256, "counts");
        launch(gpu, "others_are_busy", {{1}, {256}}, 2U, counts.get());
        words expected(256);
        expected[0] = 2 * 128;
        std::fill(expected.begin() + 128, expected.end(), 2);
        EXPECT_EQ(counts.read(), expected);
    });
    EXPECT_GT(machine.count("tm.aborts"), 0);
}

struct refused {
    const char* kernel;
    const char* text;
};
class refusing_pool : public testing::TestWithParam<std::tuple<pool_case, refused>> {};
INSTANTIATE_TEST_SUITE_P(
    of, refusing_pool,
    testing::Combine(
        testing::ValuesIn(pools),
        testing::Values(refused{"barrier", "'barrier' inside a transaction: a barrier"},
                        refused{"ends_inside", "'exit' inside a transaction: the end of a thread"},
                        refused{"nested", "'tx.begin' inside a transaction: another transaction"},
                        refused{"two_commits", "'tx.commit' at another depth"},
                        refused{"commit_alone", "'tx.commit' outside of a transaction"})),
    [](const auto& info) {
        return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).kernel;
    });

TEST_P(refusing_pool, tells_what_a_transaction_may_not_contain) {
    const auto& [pool, each] = GetParam();
    settings changes = pool.changes;
    changes.emplace_back("tm.enabled=true");
    timed_machine machine(configuration_of("tiny", changes));
    const char* const kernel = each.kernel;
    const error_kind kind = machine.run([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        launch(gpu, kernel, {{1}, {32}});
        gpu.synchronize();
    });
    // A thread alone has no depth of branches: it commits wherever it is.
    if (pool.name == std::string("mimd") && each.kernel == std::string("two_commits")) {
        EXPECT_EQ(kind, error_kind::none);
        return;
    }
    EXPECT_EQ(kind, error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(), HasSubstr(each.text));
}

TEST(pool_transactions, have_a_stack_of_the_machines_size) {
    timed_machine machine(
        configuration_of("tiny", {"tm.enabled=true", "smx.formation=nrec", "smx.stack_entries=1"}));
    EXPECT_EQ(machine.run([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        launch(gpu, "undone", {{1}, {32}});
        gpu.synchronize();
    }),
              error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(), HasSubstr("smx.stack_entries = 1"));
}

class each_formation : public testing::TestWithParam<pool_case> {};
INSTANTIATE_TEST_SUITE_P(of, each_formation, testing::ValuesIn(pools),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(each_formation, the_report_of_no_progress_says_who_lost) {
    settings changes = GetParam().changes;
    changes.insert(changes.end(), {"tm.enabled=true", "gpu.watchdog=20000"});
    timed_machine machine(configuration_of("tiny", changes));
    EXPECT_EQ(machine.run([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        launch(gpu, "endless", {{1}, {32}});
        gpu.synchronize();
    }),
              error_kind::no_progress);
    EXPECT_THAT(machine.status().text(), HasSubstr("a group of threads "));
    EXPECT_THAT(machine.status().text(), HasSubstr("in a transaction ("));
    EXPECT_THAT(machine.status().text(), HasSubstr("lost last, at byte"));
    EXPECT_THAT(machine.status().text(), Not(HasSubstr("threads are in the thread pool")));
}

}  // namespace
}  // namespace heddle
