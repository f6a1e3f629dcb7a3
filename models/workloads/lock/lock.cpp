// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <utility>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class lock_case { all, counters, lists };

struct lock_options {
    lock_case only = lock_case::all;
    std::uint32_t n = 2048;
    std::uint32_t rounds = 4;
    std::uint32_t locks = 64;
    std::uint32_t block = 128;

    void declare(parameter_list& p) {
        p.add("case", only,
              {{"all", lock_case::all},
               {"counters", lock_case::counters},
               {"lists", lock_case::lists}},
              "Kernels to run");
        p.add("n", n, range(1, 1 << 20), "thread", "Number of threads");
        p.add("rounds", rounds, range(0, 1024), "round", "Counters that each thread increments");
        p.add("locks", locks, range(1, 1 << 20), "lock",
              "Locks, each with a counter and a list; fewer locks mean more contention");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
};

void run_counters(device& gpu, const lock_options& options, workload_report& report) {
    const auto n = options.n;
    const auto rounds = options.rounds;
    const auto counters = options.locks;
    const device_buffer<std::uint32_t> locks(gpu, counters, "locks");
    const device_buffer<std::uint32_t> device_counts(gpu, counters, "counts");
    launch(gpu, "locked_counters", grid_over(n, options.block), n, rounds, counters, locks.get(),
           device_counts.get());
    const auto counts = device_counts.read();

    std::vector<std::uint32_t> expected(counters);
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t round = 0; round < rounds; ++round) {
            ++expected[(i / 4 + 7 * round) % counters];
        }
    }
    report.compare("counters", counts, expected);
    report.declare_deterministic("counters", counts);
    report.add_row("counter increments", std::uint64_t{n} * rounds);
}

void run_lists(device& gpu, const lock_options& options, const run_context& context,
               workload_report& report) {
    const auto n = options.n;
    const auto lists = options.locks;
    const auto keys = random_words(context.random("keys"), n);
    const device_buffer<std::uint32_t> device_keys(gpu, keys, "keys");
    const device_buffer<std::uint32_t> locks(gpu, lists, "locks");
    const device_buffer<std::uint32_t> device_heads(gpu, std::vector<std::uint32_t>(lists, n),
                                                    "heads");
    const device_buffer<std::uint32_t> device_next(gpu, n, "next");
    launch(gpu, "locked_lists", grid_over(n, options.block), n, lists, device_keys.get(),
           locks.get(), device_heads.get(), device_next.get());
    const auto heads = device_heads.read();
    const auto next = device_next.read();

    std::vector<std::uint32_t> expected_heads(lists, n);
    std::vector<std::uint32_t> expected_next(n);
    std::vector<std::uint32_t> lengths(lists);
    for (std::uint32_t item = n; item-- > 0;) {
        const auto list = keys[item] % lists;
        expected_next[item] = std::exchange(expected_heads[list], item);
        ++lengths[list];
    }
    report.compare("list heads", heads, expected_heads);
    report.compare("list links", next, expected_next);
    report.declare_deterministic("heads", heads);
    report.declare_deterministic("next", next);
    report.add_row("list items", std::uint64_t{n});
    report.add_row("longest list",
                   std::uint64_t{*std::max_element(lengths.begin(), lengths.end())});
}

void run(device& gpu, const lock_options& options, const run_context& context,
         workload_report& report) {
    if (options.only != lock_case::lists) run_counters(gpu, options, report);
    if (options.only != lock_case::counters) run_lists(gpu, options, context, report);
}

}  // namespace

workload lock() {
    return make_workload<lock_options>(
        "lock", "Counters and sorted lists under locks, for which threads of one warp compete", "",
        run);
}

}  // namespace heddle::workloads
