// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an SMX counts of small runs, exactly: a second count from the instructions that it has
// issued says the same.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "hw/smx/pipeline/issue_table.h"
#include "tb/kit/paths.h"
#include "tb/smx/smx_bench.h"

namespace heddle {
namespace {

/// From when to when each warp has a register that waits for a result; fences likewise.
class wait_log final : public execution_observer {
public:
    using wait = std::pair<std::uint64_t, std::uint64_t>;

    explicit wait_log(const smx_configuration& smx) : smx_(smx) {}

    void executed(const issued_instruction& i, const register_file&) override {
        if (i.instruction->cls == isa::instruction_class::fence) fence_ = i.edge;
        if (!i.instruction->writes_register()) return;
        const issue_info info = describe_issue(*i.instruction, smx_);
        results[i.warp].emplace_back(
            i.edge,
            i.edge + smx_.operand_latency + info.extra_read_cycles + smx_.unit(info.unit).latency);
    }
    void accessed(const issued_instruction& i, const memory_instruction&) override {
        if (i.instruction->writes_register()) loads_[{i.warp, i.number.value()}] = i.edge;
    }
    void completed(std::uint64_t edge, unsigned warp, issue_number number,
                   const register_file&) override {
        const auto load = loads_.find({warp, number.value()});
        if (load != loads_.end()) results[warp].emplace_back(load->second, edge);
    }
    void fenced(std::uint64_t edge, unsigned) override { fence = {fence_, edge}; }
    void block_started(std::uint64_t, const protocol::block_dispatch&, std::uint64_t) override {}
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void loaded(std::uint64_t, unsigned, issue_number, isa::lane_mask,
                const std::uint32_t*) override {}
    void writes_drained(std::uint64_t, unsigned) override {}

    /// Cycles with a result under way, of all warps.
    [[nodiscard]] std::uint64_t cycles_with_results() {
        std::uint64_t sum = 0;
        for (auto& [warp, waits] : results) {
            std::sort(waits.begin(), waits.end());
            std::uint64_t counted_to = 0;
            for (const wait& w : waits) {
                sum += w.second - std::min(w.second, std::max(w.first, counted_to));
                counted_to = std::max(counted_to, w.second);
            }
        }
        return sum;
    }

    std::map<unsigned, std::vector<wait>> results;  ///< by warp
    wait fence;                                     ///< the last one

private:
    const smx_configuration smx_;
    std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t> loads_;
    std::uint64_t fence_ = 0;
};

class smx_counts_test : public testing::Test {
protected:
    smx_counts_test() {
        configuration.memory.latency_spread = 0;
        configuration.memory.stall_probability = 0;
    }
    /// Runs what `script` launches.
    template <class Script>
    smx_counts run(Script&& script) {
        testbench_options options;
        options.stall_probability = 0;
        testbench bench("smx_counts", options);
        smx_bench device(bench, configuration);
        device.load(std::make_shared<program::image>(
            program::image::load(build_path("kernels/smx_tb.elf"))));
        log = std::make_unique<wait_log>(configuration.smx);
        device.block().core().observe(log.get());
        script(device);
        EXPECT_EQ(device.run(), error_kind::none) << bench.status().text();
        return device.block().core().counts();
    }
    /// One warp at a fence, and perhaps one at loads.
    smx_counts run_fence(unsigned threads) {
        configuration.smx.schedulers = 1;
        configuration.memory.least_latency = 500;
        return run([&](smx_bench& device) {
            const device_ptr<unsigned> out{device.allocate(256, "out")};
            const device_ptr<unsigned> chain{device.allocate(256, "chain")};
            device.word(chain.address) = chain.address;
            launch(device, "fence_beside_loads", {{1}, {threads}}, out, chain);
        });
    }

    smx_bench_configuration configuration;
    std::unique_ptr<wait_log> log;
};

TEST_F(smx_counts_test, executing_warps_are_those_with_a_result_under_way) {
    const smx_counts counts = run([](smx_bench& device) {
        const unsigned n = 200;
        const device_ptr<unsigned> in{device.allocate(4 * n, "in")};
        const device_ptr<unsigned> out{device.allocate(4 * n, "out")};
        for (unsigned i = 0; i < n; ++i) device.word(in.address + 4 * i) = i * 2654435761u;
        launch(device, "arithmetic", {{8}, {32}}, n, in, out);
    });
    ASSERT_EQ(counts.writeback_conflicts, 0u) << "results are written when they are due";
    EXPECT_EQ(log->results.size(), 8u);
    EXPECT_EQ(counts.in_flight_warp_cycles, log->cycles_with_results());
    EXPECT_GT(counts.in_flight_warp_cycles, 8u * 100);
}

/// The other results come a cycle apart, and have the port to themselves.
TEST_F(smx_counts_test, an_atomic_without_a_result_takes_no_write_back_port) {
    configuration.smx.writeback_ports = 1;
    const smx_counts counts = run([](smx_bench& device) {
        const device_ptr<unsigned> out{device.allocate(256, "out")};
        launch(device, "atomic_beside_additions", {{1}, {32}}, out);
    });
    EXPECT_GT(counts.executed.warp_instructions, 3u * 120);
    EXPECT_EQ(counts.writeback_conflicts, 0u);
}

TEST_F(smx_counts_test, a_fence_is_the_cause_while_nobody_waits_for_a_load) {
    const smx_counts alone = run_fence(32);
    EXPECT_GT(log->fence.second - log->fence.first, 500u);
    EXPECT_EQ(alone.cycles_in(cycle_cause::fence), log->fence.second - log->fence.first - 1)
        << "from the cycle behind its issue to the one before the next";
}

TEST_F(smx_counts_test, memory_is_the_cause_while_another_warp_is_at_a_fence) {
    const smx_counts both = run_fence(64);
    EXPECT_EQ(both.cycles_in(cycle_cause::fence), 0u);
    EXPECT_GT(both.cycles_in(cycle_cause::memory), 3u * 500 - 30 * 10);
}

}  // namespace
}  // namespace heddle
