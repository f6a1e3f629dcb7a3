// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the host works on at each edge of the machine, for scripts/threads_schedule:
//
//     edge_work_bench CONFIGURATION WORKLOAD [OPTION=VALUE...] [--set KEY=VALUE...]
//
// Output, times in ns: "handover TIME", what a cache line takes to another core and back; "part
// NUMBER WEIGHT DOMAIN NAME" for each part that threads may share; for each instant "OTHER LETTERS
// NUMBER:EVALUATE:UPDATE ...": the work of the main thread, that of letters to inboxes, and of
// parts.
#include <sysc/utils/sc_report.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/edge_work.h"
#include "hw/top/gpu_options.h"
#include "hw/top/simulation.h"
#include "models/base/wait_until.h"
#include "models/workloads/registry.h"
#include "tests/hw/top/machine_fixture.h"

namespace {

using namespace heddle;

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// The least of many times, as other programs only add to it.
template <class Work>
std::int64_t least(unsigned tries, const Work& work) {
    std::int64_t best = work();
    for (unsigned i = 1; i < tries; ++i) best = std::min(best, work());
    return best;
}

std::int64_t of_the_clock() {
    return least(1000, [] {
        const std::int64_t begin = now();
        return now() - begin;
    });
}

/// A number goes to another thread and comes back.
std::int64_t handover() {
    constexpr std::uint64_t rounds = 200;
    constexpr unsigned tries = 50;
    alignas(128) std::atomic<std::uint64_t> there{0};
    alignas(128) std::atomic<std::uint64_t> back{0};
    std::thread other([&] {
        for (std::uint64_t i = 1; i <= rounds * tries; ++i) {
            (void)wait_until([&] { return there.load() == i; });
            back.store(i);
        }
    });
    std::uint64_t sent = 0;
    const std::int64_t time = least(tries, [&] {
        const std::int64_t begin = now();
        for (std::uint64_t i = 0; i < rounds; ++i) {
            there.store(++sent);
            (void)wait_until([&] { return back.load() == sent; });
        }
        return (now() - begin) / static_cast<std::int64_t>(rounds);
    });
    other.join();
    return time;
}

class printer final : public edge_work {
public:
    void shared(const clocked& part, std::uint32_t weight) override {
        const std::size_t number = numbers_.size();
        numbers_[&part] = number;
        times_.emplace_back();
        std::printf("part %zu %u %s %s\n", number, weight, part.domain().name(),
                    part.part_name().c_str());
    }
    void begin_instant() override {
        flush();
        last_ = now();
    }
    void evaluated(const clocked& part) override {
        const std::size_t number = numbers_.at(&part);
        awake_.push_back(number);
        times_[number] = {spent(), 0};
    }
    void updated(const clocked& part) override { times_[numbers_.at(&part)].update = spent(); }
    void delivered() override { letters_ += spent(); }
    void other_work() override { other_ += spent(); }
    void flush() {
        if (awake_.empty() && other_ == 0) return;
        std::printf("%lld %lld", static_cast<long long>(std::exchange(other_, 0)),
                    static_cast<long long>(std::exchange(letters_, 0)));
        for (const std::size_t number : awake_) {
            std::printf(" %zu:%lld:%lld", number, static_cast<long long>(times_[number].evaluate),
                        static_cast<long long>(times_[number].update));
        }
        std::putchar('\n');
        awake_.clear();
    }

private:
    struct times {
        std::int64_t evaluate = 0, update = 0;
    };
    /// Since the call before.
    std::int64_t spent() {
        const std::int64_t begin = std::exchange(last_, now());
        const std::int64_t time = std::max<std::int64_t>(0, last_ - begin - clock_);
        last_ = now();  // without what the caller of this does with it
        return time;
    }

    const std::int64_t clock_ = of_the_clock();
    std::unordered_map<const clocked*, std::size_t> numbers_;
    std::vector<times> times_;
    std::vector<std::size_t> awake_;
    std::int64_t other_ = 0;
    std::int64_t letters_ = 0;
    std::int64_t last_ = 0;
};

}  // namespace

int sc_main(int count, char** words) {
    if (count < 3) {
        std::fputs(
            "usage: edge_work_bench CONFIGURATION WORKLOAD [OPTION=VALUE...] [--set "
            "KEY=VALUE...]\n",
            stderr);
        return 2;
    }
    settings changes;
    workloads::workload_options how;
    for (int i = 3; i < count; ++i) {
        const std::string word = words[i];
        const std::size_t equals = word.find('=');
        if (word == "--set" && i + 1 < count) {
            changes.emplace_back(words[++i]);
        } else {
            how.values[word.substr(0, equals)] = word.substr(equals + 1);
        }
    }
    const gpu_configuration configuration = configuration_of(words[1], changes);
    std::printf("handover %lld\n", static_cast<long long>(handover()));
    printer prints;
    gpu_options options;
    options.work = &prints;
    simulation simulated(configuration, options);
    const error_kind kind = simulated.run(
        [&](device& gpu) {
            (void)workloads::run_workload(workloads::find_workload(words[2]), gpu, how);
        },
        {});
    prints.flush();
    std::fputs(simulated.status().text().c_str(), stderr);
    return exit_code(kind);
}
