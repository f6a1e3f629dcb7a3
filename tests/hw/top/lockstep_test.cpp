// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the lock-step check finds: a machine whose memory is changed behind its back, and one that
// seems to execute something else. That it finds nothing on a good machine is tested by every test
// on timed_machine.
#include <gmock/gmock.h>

#include <array>

#include "hw/top/gpu.h"
#include "hw/top/lockstep_check.h"
#include "hw/top/simulation.h"
#include "models/program/address_map.h"
#include "models/workloads/registry.h"
#include "tests/hw/top/machine_fixture.h"
#include "tests/hw/top/saboteur.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A workload on the tiny machine with one SMX, whose check is lied to.
class lockstep : public testing::Test {
protected:
    explicit lockstep(const settings& changes = {"gpu.smx_count=1"})
        : configuration(configuration_of("tiny", changes)),
          simulated(configuration, gpu_options{}),
          check(simulated, configuration),
          lies(check.observer(0)) {
        observe_first_smx(simulated, lies);
    }
    error_kind run(const char* workload, std::map<std::string, std::string> options = {}) {
        const auto program = [&](device& gpu) {
            workloads::workload_options chosen;
            chosen.values = std::move(options);
            workloads::run_workload(workloads::find_workload(workload), gpu, chosen);
        };
        return simulated.run(program, {5'000'000});
    }
    void expect_found(const char* workload, const std::map<std::string, std::string>& options,
                      const testing::Matcher<std::string>& text) {
        EXPECT_EQ(run(workload, options), error_kind::wrong_result);
        EXPECT_THAT(simulated.status().text(),
                    AllOf(HasSubstr("difference from the functional simulator"), text));
    }
    /// The word at an address becomes another one, as if memory had lost a store.
    void corrupt(std::uint32_t address) {
        host& by = simulated.machine().host_processor();
        std::uint32_t word = 0;
        auto* const bytes = reinterpret_cast<std::uint8_t*>(&word);
        by.copy(tlm::TLM_READ_COMMAND, address, bytes, sizeof word);
        word ^= 0x10;
        by.copy(tlm::TLM_WRITE_COMMAND, address, bytes, sizeof word);
    }

    const std::map<std::string, std::string> small{{"n", "1000"}};
    gpu_configuration configuration;
    simulation simulated;
    lockstep_check check;
    saboteur lies;
    unsigned events = 0;
};

TEST_F(lockstep, finds_nothing_on_a_good_machine) {
    EXPECT_EQ(run("saxpy", small), error_kind::none) << simulated.status().text();
    EXPECT_GT(check.counts().instructions, 500U);
    EXPECT_GT(check.counts().loaded_values, 2000U);
    EXPECT_EQ(check.counts().racing_values, 0U);
    EXPECT_EQ(check.counts().shared_races, 0U);
}

TEST_F(lockstep, finds_a_store_that_memory_has_lost) {
    std::uint32_t address = 0;
    lies.change_access = [&](auto& issued, auto& access) {
        if (issued.instruction->op == isa::opcode::sw) address = access.address[3];
    };
    lies.ends_of_block = [&] {
        if (++events == 4) corrupt(address);  // the last block: nobody loads it any more
        return 1;
    };
    expect_found("saxpy", small,
                 AllOf(HasSubstr("after launch 1 memory holds 0x"), HasSubstr("stored by 'sw a1"),
                       HasSubstr("kernel 'saxpy', block (3,0,0), thread (")));
}

TEST_F(lockstep, finds_memory_that_gives_other_bytes) {
    configuration.machine.smx.max_blocks = 1;
    lies.ends_of_block = [&] {
        if (++events == 1) {
            for (std::uint32_t at = 0x40000000; at < 0x40001000; at += 4) corrupt(at);
        }
        return 1;
    };
    // Later blocks load what earlier ones have not seen: inputs that nobody has written since.
    expect_found("transpose", {{"rows", "64"}, {"columns", "256"}},
                 AllOf(HasSubstr("gets 0x"), HasSubstr("; possible: 0x")));
}

TEST_F(lockstep, finds_a_lane_that_is_left_out) {
    lies.change_issue = [&](issued_instruction& i) {
        if (++events == 50) i.lanes &= i.lanes - 1;
    };
    expect_found("divergence", {{"n", "128"}, {"case", "nested_branches"}},
                 HasSubstr("has the active lanes 0x"));
}

TEST_F(lockstep, finds_another_path) {
    lies.change_issue = [&](issued_instruction& i) {
        if (++events == 50) i.pc += 4;
    };
    expect_found("saxpy", small, HasSubstr("; expected: 0x0001"));
}

TEST_F(lockstep, finds_swapped_operands) {
    lies.change_access = [&](auto& issued, auto& access) {
        if (issued.instruction->op == isa::opcode::sw) std::swap(access.data, access.address);
    };
    expect_found("saxpy", small, HasSubstr("has the address 0x"));
}

TEST_F(lockstep, finds_a_wrong_value_from_shared_memory) {
    lies.change_access = [&](auto& issued, auto& access) {
        const bool shared = access.address[0] >> 28 == 1;
        if (shared && issued.instruction->cls == isa::instruction_class::load) events = 1;
    };
    lies.change_values = [&](auto& values) {
        if (events == 1) values[0] ^= 1;
        return true;
    };
    expect_found("matrix", {{"variant", "tiled"}, {"rows", "16"}}, HasSubstr(" from 0x1"));
}

TEST_F(lockstep, finds_a_result_that_is_used_too_early) {
    lies.tells_completion = [&] { return ++events < 5; };
    expect_found("saxpy", small, HasSubstr("whose load has not completed"));
}

TEST_F(lockstep, finds_lanes_that_get_nothing) {
    lies.change_values = [&](auto&) { return ++events != 5; };
    expect_found("saxpy", small, HasSubstr("completes without a value"));
}

TEST_F(lockstep, finds_an_atomic_that_is_lost) {
    // Everything falls into one bin: the lanes of a warp find consecutive counts.
    lies.change_values = [&](auto& values) {
        if (values[1] == values[0] + 1 && ++events == 3) values[1] = values[0];
        return true;
    };
    expect_found(
        "histogram", {{"n", "1000"}, {"variant", "global"}, {"skew", "100"}},
        testing::AnyOf(HasSubstr("one was lost or executed twice"), HasSubstr("; possible: 0x")));
}

TEST_F(lockstep, finds_a_block_that_ends_twice) {
    lies.ends_of_block = [] { return 2; };
    expect_found("saxpy", small, HasSubstr("which is free"));
}

/// With threads of several warps in one instruction.
class regrouped_lockstep : public lockstep {
protected:
    regrouped_lockstep()
        : lockstep({"gpu.smx_count=1", "smx.formation=dwf", "smx.schedulers=1",
                    "dwf.home_lanes=pipeline"}) {}

    const std::map<std::string, std::string> locks{
        {"version", "lock"}, {"block", "128"}, {"blocks", "1"}, {"rounds", "1"}};
};

TEST_F(regrouped_lockstep, shared_atomics_go_by_the_lanes_of_the_pipeline) {
    unsigned regrouped = 0;
    lies.change_access = [&](auto& issued, auto& access) {
        if (!issued.more_warps || issued.instruction->cls != isa::instruction_class::atomic) return;
        const std::uint32_t address = access.address[bits::first(issued.lanes)];
        if (program::shared_window.contains(address)) ++regrouped;
    };
    EXPECT_EQ(run("it", locks), error_kind::none) << simulated.status().text();
    EXPECT_GT(regrouped, 10U);
}

TEST_F(regrouped_lockstep, finds_shared_atomics_in_another_order) {
    std::array<std::uint8_t, protocol::maximum_lanes> reversed{};
    lies.change_access = [&](auto& issued, auto&) {
        if (issued.pipeline_lanes == nullptr) return;
        bits::for_each(issued.lanes, [&](unsigned lane) {
            reversed[lane] = static_cast<std::uint8_t>(31 - issued.pipeline_lanes[lane]);
        });
        issued.pipeline_lanes = reversed.data();
    };
    expect_found("it", locks, AllOf(HasSubstr(" from 0x1"), HasSubstr("; expected: 0x")));
}

}  // namespace
}  // namespace heddle
