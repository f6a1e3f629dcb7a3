// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Cost of clock_domain: nanoseconds per awake part and edge, and the time of 10 M idle edges.
// One simulation a process, so no benchmark library: every case runs in a child of its own, five
// times, and the median counts (CPU seconds of the child).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "tests/bench/median.h"

namespace {

using heddle::activity;
using heddle::clock_domain;
using heddle::clock_domain_options;
using heddle::clocked;
using heddle::frequency;
using heddle::median;

/// Work of the smallest useful part: a register that takes its neighbour's value.
class shifter final : public clocked {
public:
    shifter(clock_domain& domain, const shifter* left, std::uint64_t edges)
        : clocked(domain, "shifter"), left_(left), edges_(edges) {}
    void evaluate() override { next_ = (left_ != nullptr ? left_->state_ : state_) + 1; }
    activity update() override {
        state_ = next_;
        return domain().edge() < edges_ ? activity::busy : activity::idle;
    }

private:
    const shifter* left_;
    std::uint64_t edges_;
    std::uint64_t state_ = 0;
    std::uint64_t next_ = 0;
};

/// Sleeps `gap` edges at a time until `edges` have passed.
class sleeper final : public clocked {
public:
    sleeper(clock_domain& domain, std::uint64_t gap, std::uint64_t edges)
        : clocked(domain, "sleeper"), gap_(gap), edges_(edges) {}
    void evaluate() override {}
    activity update() override {
        const std::uint64_t edge = domain().edge();
        if (edge < edges_) {
            wake_at(edge + gap_);
        }
        return activity::idle;
    }

private:
    std::uint64_t gap_;
    std::uint64_t edges_;
};

double busy(std::size_t parts, std::uint64_t edges) {
    clock_domain domain("core", frequency::megahertz(706));
    std::vector<std::unique_ptr<shifter>> chain;
    for (std::size_t i = 0; i < parts; ++i) {
        chain.push_back(
            std::make_unique<shifter>(domain, i == 0 ? nullptr : chain.back().get(), edges));
    }
    const std::clock_t begin = std::clock();
    sc_core::sc_start();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return seconds * 1e9 / static_cast<double>(domain.evaluations());
}

/// Milliseconds for 10 M edges of a domain of 300 parts of which one wakes every `gap` edges.
double idle(std::uint64_t gap) {
    constexpr std::uint64_t edges = 10000000;
    clock_domain domain("core", frequency::megahertz(706));
    std::vector<std::unique_ptr<sleeper>> parts;
    for (int i = 0; i < 300; ++i) {
        parts.push_back(std::make_unique<sleeper>(domain, gap, i == 0 ? edges : 0));
    }
    const std::clock_t begin = std::clock();
    sc_core::sc_start();
    if (domain.edge() < edges) {
        std::abort();
    }
    return static_cast<double>(std::clock() - begin) * 1e3 / CLOCKS_PER_SEC;
}

}  // namespace

int sc_main(int argc, char** argv) {
    // The smoke test of the suite runs a hundredth of the edges.
    const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
    const std::uint64_t part_edges = quick ? 1000000 : 100000000;
    for (const std::size_t parts : {1, 4, 30, 300}) {
        std::printf("clock_domain/busy/%zu_parts %.2f ns per awake part and edge\n", parts,
                    median([&] { return busy(parts, part_edges / (parts + 4)); }));
    }
    for (const std::uint64_t gap : {10000000, 1000, 100}) {
        std::printf("clock_domain/idle/wake_every_%llu %.3f ms for 10 M edges\n",
                    static_cast<unsigned long long>(gap), median([&] { return idle(gap); }));
    }
    return 0;
}
