// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What is under way of a warp when its block is told to make room ends in its slot.
#include <gmock/gmock.h>

#include <array>

#include "hw/smx/execute/execution_observer.h"
#include "hw/top/simulation.h"
#include "tests/hw/top/machine_fixture.h"
#include "tests/hw/top/preempting.h"

namespace heddle {
namespace {

using testing::Each;
using testing::Gt;
using words = std::vector<std::uint32_t>;

/// Follows blocks of one warp: how long after their last branch or barrier they leave the SMX.
class leave_watch final : public execution_observer {
public:
    void block_started(std::uint64_t, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override {
        warps_[dispatch.slot.value()] = bits::first(warp_slots);
    }
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots, const std::vector<isa::lane_mask>&) override {
        block_started(edge, dispatch, warp_slots);
    }
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void block_suspended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override {
        const last& was = last_[warps_[dispatch.slot.value()]];
        if (was.of == isa::opcode::barrier) after_barrier.push_back(edge - was.edge);
        if (was.of == isa::opcode::bltu || was.of == isa::opcode::bne) {
            after_branch.push_back(edge - was.edge);
        }
    }
    void executed(const issued_instruction& issued, const register_file&) override {
        last_[issued.warp] = {issued.edge, issued.instruction->op};
    }
    void accessed(const issued_instruction&, const memory_instruction&) override {}
    void loaded(std::uint64_t, unsigned, issue_number, isa::lane_mask,
                const std::uint32_t*) override {}
    void completed(std::uint64_t, unsigned, issue_number, const register_file&) override {}
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}

    std::vector<std::uint64_t> after_branch;   ///< cycles
    std::vector<std::uint64_t> after_barrier;  ///< cycles

private:
    struct last {
        std::uint64_t edge = 0;
        isa::opcode of = isa::opcode::illegal;
    };
    std::array<unsigned, 64> warps_{};  ///< by block slot
    std::array<last, 64> last_{};       ///< by warp slot
};

/// Blocks of one small warp, whose state is soon in memory. What a warp waits for takes longer.
class leaving : public testing::Test {
protected:
    void run(const char* kernel, std::uint32_t rounds) {
        const gpu_configuration configuration = configuration_of(
            "tiny", {"gpu.smx_count=1", "gpu.warp_size=8", "smx.max_threads=256",
                     "coop.preempt=true", "smx.branch_latency=64", "smx.barrier_latency=500",
                     "clock.interconnect=2600000", "clock.l2=2600000"});
        simulation simulated(configuration, gpu_options{});
        observe_first_smx(simulated, watch);
        const auto program = [&](device& gpu) {
            gpu.load(kernels_of("preemption"));
            const device_buffer<std::uint32_t> out(gpu, words(2 * 8), "out");
            const device_buffer<std::uint32_t> done(gpu, words(1), "done");
            launch(gpu, kernel, shape_of(2, 8), out.get(), rounds);
            (void)disturb(gpu, gpu.record(stream_id(0)), 2001, 1, done);
        };
        EXPECT_EQ(simulated.run(program, {1'000'000}), error_kind::none)
            << simulated.status().text();
    }

    leave_watch watch;
};

TEST_F(leaving, a_warp_takes_its_branch_first) {
    run("turn", 1000);
    EXPECT_GT(watch.after_branch.size(), 20U);
    EXPECT_THAT(watch.after_branch, Each(Gt(64U)));
}

TEST_F(leaving, a_barrier_that_lets_its_block_go_on_does_so_first) {
    run("wait_at_barriers", 200);
    EXPECT_GT(watch.after_barrier.size(), 20U);
    EXPECT_THAT(watch.after_barrier, Each(Gt(500U)));
}

}  // namespace
}  // namespace heddle
