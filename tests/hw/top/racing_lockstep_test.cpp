// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the lock-step check makes of threads that race: what the machine may do is no difference,
// and a value that is too old is one.
#include <gmock/gmock.h>

#include <map>

#include "hw/top/lockstep_check.h"
#include "hw/top/simulation.h"
#include "models/iss/lockstep.h"
#include "models/program/address_map.h"
#include "tests/hw/top/machine_case.h"
#include "tests/hw/top/saboteur.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

/// A kernel of race_kernel.cpp.
struct race {
    const char* kernel;
    unsigned blocks, threads, words;
};

void launch_race(device& gpu, const race& of, unsigned rounds) {
    gpu.load(kernels_of("race"));
    words start(of.words);
    for (unsigned i = 0; i < start.size(); ++i) start[i] = 37 * i % 251;
    const device_buffer<std::uint32_t> word(gpu, start, "word");
    const device_buffer<std::uint32_t> out(gpu, of.blocks * of.threads, "out");
    launch(gpu, of.kernel, {{of.blocks}, {of.threads}}, rounds, of.words, word.get(), out.get());
    gpu.synchronize();
}

class mimd_race : public testing::TestWithParam<race> {};
INSTANTIATE_TEST_SUITE_P(of, mimd_race,
                         testing::Values(race{"lower_words", 1, 64, 512},
                                         race{"lower_words", 8, 96, 512},
                                         race{"lower_words", 8, 96, 1024},
                                         race{"lower_words", 3, 96, 256},
                                         race{"count_up", 2, 96, 64}),
                         [](const auto& info) {
                             const race& r = info.param;
                             return std::string(r.kernel) + "_" + std::to_string(r.blocks) + "_" +
                                    std::to_string(r.threads) + "_" + std::to_string(r.words);
                         });

TEST_P(mimd_race, loads_may_pass_atomics_of_their_turn) {
    timed_machine machine(configuration_of("g80", {"smx.formation=mimd"}));
    machine.run_well([](device& gpu) { launch_race(gpu, GetParam(), 100); });
    EXPECT_GT(machine.check_counts().racing_values, 0U);
    EXPECT_EQ(machine.check_counts().instructions, machine.count("gpu.warp_instructions"));
}

/// Threads go on when their own data has come, others of their instruction still wait.
class apart : public testing::TestWithParam<machine_case> {};
INSTANTIATE_TEST_SUITE_P(
    on, apart,
    testing::Values(
        machine_case{"mimd", "g80", {"smx.formation=mimd"}},
        machine_case{"mimd_of_tiny", "tiny", {"smx.schedulers=1", "smx.formation=mimd"}},
        machine_case{"dwf", "g80", {"smx.formation=dwf", "dwf.individual_return=true"}}),
    name_of);

TEST_P(apart, threads_of_one_access_go_on_one_by_one) {
    timed_machine machine(configuration_of(GetParam().configuration, GetParam().changes));
    machine.run_well([](device& gpu) { launch_race(gpu, {"count_apart", 2, 384, 8192}, 40); });
}

/// One SMX, whose loads may give what was there long ago.
class too_old : public testing::TestWithParam<machine_case> {
protected:
    /// Runs `count_up`. Once a word has been loaded `loads` times, a load gives what the first one
    /// has given.
    error_kind run(unsigned loads) {
        lies_.change_access = [this](auto& issued, auto& access) {
            const bool is_load = issued.instruction->cls == isa::instruction_class::load;
            const bool global =
                program::heap_window.contains(access.address[bits::first(issued.lanes)]);
            if (!is_load || !global || issued.instruction->bypasses_l1()) return;
            words& addresses = loads_[{issued.warp, issued.number}];
            addresses.assign(access.address, access.address + protocol::maximum_lanes);
        };
        lies_.change_loaded = [this, loads](saboteur::lane_values& of) {
            const auto load = loads_.find({of.warp, of.number});
            if (load == loads_.end()) return;
            bits::for_each(of.lanes, [&](unsigned lane) {
                words& seen = seen_[load->second[lane]];
                seen.push_back(of.values[lane]);
                if (seen.size() != loads || lied_) return;
                of.values[lane] = seen.front();
                lied_ = true;
            });
        };
        observe_first_smx(simulated_, lies_);
        return simulated_.run(
            [](device& gpu) {
                launch_race(gpu, {"count_up", 1, 96, 16}, 40);
            },
            {5'000'000});
    }

    const gpu_configuration configuration_ =
        configuration_of(GetParam().configuration, GetParam().changes);
    simulation simulated_{configuration_, gpu_options{}};
    lockstep_check check_{simulated_, configuration_};
    saboteur lies_{check_.observer(0)};
    std::map<std::pair<unsigned, issue_number>, words> loads_;  ///< by warp and number
    std::map<std::uint32_t, words> seen_;                       ///< by address
    bool lied_ = false;
};
INSTANTIATE_TEST_SUITE_P(
    on, too_old,
    testing::Values(machine_case{"pdom", "tiny", {"gpu.smx_count=1"}},
                    machine_case{"nrec", "g80", {"gpu.smx_count=1", "smx.formation=nrec"}},
                    machine_case{"mimd", "g80", {"gpu.smx_count=1", "smx.formation=mimd"}},
                    machine_case{"mimd_of_tiny",
                                 "tiny",
                                 {"gpu.smx_count=1", "smx.schedulers=1", "smx.formation=mimd"}},
                    machine_case{"dwf", "g80", {"gpu.smx_count=1", "smx.formation=dwf"}}),
    name_of);

TEST_P(too_old, is_a_difference) {
    EXPECT_EQ(run(100), error_kind::wrong_result);
    EXPECT_TRUE(lied_);
    EXPECT_THAT(simulated_.status().text(),
                AllOf(HasSubstr("difference from the functional simulator"),
                      ContainsRegex("gets 0x000000.. from 0x4.*; possible: 0x000000")));
}

TEST_P(too_old, is_nothing_without_a_lie) {
    EXPECT_EQ(run(~0U), error_kind::none) << simulated_.status().text();
    EXPECT_GT(seen_.begin()->second.size(), 100U);
}

}  // namespace
}  // namespace heddle
