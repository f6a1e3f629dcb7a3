// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "hw/smx/warp_scheduler/selection_policies.h"

namespace heddle {

constexpr unsigned none = 99;

inline std::uint64_t slots_of(std::initializer_list<unsigned> slots) {
    std::uint64_t mask = 0;
    for (const unsigned slot : slots) mask |= std::uint64_t{1} << slot;
    return mask;
}

/// The selection of a scheduler, driven cycle by cycle; by default it owns all slots.
struct selection_fixture {
    std::unique_ptr<warp_selection> part;
    selection_inputs in;  ///< what stays from cycle to cycle: resident, memory, long_latency
    std::uint64_t declined = 0;

    explicit selection_fixture(const warp_scheduler_configuration& configuration,
                               std::uint64_t own = ~std::uint64_t{0})
        : part(make_warp_selection({configuration, own})) {}
    explicit selection_fixture(selection_policy policy, std::uint64_t own = ~std::uint64_t{0})
        : selection_fixture(configured(policy), own) {}

    static warp_scheduler_configuration configured(selection_policy policy) {
        warp_scheduler_configuration configuration;
        configuration.scheduler = policy;
        return configuration;
    }

    unsigned cycle(std::uint64_t issuable, std::uint64_t started = 0, std::uint64_t ended = 0) {
        in.resident = (in.resident & ~ended) | started;
        in.ready = in.issuable = issuable;
        in.started = started;
        const warp_selection::outputs got = part->decide(in);
        part->clock_edge();
        ++in.cycle;
        in.memory_done = in.lost_locality = 0;
        if (!got.valid) {
            declined += issuable != 0 ? 1 : 0;
            return none;
        }
        EXPECT_NE(issuable >> got.warp & 1, 0U) << "issues warp " << unsigned{got.warp};
        return got.warp;
    }
    unsigned start(std::initializer_list<unsigned> slots) { return cycle(0, slots_of(slots)); }
    unsigned end(std::initializer_list<unsigned> slots) { return cycle(0, 0, slots_of(slots)); }
    /// Loads or stores complete, one warp after the other.
    void complete(std::initializer_list<unsigned> slots) {
        for (const unsigned slot : slots) {
            in.memory_done = slots_of({slot});
            cycle(0);
        }
    }
    std::vector<unsigned> cycles(const std::vector<std::uint64_t>& issuable) {
        std::vector<unsigned> order;
        for (const std::uint64_t mask : issuable) order.push_back(cycle(mask));
        return order;
    }
};

}  // namespace heddle
