// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Loads go to the constant cache by their code, whatever lanes are active and want.
#include <sstream>

#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using words = std::vector<std::uint32_t>;
using testing::Each;

constexpr unsigned warp = 32;

/// gk110 with global data in L1D.
gpu_configuration machine_of(const settings& changes = {}) {
    settings all{"l1d.cache_global=true"};
    all.insert(all.end(), changes.begin(), changes.end());
    return configuration_of("gk110", all);
}

struct run_result {
    std::uint64_t cycles = 0, accesses = 0, l1d = 0, constants = 0, constants_busy = 0, all = 0;
};

/// A run in a process of its own, with a machine of its own.
run_result run_of(const gpu_configuration& configuration,
                  const std::function<void(device&)>& program) {
    const process_result child = run_in_child([&](std::string& output) {
        timed_machine machine(configuration);
        machine.run_well([&](device& gpu) {
            gpu.load(kernels_of("constants"));
            program(gpu);
        });
        const statistics values = machine.collected();
        for (const char* const name :
             {"gpu.cycles", "gpu.constant_cache_accesses", "gpu.l1d_accesses",
              "gpu.issue_slots.constants", "gpu.issue_slots.constants_busy"}) {
            output += std::to_string(std::get<std::uint64_t>(values.find(name)->value)) + " ";
        }
        std::uint64_t sum = 0;
        for (const statistic& s : values.entries()) {
            if (s.name.rfind("gpu.issue_slots.", 0) == 0) sum += std::get<std::uint64_t>(s.value);
        }
        output += std::to_string(sum);
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(child.exit_code, 0) << child.output;
    run_result r;
    std::istringstream(child.output) >> r.cycles >> r.accesses >> r.l1d >> r.constants >>
        r.constants_busy >> r.all;
    return r;
}

run_result rows(const gpu_configuration& configuration, unsigned lanes) {
    constexpr unsigned turns = 256;
    return run_of(configuration, [&](device& gpu) {
        const device_buffer<std::uint32_t> out(gpu, warp, "out");
        launch(gpu, "rows", {{1}, {warp}}, lanes, turns, out.get());
        words expected(warp);
        for (unsigned t = 0; t < lanes; ++t) {
            for (unsigned i = 0; i < turns; ++i) expected[t] += (i * 32 + t * 8) % 2048;
        }
        EXPECT_EQ(out.read(), expected);
    });
}

TEST(constants, a_lane_that_is_alone_reads_where_all_read) {
    const run_result one = rows(machine_of(), 1);
    const run_result two = rows(machine_of(), 2);
    const run_result all = rows(machine_of(), warp);
    EXPECT_LE(one.cycles, two.cycles);
    EXPECT_LE(one.accesses, 4U) << "the parameters";
    EXPECT_EQ(one.accesses, all.accesses);
    EXPECT_GE(one.l1d, 256U);
    // A larger L1D may only help.
    EXPECT_LE(rows(machine_of({"l1d.size=65536"}), 1).cycles, one.cycles);
}

run_result gather(const gpu_configuration& configuration, unsigned stride, unsigned blocks = 1) {
    constexpr unsigned turns = 32;
    return run_of(configuration, [&](device& gpu) {
        const device_buffer<std::uint32_t> out(gpu, warp, "out");
        launch(gpu, "gather", {{blocks}, {warp}}, turns, stride, out.get());
        words expected(warp);
        for (unsigned t = 0; t < warp; ++t) {
            for (unsigned i = 0; i < turns; ++i) expected[t] += (i + t * stride) % 64;
        }
        EXPECT_EQ(out.read(), expected);
    });
}

TEST(constants, an_index_of_each_lane_takes_a_turn_for_each_word) {
    const run_result same = gather(machine_of(), 0);
    const run_result four = gather(machine_of(), 16);
    const run_result apart = gather(machine_of(), 1);
    EXPECT_EQ(four.accesses - same.accesses, 32U * 3);
    EXPECT_EQ(apart.accesses - same.accesses, 32U * 31);
    EXPECT_EQ(apart.l1d, same.l1d) << "none of them is a load of global memory";
    EXPECT_GE(apart.cycles, same.cycles + 32 * 31);
}

/// Turns of lanes, misses under way, and warps that find no port: all count for constants.
TEST(constants, have_their_own_parts_of_the_cpi_stack) {
    const gpu_configuration one_smx = machine_of({"gpu.smx_count=1", "constant_cache.ports=1"});
    const run_result same = gather(one_smx, 0);
    const run_result apart = gather(one_smx, 1);
    EXPECT_GE(apart.constants, same.constants + 32 * 25) << "the turns of lanes";
    EXPECT_EQ(apart.all, apart.cycles * one_smx.smx.schedulers);
    const run_result slow =
        gather(machine_of({"gpu.smx_count=1", "l2.hit_latency=500", "constant_cache.ports=1"}), 0);
    EXPECT_GE(slow.constants, same.constants + 400) << "the miss";
    const run_result many = gather(one_smx, 1, 16);
    EXPECT_GT(many.constants_busy, 0U);
    EXPECT_EQ(many.all, many.cycles * one_smx.smx.schedulers);
    const run_result none = gather(machine_of({"constant_cache.size=0"}), 0);
    EXPECT_EQ(none.constants + none.constants_busy, 0U) << "without the cache it is memory";
}

TEST(constants, are_right_by_pointers_and_where_an_index_leaves_them) {
    for (const char* const formation : {"pdom", "dwf", "mimd"}) {
        SCOPED_TRACE(formation);
        const gpu_configuration configuration =
            configuration_of("g80", {std::string("smx.formation=") + formation});
        const run_result found = run_of(configuration, [&](device& gpu) {
            const device_buffer<std::uint32_t> pointer(gpu, 1, "pointer");
            words data(warp);
            for (unsigned i = 0; i < warp; ++i) data[i] = 1000 + i;
            const device_buffer<std::uint32_t> elsewhere(gpu, data, "elsewhere");
            const device_buffer<std::uint32_t> out(gpu, warp, "out");
            launch(gpu, "by_pointer", {{1}, {warp}}, pointer.get(), out.get());
            words expected(warp);
            for (unsigned i = 0; i < warp; ++i) expected[i] = i;
            EXPECT_EQ(out.read(), expected);
            launch(gpu, "leaves", {{1}, {warp}}, elsewhere.get(), out.get());
            for (unsigned i = 0; i < warp; ++i) expected[i] = i % 2 == 0 ? i / 4 : 1000 + i;
            EXPECT_EQ(out.read(), expected);
        });
        EXPECT_GT(found.accesses, 0U);
    }
}

}  // namespace
}  // namespace heddle
