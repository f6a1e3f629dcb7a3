// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels with transactions on the whole machine, with the functional simulator in step.
#include <fstream>
#include <numeric>
#include <tuple>

#include "hw/smx/tm/conflict_detectors.h"
#include "models/device/device.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

std::vector<std::string> detections() {
    std::vector<std::string> names;
    for (const transaction_detection& each : conflict_detectors::all()) {
        names.emplace_back(each.name);
    }
    return names;
}
const std::string serializations[] = {"ascending_single", "descending_single", "ascending_multiple",
                                      "descending_multiple"};

words counted(std::uint32_t count, std::uint32_t from = 0) {
    words values(count);
    std::iota(values.begin(), values.end(), from);
    return values;
}

class each_mechanism : public testing::TestWithParam<std::tuple<std::string, std::string>> {
protected:
    [[nodiscard]] settings with(settings more = {}) const {
        more.push_back("tm.enabled=true");
        more.push_back("tm.detection=" + std::get<0>(GetParam()));
        more.push_back("tm.serialization=" + std::get<1>(GetParam()));
        return more;
    }
    [[nodiscard]] bool is(const char* part) const {
        return std::get<1>(GetParam()).find(part) != std::string::npos;
    }
};
INSTANTIATE_TEST_SUITE_P(all, each_mechanism,
                         testing::Combine(testing::ValuesIn(detections()),
                                          testing::ValuesIn(serializations)));

/// One block of a kernel over `values`, which it changes.
words run(timed_machine& machine, const std::string& kernel, const words& values) {
    words after;
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> buffer(gpu, values, "values");
        launch(gpu, kernel, {{1}, {static_cast<std::uint32_t>(values.size())}}, buffer.get());
        after = buffer.read();
    });
    return after;
}

double number(const timed_machine& machine, const std::string& name) {
    const statistics values = machine.collected();
    const auto value = values.find(name)->value;
    if (const auto* const count = std::get_if<std::uint64_t>(&value)) {
        return static_cast<double>(*count);
    }
    return std::get<double>(value);
}

/// 16 pairs of work-items that read their own word and write each other's.
TEST_P(each_mechanism, runs_the_worked_sequence) {
    timed_machine machine(configuration_of("si", with()));
    (void)run(machine, "neighbours", counted(32));
    EXPECT_EQ(machine.count("tm.attempts"), is("multiple") ? 4 : 49);
    EXPECT_EQ(machine.count("tm.warp_serialized_attempts"), is("multiple") ? 1 : 16);
    EXPECT_EQ(machine.count("tm.losses"), is("multiple") ? 64 : 2 * 16 * 17);
    EXPECT_EQ(machine.count("tm.commits"), 32);
}

TEST_P(each_mechanism, leaves_the_values_of_its_order) {
    timed_machine machine(configuration_of("tiny", with()));
    const words after = run(machine, "neighbours", {10, 20, 30, 40});
    if (is("ascending")) {
        EXPECT_THAT(after, ElementsAre(12, 11, 32, 31));
    } else {
        EXPECT_THAT(after, ElementsAre(21, 22, 41, 42));
    }
}

/// All threads of several warps want one word.
TEST_P(each_mechanism, gives_each_thread_a_number_of_its_own) {
    timed_machine machine(configuration_of("tiny", with()));
    words after = run(machine, "take_numbers", words(96));
    std::sort(after.begin(), after.end());
    EXPECT_EQ(after, counted(96));
    EXPECT_GT(machine.count("tm.block_serialized_attempts"), 0);
}

TEST_P(each_mechanism, takes_back_branches_calls_and_private_memory) {
    timed_machine machine(configuration_of("tiny", with()));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        launch(gpu, "undone", {{2}, {64}});
        gpu.synchronize();
    });
    EXPECT_GT(machine.count("tm.losses"), 0);
}

TEST_P(each_mechanism, keeps_words_equal_across_warps) {
    timed_machine machine(configuration_of("tiny", with({"iss.watchdog=1000000"})));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> differences(gpu, 96, "differences");
        launch(gpu, "kept_equal", {{1}, {96}}, 2u, differences.get());
        EXPECT_THAT(differences.read(), Each(0u));
    });
}

/// The lock-step check would see an instruction for no thread.
TEST_P(each_mechanism, lets_no_warp_issue_in_the_cycle_in_which_it_has_lost) {
    timed_machine machine(configuration_of("tiny", with()));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> counts(gpu, 256, "counts");
        launch(gpu, "others_are_busy", {{1}, {256}}, 2u, counts.get());
        words expected(256);
        expected[0] = 2 * 128;
        std::fill(expected.begin() + 128, expected.end(), 2);
        EXPECT_EQ(counts.read(), expected);
    });
    EXPECT_GT(machine.count("tm.aborts"), 0);
}

TEST_P(each_mechanism, accounts_for_every_cycle_and_attempt) {
    timed_machine machine(configuration_of("tiny", with()));
    (void)run(machine, "neighbours", counted(64));
    double parts = 0;
    for (const char* const part : {"begin", "commit", "memory_overhead", "code", "other"}) {
        const double cycles = number(machine, std::string("tm.") + part + "_cycles");
        EXPECT_GT(cycles, 0) << part;
        parts += cycles;
    }
    constexpr double smxs = 2;
    EXPECT_NEAR(parts, number(machine, "gpu.warps_resident") * number(machine, "gpu.cycles") * smxs,
                0.5);
    EXPECT_NEAR(number(machine, "tm.transactional_share") +
                    number(machine, "tm.warp_serialized_share") +
                    number(machine, "tm.block_serialized_share"),
                1, 1e-12);
}

std::string fault(const std::string& kernel, const settings& changes = {"tm.enabled=true"},
                  unsigned threads = 32) {
    timed_machine machine(configuration_of("tiny", changes));
    const error_kind kind = machine.run([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        launch(gpu, kernel, {{1}, {threads}});
        gpu.synchronize();
    });
    EXPECT_EQ(kind, error_kind::kernel_fault) << kernel;
    return machine.status().text();
}

struct refused {
    const char* kernel;
    const char* text;
};
void PrintTo(const refused& r, std::ostream* out) {
    *out << r.kernel;
}
class transaction_fault : public testing::TestWithParam<refused> {};
TEST_P(transaction_fault, has_its_name) {
    EXPECT_THAT(fault(GetParam().kernel), HasSubstr(GetParam().text));
}
INSTANTIATE_TEST_SUITE_P(
    kernels, transaction_fault,
    testing::Values(refused{"atomic", "inside a transaction: an atomic has no place there"},
                    refused{"barrier", "'barrier' inside a transaction: a barrier"},
                    refused{"ends_inside", "'exit' inside a transaction: the end of a thread"},
                    refused{"nested", "'tx.begin' inside a transaction: another transaction"},
                    refused{"offers", "'coop.offer_kill' inside a transaction"},
                    refused{"commit_in_callee", "'tx.commit' at another depth"},
                    refused{"two_commits", "'tx.commit' at another depth"},
                    refused{"commit_alone", "'tx.commit' outside of a transaction"}));

/// The block would wait for the scheduler's answer in the middle of its transaction.
TEST(transaction_fault, call_of_a_cooperative_block) {
    timed_machine machine(configuration_of("tiny", {"tm.enabled=true", "gpu.watchdog=20000"}));
    const error_kind kind = machine.run([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        launch_shape shape{{1}, {32}};
        shape.cooperative = true;
        launch(gpu, "offers", shape);
        gpu.synchronize();
    });
    EXPECT_EQ(kind, error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(), HasSubstr("'coop.offer_kill' inside a transaction"));
}

TEST(transaction_fault, store_to_global_memory) {
    timed_machine machine(configuration_of("tiny", {"tm.enabled=true"}));
    EXPECT_EQ(machine.run([&](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        const device_buffer<std::uint32_t> out(gpu, 32, "out");
        launch(gpu, "global_store", {{1}, {32}}, out.get());
        gpu.synchronize();
    }),
              error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(), HasSubstr("a store to global memory has no place there"));
}

TEST(transaction_fault, more_private_stores_than_the_log_holds) {
    EXPECT_THAT(fault("undone", {"tm.enabled=true", "tm.private_log=1"}),
                HasSubstr("stores to private memory more than 1 times (tm.private_log)"));
}

TEST(transaction_links, to_the_banks_have_checkers) {
    const timed_machine machine(configuration_of("tiny", {"tm.enabled=true"}));
    for (const char* const link : {"bank_0_access", "bank_0_broadcast", "bank_31_access"}) {
        const std::string name = std::string("gpu.smx_1.tm_unit.tm_link_") + link + "_checker";
        EXPECT_NE(sc_core::sc_find_object(name.c_str()), nullptr) << name;
    }
}

TEST(transaction_progress, one_that_never_commits_is_no_progress_and_the_report_says_who_lost) {
    timed_machine machine(configuration_of("tiny", {"tm.enabled=true", "gpu.watchdog=20000"}));
    EXPECT_EQ(machine.run([](device& gpu) {
        gpu.load(kernels_of("iss_transaction"));
        launch(gpu, "endless", {{1}, {32}});
        gpu.synchronize();
    }),
              error_kind::no_progress);
    EXPECT_THAT(machine.status().text(), HasSubstr("in a transaction (tx"));
    EXPECT_THAT(machine.status().text(), HasSubstr("lost last, at byte"));
}

}  // namespace
}  // namespace heddle
