// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"

namespace heddle {

/// What the definitions of the selection policies say, carried out word by word: every cycle all
/// warps are sorted. No masks and no state beside the last issue, to have nothing in common with
/// the scheduler.
class reference_scheduler {
public:
    reference_scheduler(selection_policy policy, unsigned index, unsigned schedulers)
        : policy_(policy), index_(index), schedulers_(schedulers) {}

    void start(unsigned slot, std::uint64_t cycle) {
        end(slot);
        warps_.push_back({slot, cycle, ++names_});
    }
    void end(unsigned slot) {
        warps_.erase(std::remove_if(warps_.begin(), warps_.end(),
                                    [slot](const warp& w) { return w.slot == slot; }),
                     warps_.end());
    }
    /// The slot that issues in this cycle, by one answer per slot.
    std::optional<unsigned> select(const std::vector<bool>& issuable) {
        std::vector<warp> candidates;
        for (const warp& w : warps_) {
            if (w.slot % schedulers_ == index_ && issuable.at(w.slot)) {
                candidates.push_back(w);
            }
        }
        if (candidates.empty()) {
            return std::nullopt;
        }
        std::sort(candidates.begin(), candidates.end(),
                  [this](const warp& a, const warp& b) { return before(a, b); });
        const warp& chosen = candidates.front();
        switches_ += last_name_ != 0 && chosen.name != last_name_ ? 1 : 0;
        ++issues_;
        last_slot_ = chosen.slot;
        last_name_ = chosen.name;
        return chosen.slot;
    }
    [[nodiscard]] std::uint64_t issues() const { return issues_; }
    [[nodiscard]] std::uint64_t switches() const { return switches_; }

private:
    struct warp {
        unsigned slot;
        std::uint64_t start;
        std::uint64_t name;  ///< never used again
    };

    [[nodiscard]] bool before(const warp& a, const warp& b) const {
        switch (policy_) {
            case selection_policy::lrr:
                return distance(a) < distance(b);
            case selection_policy::gto:
                return std::make_tuple(a.name != last_name_, a.start, a.slot) <
                       std::make_tuple(b.name != last_name_, b.start, b.slot);
        }
        throw std::logic_error("the reference does not know this policy");
    }
    /// Steps from the slot that issued last, cyclically; that slot itself comes last.
    [[nodiscard]] unsigned distance(const warp& w) const { return (w.slot + 63 - last_slot_) % 64; }

    selection_policy policy_;
    unsigned index_, schedulers_;
    std::vector<warp> warps_;
    unsigned last_slot_ = 63;
    std::uint64_t last_name_ = 0;
    std::uint64_t names_ = 0;
    std::uint64_t issues_ = 0, switches_ = 0;
};

}  // namespace heddle
