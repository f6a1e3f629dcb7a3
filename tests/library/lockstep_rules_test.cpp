// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Lock-step of a core behind the C interface: memory at its end, barriers, caches, and records that
// can't be.
#include <algorithm>

#include "tests/library/lockstep_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;

bool is_atomic(const heddle_retired& r) {
    return r.kind == HEDDLE_STEP && r.access == HEDDLE_ATOMIC;
}

heddle_retired& data_of(known_core& core, const heddle_retired& step, unsigned lane = 0) {
    return *core.of(step.warp, [&](const auto& r) {
        return is_data(r) && r.n == step.n && (r.lanes >> lane & 1) != 0;
    })[0];
}

/// Tells the core's words of the buffer in this order, and finishes.
heddle_status finish_with(const lockstep_of_test& machine, const std::vector<unsigned>& order,
                          const std::vector<std::uint32_t>& words) {
    for (const unsigned i : order) {
        EXPECT_GOOD(heddle_lockstep_memory(machine, machine.buffer() + 4 * i, &words[i], 4),
                    machine);
    }
    return heddle_lockstep_finish(machine);
}

TEST(lockstep_memory, what_no_kernel_has_written_is_compared) {
    known_core core("race", 1, 32);
    for (const unsigned wrong : {0U, 1U, 2U, 3U, 4U}) {
        for (const std::vector<unsigned>& order :
             {std::vector<unsigned>{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}}) {
            const lockstep_of_test machine("race", 1, 32, tells_drained());
            EXPECT_GOOD(machine.tell(core.told), machine);
            std::vector<std::uint32_t> words{1, 0, 0, 0, 0};
            words[wrong] = wrong == 4 ? 0 : 9;  // which is told in no order
            const heddle_status status = finish_with(machine, order, words);
            EXPECT_EQ(status, wrong == 4 ? HEDDLE_OK : HEDDLE_WRONG_RESULT) << wrong;
            if (wrong == 4) continue;
            char address[11];
            std::snprintf(address, sizeof address, "0x%08x", machine.buffer() + 4 * wrong);
            const std::string at = std::string("memory holds 0x00000009 at ") + address;
            EXPECT_THAT(heddle_error_text(machine), HasSubstr(at));
            EXPECT_THAT(heddle_error_text(machine),
                        HasSubstr(wrong == 0 ? "possible: 0x00000001, stored by"
                                             : "which no kernel has written; expected: 0x00000000"
                                               "\n  the address is "));
            EXPECT_THAT(heddle_error_text(machine), HasSubstr(wrong == 0 ? "" : "into 'words'"));
            EXPECT_EQ(heddle_lockstep_finish(machine), HEDDLE_WRONG_RESULT);
        }
    }
}

TEST(lockstep_memory, the_last_word_that_is_told_counts) {
    known_core core("race", 1, 32);
    const lockstep_of_test machine("race", 1, 32, tells_drained());
    EXPECT_GOOD(machine.tell(core.told), machine);
    const std::vector<std::uint32_t> first{9, 9, 9}, last{1, 0, 0};
    for (const auto& words : {first, last}) {
        EXPECT_GOOD(heddle_lockstep_memory(machine, machine.buffer(), words.data(), 12), machine);
    }
    EXPECT_GOOD(heddle_lockstep_finish(machine), machine);
}

TEST(lockstep_memory, the_host_writes_to_the_memory_of_the_core_as_well) {
    known_core core("race", 1, 32);
    const lockstep_of_test machine("race", 1, 32, tells_drained());
    machine.expect_accepted(core.told);
    std::uint32_t word = 0;
    EXPECT_GOOD(heddle_lockstep_memory(machine, machine.buffer() + 4, &word, 4), machine);
    word = 6;
    EXPECT_GOOD(heddle_write(machine, machine.buffer() + 4, &word, 4), machine);
    EXPECT_GOOD(heddle_lockstep_finish(machine), machine);
}

/// Behind the block's begin, the first arrival and the last one.
TEST(lockstep_rules, a_barrier_is_released_once_when_all_have_come) {
    known_core core("exchange", 1, 64);
    heddle_retired release{};
    release.kind = HEDDLE_BARRIER_RELEASE;
    release.warp_size = 32;
    release.launch = 1;
    const auto is_barrier = [](const heddle_retired& r) {
        return r.kind == HEDDLE_STEP && r.rd == 0 && (r.word & 0x7f) == 0x0b;
    };
    const heddle_retired* const ones[] = {core.of(0, is_barrier)[0], core.of(1, is_barrier)[0]};
    const heddle_retired* const first = std::min(ones[0], ones[1]);
    const heddle_retired* const last = std::max(ones[0], ones[1]);
    const heddle_retired* const places[] = {&core.told[0], first, last, last};
    const char* const reached[] = {"0 of 64", "32 of 64", nullptr, "0 of 64"};
    for (const unsigned place : {0U, 1U, 2U, 3U}) {
        records told = core.told;
        release.cycle = places[place]->cycle;
        release.smx = places[place]->smx;
        told.insert(told.begin() + (places[place] - core.told.data()) + 1, place == 3 ? 2 : 1,
                    release);
        told[0].size = sizeof told[0];
        const lockstep_of_test machine("exchange", 1, 64, tells_drained());
        if (reached[place] == nullptr) {
            machine.expect_accepted(told);
            continue;
        }
        EXPECT_EQ(machine.tell(told), HEDDLE_WRONG_RESULT);
        EXPECT_THAT(machine.difference().text, HasSubstr(std::string("that ") + reached[place]));
    }
}

TEST(lockstep_rules, values_are_of_their_lanes_and_of_the_register_of_the_step) {
    for (const bool of_rd : {false, true}) {
        known_core core("gather", 1, 32);
        const heddle_retired* const load =
            core.of(0, [](const auto& r) { return is_load(r) && r.rd != 0; })[0];
        heddle_retired& data = data_of(core, *load);
        EXPECT_EQ(data.rd, load->rd);
        if (of_rd) {
            data.rd ^= 1;
        } else {
            data.known &= ~std::uint64_t{1};
        }
        const lockstep_of_test machine("gather", 1, 32, tells_drained());
        EXPECT_EQ(machine.tell(core.told), HEDDLE_USAGE);
        EXPECT_THAT(heddle_error_text(machine),
                    HasSubstr(of_rd ? "; legal: 0, or " : "lacks lane 0; legal: as 'lanes'"));
        data.rd = 0;
        data.known = data.lanes;
        const records rest(core.told.begin() + (&data - core.told.data()), core.told.end());
        machine.expect_accepted(rest);
    }
}

/// Two blocks in one place, one after the other. The two atomics of the second one are under way
/// together; if `lost`, both find 0.
records two_blocks(bool lost) {
    known_core core("count_shared", 1, 64);
    records all = core.told, parts[2], end;
    for (heddle_retired& r : core.told) {
        const heddle_retired* const atomic = core.of(r.warp, is_atomic)[0];
        const heddle_retired* const data = &data_of(core, *atomic);
        const bool of_block = r.kind == HEDDLE_BLOCK_BEGIN || r.kind == HEDDLE_BLOCK_END;
        heddle_retired changed = r;
        changed.block = 1;
        changed.value[0] = lost && &r == data ? 0 : r.value[0];
        const bool stores_found = is_store(r) && r.n > atomic->n;
        changed.data[0] = lost && stores_found ? 0 : r.data[0];
        if (!of_block && &r >= data) {
            parts[r.warp].push_back(changed);
        } else {
            (r.kind == HEDDLE_BLOCK_END ? end : all).push_back(changed);
        }
    }
    for (const records& each : {parts[0], parts[1], end}) {
        all.insert(all.end(), each.begin(), each.end());
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].cycle = i;
        all[i].issued = 0;
    }
    return all;
}

TEST(lockstep_rules, what_a_block_leaves_in_shared_memory_is_not_the_next_ones) {
    for (const bool lost : {false, true}) {
        const lockstep_of_test machine("count_shared", 2, 64, tells_drained());
        const records told = two_blocks(lost);
        if (!lost) {
            machine.expect_accepted(told);
            continue;
        }
        EXPECT_EQ(machine.tell(told), HEDDLE_WRONG_RESULT);
        EXPECT_THAT(machine.difference().text, HasSubstr("one was lost or executed twice"));
        EXPECT_EQ(machine.difference().block, 1U);
    }
}

/// The value of a lane of the load from both memories, in the second warp, is 0.
heddle_status with_old_value(const char* kernel, bool stale_loads, unsigned lane) {
    known_core core(kernel, 1, 64);
    const auto loads = core.of(1, [](const auto& r) {
        return is_load(r) && (r.address[0] >> 28 == 1) != (r.address[1] >> 28 == 1);
    });
    heddle_retired& data = data_of(core, *loads[0], lane);
    EXPECT_EQ(data.value[lane], 7U);
    data.value[lane] = 0;
    heddle_lockstep_options options = tells_drained();
    options.stale_loads = stale_loads ? 1 : 0;
    const lockstep_of_test machine(kernel, 1, 64, options);
    return machine.tell(core.told);
}

TEST(lockstep_rules, old_values_come_from_the_cache_of_global_memory_only) {
    const char* const kernels[] = {"even_lanes_of_shared", "odd_lanes_of_shared"};
    for (const unsigned of_shared : {0U, 1U}) {
        const char* const kernel = kernels[of_shared];
        const unsigned of_global = 1 - of_shared;
        EXPECT_EQ(with_old_value(kernel, true, of_shared), HEDDLE_WRONG_RESULT) << kernel;
        EXPECT_EQ(with_old_value(kernel, true, of_global), HEDDLE_OK) << kernel;
        EXPECT_EQ(with_old_value(kernel, false, of_global), HEDDLE_WRONG_RESULT) << kernel;
    }
}

/// A fault that is no access.
TEST(lockstep_rules, a_jump_to_nowhere_has_a_place) {
    for (const bool told : {true, false}) {
        known_core core("jump_away", 1, 32, /*faults=*/true);
        const lockstep_of_test machine("jump_away", 1, 32);
        const auto is_step = [](const auto& r) { return r.kind == HEDDLE_STEP && r.n != 0; };
        const heddle_retired last = *core.of(0, is_step).back();
        core.told.erase(std::remove_if(core.told.begin(), core.told.end(),
                                       [](const auto& r) { return r.kind == HEDDLE_BLOCK_END; }),
                        core.told.end());
        EXPECT_GOOD(machine.tell(core.told), machine);
        heddle_retired jump{};
        jump.size = sizeof jump;
        jump.cycle = core.told.back().cycle + 1;
        jump.warp_size = 32;
        jump.smx = last.smx;
        jump.launch = last.launch;
        jump.lanes = last.lanes;
        jump.n = last.n + 1;
        jump.pc = last.pc + 4;
        jump.fault = told ? 1 : 0;
        EXPECT_GOOD(heddle_lockstep_fetch(machine, 1, jump.pc, &jump.word, 1), machine);
        EXPECT_EQ(machine.tell({jump}), told ? HEDDLE_KERNEL_FAULT : HEDDLE_WRONG_RESULT);
        EXPECT_THAT(heddle_error_text(machine),
                    HasSubstr(told ? "jump to 0x" : "reports no fault; expected: jump to 0x"));
        EXPECT_EQ(machine.difference().has_place, 1);
        EXPECT_EQ(machine.difference().pc, jump.pc);
    }
}

TEST(lockstep_rules, behind_a_difference_nothing_is_taken) {
    known_core core("race", 1, 32);
    core.of(0, is_store)[0]->data[0] = 8;
    const lockstep_of_test machine("race", 1, 32, tells_drained());
    std::size_t taken = 0;
    EXPECT_EQ(heddle_lockstep_step(machine, core.told.data(), core.told.size(), &taken),
              HEDDLE_WRONG_RESULT);
    EXPECT_EQ(taken, static_cast<std::size_t>(core.of(0, is_store)[0] - core.told.data()) + 1);
    EXPECT_EQ(heddle_lockstep_step(machine, core.told.data(), core.told.size(), &taken),
              HEDDLE_WRONG_RESULT);
    EXPECT_EQ(taken, 0U);
}

}  // namespace
}  // namespace heddle
