// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/warp_scheduler/greedy_then_oldest.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/bits.h"

namespace heddle {

/// Keys `ccws.`. The defaults are those of Rogers, O'Connor, Aamodt 2012, table 2, as far as it has
/// them.
struct ccws_configuration {
    std::uint32_t base_score = 100;
    std::uint32_t throttle = 8;
    std::uint32_t victim_tags = 16;
    std::uint32_t victim_ways = 8;

    void declare(parameter_list& p) {
        p.add("ccws.base_score", base_score, range(1, 65535), "",
              "Score that ccws gives to a warp without lost locality");
        p.add("ccws.throttle", throttle, range(0, 65535), "",
              "Factor of the score of ccws: a larger one lets lost locality hold back more warps");
        p.add("ccws.victim_tags", victim_tags, range(1, 4096), "tag",
              "Victim tags of a warp: lines that it brought and that were evicted (ccws)");
        p.add("ccws.victim_ways", victim_ways, range(1, 4096), "tag",
              "Victim tags in a set (ccws)");
        p.require({"ccws.victim_tags", "ccws.victim_ways"},
                  "victim_tags is a multiple of victim_ways",
                  [this] { return victim_tags % victim_ways == 0; });
    }
};

/// `ccws` (Rogers, O'Connor, Aamodt, MICRO 2012): `gto`, but when warps lose locality in L1D, other
/// warps may not load for a while.
///
/// Every active warp has a score, at least `ccws.base_score`. When a load of w misses on a line
/// that w has lost (victim_tags.h), its score becomes
///     lost localities x ccws.throttle x cutoff / issued instructions, unless it is higher already.
///     Lost localities and instructions are counted over the run. The score falls by 1 a cycle. The
///     cutoff is active warps x base score, which is the sum of all scores without lost locality.
///     Warps are sorted by score; of equal scores the older warp comes first. The scores are added
///     up in this order. A warp may not issue a load if the sum up to and including its own score
///     is above the cutoff. The first warp may always load.
///
/// Each scheduler scores its own warps. `in.memory` are the loads.
class cache_conscious : public selection_events {
public:
    static constexpr const char* name = "ccws";
    static constexpr const char* description =
        "gto, but loads of some warps wait while other warps lose lines of L1D";
    using configuration = ccws_configuration;
    static memory_classification classification(const warp_scheduler_configuration&) noexcept {
        return memory_classification::loads;
    }
    static victim_tag_shape victim_tags(const warp_scheduler_configuration& c) {
        const auto& own = c.policies.of<configuration>();
        return {own.victim_tags, own.victim_ways};
    }

    static constexpr bool may_decline = true;
    static constexpr unsigned slots = 64;

    explicit cache_conscious(const selection_setting& setting)
        : configuration_(setting.configuration.policies.of<configuration>()), own_(setting.own) {}

    /// `no_warp` if all issuable warps are held back.
    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        if (raised_ == 0 || (in.issuable & in.memory) == 0) return greedy_.select(in);
        selection_inputs allowed = in;
        allowed.issuable &= ~(in.memory & held_back(in.cycle));
        return allowed.issuable == 0 ? no_warp : greedy_.select(allowed);
    }
    void gone(unsigned warp) noexcept {
        greedy_.gone(warp);
        if ((own_ >> warp & 1) == 0) return;
        raised_ &= ~bit(warp);
        unsigned to = 0;
        for (unsigned from = 0; from < active_; ++from) {
            if (by_age_[from] != warp) by_age_[to++] = by_age_[from];
        }
        active_ = to;
    }
    void started(unsigned warp) noexcept {
        greedy_.started(warp);
        if ((own_ >> warp & 1) != 0) by_age_[active_++] = static_cast<std::uint8_t>(warp);
    }
    void issued(unsigned warp) noexcept {
        greedy_.issued(warp);
        ++instructions_;
    }
    void look(const selection_inputs& in) noexcept {
        lost_ = in.lost_locality & in.resident & ~in.started & own_;
        cycle_ = in.cycle;
    }
    void edge() noexcept {
        for (; lost_ != 0; lost_ &= lost_ - 1) raise(bits::first(lost_));
    }

    /// The score of an active warp in cycle `cycle`, which is not before the score's last change.
    [[nodiscard]] std::uint64_t score(unsigned warp, std::uint64_t cycle) const noexcept {
        const std::uint64_t base = configuration_.base_score;
        return (raised_ & bit(warp)) != 0 && ends_[warp] > cycle ? base + (ends_[warp] - cycle)
                                                                 : base;
    }
    /// Warps that may not load in `cycle`.
    [[nodiscard]] std::uint64_t held_back(std::uint64_t cycle) const noexcept {
        const std::uint64_t cutoff = active_ * std::uint64_t{configuration_.base_score};
        std::uint64_t sum = 0;
        std::uint64_t held = 0;
        bool first = true;
        const auto take = [&](unsigned warp) {
            sum += score(warp, cycle);
            if (sum > cutoff && !first) held |= bit(warp);
            first = false;
        };
        // (1) Raised scores, the highest first. There are few of them, so a walk over all warps for
        //     each is short.
        std::uint64_t raised = 0;
        for (std::uint64_t left = raised_; left != 0; left &= left - 1) {
            if (ends_[bits::first(left)] > cycle) raised |= left & (~left + 1);
        }
        for (std::uint64_t left = raised; left != 0;) {
            unsigned highest = slots;
            for (unsigned i = 0; i < active_; ++i) {
                const unsigned warp = by_age_[i];
                if ((left & bit(warp)) == 0) continue;
                if (highest == slots || ends_[warp] > ends_[highest]) highest = warp;
            }
            take(highest);
            left &= ~bit(highest);
        }
        // (2) The others, the oldest first.
        for (unsigned i = 0; i < active_; ++i) {
            if ((raised & bit(by_age_[i])) == 0) take(by_age_[i]);
        }
        return held;
    }

private:
    static std::uint64_t bit(unsigned warp) noexcept { return std::uint64_t{1} << warp; }

    void raise(unsigned warp) noexcept {
        ++lost_localities_;
        const std::uint64_t base = configuration_.base_score;
        const std::uint64_t issued = instructions_ != 0 ? instructions_ : 1;
        const std::uint64_t raised =
            lost_localities_ * configuration_.throttle * active_ * base / issued;
        if (raised <= score(warp, cycle_)) return;
        raised_ |= bit(warp);
        ends_[warp] = cycle_ + (raised - base);
    }

    configuration configuration_;
    std::uint64_t own_;
    greedy_then_oldest greedy_;
    std::array<std::uint8_t, slots> by_age_{};  ///< own active warps, the oldest first
    unsigned active_ = 0;
    /// Cycle from which a raised score is the base score again.
    std::array<std::uint64_t, slots> ends_{};
    std::uint64_t raised_ = 0;  ///< warps with a raised score, which may have fallen back since
    std::uint64_t lost_localities_ = 0;
    std::uint64_t instructions_ = 0;
    std::uint64_t lost_ = 0;  ///< of the last look()
    std::uint64_t cycle_ = 0;
};

}  // namespace heddle
