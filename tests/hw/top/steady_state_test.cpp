// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The hardware allocates nothing per cycle: counts what the edges of whole machines take from the
// heap when pools and queues have their sizes.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <numeric>
#include <sstream>

#include "hw/base/clock_domain.h"
#include "hw/base/present.h"
#include "hw/top/simulation.h"
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace {

std::size_t allocations = 0;  ///< by the parts of clock domains, at an edge

}  // namespace

// The tests of this program share these; they do what the standard ones do, and count. Out of line:
// half inlined, GCC takes them for a mismatch of new and free.
[[gnu::noinline]] void* operator new(std::size_t size) {
    if (heddle::present::within_edge()) ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace heddle {
namespace {

constexpr std::uint64_t window = 1000;  ///< cycles

/// Hears how much the windows of core cycles allocate; itself it allocates nothing.
class sampler final : public clocked {
public:
    explicit sampler(clock_domain& domain) : clocked(domain, "sampler") { in_.reserve(10000); }
    void evaluate() override {
        if (domain().edge() % window != 0 || in_.size() == in_.capacity()) return;
        in_.push_back(allocations - before_);
        before_ = allocations;
    }
    activity update() override { return activity::busy; }
    [[nodiscard]] const std::vector<std::size_t>& in_windows() const noexcept { return in_; }

private:
    std::vector<std::size_t> in_;
    std::size_t before_ = 0;
};

/// Allocations of each window of a run in a process of its own, as text.
std::vector<std::size_t> windows_of(const char* configuration, const char* workload,
                                    const workloads::workload_options& options) {
    const process_result result = run_in_child([&](std::string& output) {
        simulation simulated(configuration_of(configuration), {});
        sampler samples(core_clock_of(simulated));
        const error_kind kind = simulated.run(
            [&](device& gpu) {
                workloads::run_workload(workloads::find_workload(workload), gpu, options);
            },
            {});
        for (const std::size_t each : samples.in_windows()) output += std::to_string(each) + " ";
        return exit_code(kind);
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    std::istringstream numbers(result.output);
    return {std::istream_iterator<std::size_t>(numbers), {}};
}

std::size_t sum(const std::vector<std::size_t>& windows) {
    return std::accumulate(windows.begin(), windows.end(), std::size_t{0});
}

workloads::workload_options matrix(const char* inner) {
    workloads::workload_options options;
    options.values = {{"inner", inner}};
    return options;
}

class steady_state : public testing::TestWithParam<const char*> {};

// Pools and queues grow to the sizes that a run needs, and keep them. A part that allocates in each
// cycle in which it works would do so thousands of times in a window.
TEST_P(steady_state, most_cycles_of_a_launch_allocate_nothing) {
    const std::vector<std::size_t> windows = windows_of(GetParam(), "matrix", matrix("128"));
    ASSERT_GT(windows.size(), 40U);
    EXPECT_GT(sum(windows), 100U) << "what the pools take at first: the count counts";
    const auto idle = std::count(windows.begin(), windows.end(), std::size_t{0});
    EXPECT_GT(3 * static_cast<std::size_t>(idle), 2 * windows.size());
    const std::vector<std::size_t> settled(windows.begin() + 5, windows.end());
    EXPECT_LT(*std::max_element(settled.begin(), settled.end()), window / 2);
}

TEST_P(steady_state, more_cycles_allocate_no_more) {
    const std::vector<std::size_t> once = windows_of(GetParam(), "matrix", matrix("128"));
    const std::vector<std::size_t> twice = windows_of(GetParam(), "matrix", matrix("256"));
    ASSERT_GT(twice.size(), once.size() + 30);
    EXPECT_LT(sum(twice), sum(once) + 500);
}

TEST_P(steady_state, launches_of_a_search_allocate_little) {
    workloads::workload_options search;
    search.input = "kronecker:scale=10,degree=16";
    const std::vector<std::size_t> windows = windows_of(GetParam(), "bfs", search);
    ASSERT_GT(windows.size(), 100U);
    const auto idle = std::count(windows.begin(), windows.end(), std::size_t{0});
    EXPECT_GT(3 * static_cast<std::size_t>(idle), 2 * windows.size());
}

INSTANTIATE_TEST_SUITE_P(machines, steady_state, testing::Values("gk110", "g80"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace heddle
