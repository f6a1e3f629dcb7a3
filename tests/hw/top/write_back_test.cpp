// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The machine with an L1D that keeps stores to global memory, in lock step with the functional
// simulator: two SMXs whose bytes share lines, under every formation; lines that are evicted;
// fences; launches that see what the one before them wrote.
#include <gmock/gmock.h>

#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using bytes = std::vector<std::uint8_t>;
using words = std::vector<std::uint32_t>;

/// What the thread leaves in its bytes: the same random numbers as in the kernel.
void follow(unsigned t, unsigned threads, unsigned steps, unsigned seed, bytes& to, words& sums) {
    unsigned random = seed + 977 * t;
    for (unsigned step = 0; step < steps; ++step) {
        random = random * 1664525u + 1013904223u;
        const unsigned what = random >> 16 & 15;
        if (what < 8) {
            to[(random >> 8 & 15) * threads + t] = static_cast<std::uint8_t>(random >> 24);
        } else if (what == 13) {
            ++sums[random >> 24 & 7];
        }
    }
}

class written_back : public testing::TestWithParam<const char*> {
protected:
    /// `size`: of L1D.
    void build(unsigned size) {
        machine = std::make_unique<timed_machine>(
            configuration_of("g80", {std::string("smx.formation=") + GetParam(), "gpu.smx_count=2",
                                     "l1d.write_policy=back", "l1d.size=" + std::to_string(size)}));
    }
    void run(const std::function<void(device&)>& program) {
        machine->run_well([&](device& gpu) {
            gpu.load(kernels_of("write_back"));
            program(gpu);
        });
    }
    /// Random traffic of all threads; then another launch looks at what it left.
    static void mix(device& gpu, unsigned blocks, unsigned block, unsigned steps, unsigned seed) {
        const unsigned threads = blocks * block;
        const device_buffer<std::uint8_t> out(gpu, bytes(std::size_t{16} * threads), "bytes");
        const device_buffer<std::uint32_t> sums(gpu, words(8), "sums");
        const device_buffer<std::uint32_t> wrong(gpu, words(1), "wrong");
        launch(gpu, "mixed_bytes", {{blocks}, {block}}, out.get(), sums.get(), wrong.get(), steps,
               seed);
        launch(gpu, "count_bytes", {{blocks}, {block}}, out.get(), wrong.get());
        bytes expected(std::size_t{16} * threads);
        words counted(8);
        for (unsigned t = 0; t < threads; ++t) {
            follow(t, threads, steps, seed, expected, counted);
        }
        EXPECT_TRUE(out.read() == expected);
        EXPECT_EQ(sums.read(), counted);
        std::uint32_t sum = 0;
        for (const std::uint8_t byte : expected) sum += byte;
        EXPECT_EQ(wrong.read()[0], sum) << "of the bytes, and of those that were wrong";
    }
    [[nodiscard]] std::uint64_t both(const std::string& name) const {
        return machine->count("smx.0.l1d." + name) + machine->count("smx.1.l1d." + name);
    }

    std::unique_ptr<timed_machine> machine;
};

INSTANTIATE_TEST_SUITE_P(on, written_back, testing::Values("pdom", "nrec", "dwf", "mimd"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(written_back, two_smxs_write_neighbouring_bytes) {
    build(2048);
    run([&](device& gpu) { mix(gpu, 4, 96, 120, 1); });
    EXPECT_GT(both("write_backs"), both("lines_cleaned")) << "lines are evicted";
}

TEST_P(written_back, a_launch_sees_what_the_blocks_before_it_left) {
    build(65536);
    run([&](device& gpu) {
        for (unsigned seed = 1; seed <= 3; ++seed) mix(gpu, 2, 64, 60, seed);
    });
    EXPECT_EQ(both("evictions"), 0u);
    EXPECT_EQ(both("write_backs"), both("lines_cleaned"));
    EXPECT_GT(both("global_stores"), 2 * both("write_backs")) << "stores meet in L1D";
}

TEST_P(written_back, a_fence_passes_on_what_the_block_wrote_before_a_barrier) {
    build(65536);
    run([](device& gpu) {
        const device_buffer<std::uint32_t> data(gpu, words(128), "data");
        const device_buffer<std::uint32_t> flags(gpu, words(2), "flags");
        const device_buffer<std::uint32_t> wrong(gpu, words(1), "wrong");
        launch(gpu, "pass_on", {{2}, {128}}, data.get(), flags.get(), wrong.get(), 5u);
        EXPECT_EQ(wrong.read()[0], 0u);
    });
}

}  // namespace
}  // namespace heddle
