// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "hw/axi/manager_core.h"
#include "hw/axi/rule_checker.h"
#include "hw/axi/subordinate_core.h"
#include "models/base/random.h"

namespace heddle::axi {

/// A transaction with its own bytes.
struct test_access {
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data, enables, expected;

    test_access(bool write, std::uint64_t address, std::size_t bytes) : data(bytes) {
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(data.data());
        payload.set_data_length(static_cast<unsigned>(bytes));
        payload.set_streaming_width(static_cast<unsigned>(bytes));
    }
    void enable(const std::vector<bool>& which) {
        for (const bool each : which) enables.push_back(each ? 0xff : 0);
        payload.set_byte_enable_ptr(enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    }
};

/// Manager and subordinate back to back, with a checker, over a memory that answers after random
/// times and in any order that keeps accesses to the same bytes apart.
class core_pair {
public:
    static constexpr std::size_t bytes = 3 * boundary;

    core_pair(const manager_settings& m, const subordinate_settings& s, double stalls,
              std::uint64_t seed)
        : manager(m),
          subordinate(s),
          memory(bytes),
          checker({m.bus_bytes, m.ids, 0},
                  [](rule, const std::string& text) { ADD_FAILURE() << text; }),
          random(seed, "pair"),
          stalls_(stalls) {}

    void clock() {
        const manager_side m = manager.outputs();
        const subordinate_side s = subordinate.outputs();
        checker.clock(m, s);
        manager.clock(s, holds());
        subordinate.clock(m, holds());
        serve();
        ++clocks;
    }
    /// Until all transactions of the manager are answered.
    void drain() {
        for (unsigned i = 0; manager.open() != 0; ++i) {
            ASSERT_LT(i, 100'000U) << "nothing moves";
            clock();
        }
    }

    manager_core manager;
    subordinate_core subordinate;
    std::vector<std::uint8_t> memory;
    rule_checker checker;
    random_stream random;
    bool at_once = false;  ///< the memory answers in the clock of the request
    std::uint64_t clocks = 0;
    std::uint64_t passed = 0;  ///< answers before those of older accesses

private:
    held_channels holds() {
        const auto held = [&] { return random.chance(stalls_); };
        return {held(), held(), held(), held(), held()};
    }
    void serve() {
        for (subordinate_core::index at = 0; subordinate.next(at);) waiting_.push_back(at);
        if (at_once) {
            while (!waiting_.empty()) perform(0);
        } else if (!waiting_.empty() && random.chance(0.3)) {
            const std::size_t chosen = random.below(waiting_.size());
            if (!has_to_wait(chosen)) perform(chosen);
        }
    }
    [[nodiscard]] bool has_to_wait(std::size_t chosen) const {
        const auto& a = subordinate[waiting_[chosen]];
        for (std::size_t i = 0; i < chosen; ++i) {
            const auto& b = subordinate[waiting_[i]];
            if ((a.write || b.write) && a.address < b.address + b.bytes &&
                b.address < a.address + a.bytes) {
                return true;
            }
        }
        return false;
    }
    void perform(std::size_t chosen) {
        const subordinate_core::index at = waiting_[chosen];
        passed += chosen != 0 ? 1 : 0;
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
        const subordinate_core::access& a = subordinate[at];
        if (a.address + a.bytes > bytes) {
            subordinate.answered(at, response::decerr);
            return;
        }
        for (std::uint32_t i = 0; i < a.bytes; ++i) {
            if (!a.write) {
                a.data[i] = memory[a.address + i];
            } else if (a.enables == nullptr || a.enables[i] != 0) {
                memory[a.address + i] = a.data[i];
            }
        }
        subordinate.answered(at, response::okay);
    }

    const double stalls_;
    std::vector<subordinate_core::index> waiting_;
};

}  // namespace heddle::axi
