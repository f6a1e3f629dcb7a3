// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"

namespace heddle {

/// What the definitions of the selection policies say, carried out word by word: every cycle all
/// warps are sorted, all counters counted. No masks, to have nothing in common with the scheduler.
class reference_scheduler {
public:
    /// A cycle, by slot of the SMX. Issuable are warps of this scheduler that can issue.
    struct signals {
        std::array<bool, 64> issuable{}, memory{}, long_latency{}, memory_done{}, lost_locality{};
        std::uint64_t started = 0, ended = 0;  ///< masks
        std::uint64_t cycle = 0;
    };

    /// `slots`: warp slots of the SMX.
    reference_scheduler(const warp_scheduler_configuration& configuration, unsigned index,
                        unsigned schedulers, unsigned slots = 64)
        : configuration_(configuration),
          group_size_(configuration.policies.of<two_level_configuration>().fetch_group),
          ccws_(configuration.policies.of<ccws_configuration>()) {
        const bool modulo = configuration.assignment == scheduler_assignment::modulo;
        for (unsigned slot = 0; slot < slots; ++slot) {
            const bool in_share =
                slot * schedulers >= index * slots && slot * schedulers < (index + 1) * slots;
            if (modulo ? slot % schedulers == index : in_share) own_slots_.push_back(slot);
        }
    }

    /// The slot that issues in this cycle; what is told takes effect after that.
    std::optional<unsigned> cycle(const signals& in) {
        const std::optional<unsigned> issued = select(in);
        for (unsigned slot = 0; slot < 64; ++slot) {
            if ((in.ended >> slot & 1) != 0) end(slot);
        }
        for (unsigned slot = 0; slot < 64; ++slot) {
            if ((in.started >> slot & 1) != 0) warps_.push_back({slot, ++names_});
        }
        for (unsigned slot = 0; slot < 64; ++slot) {
            if ((in.started >> slot & 1) != 0) continue;
            for (warp& w : warps_) {
                if (w.slot != slot) continue;
                if (in.memory_done[slot]) complete(w);
                if (in.lost_locality[slot] && is_own(w)) lose(w, in.cycle);
            }
        }
        return issued;
    }
    [[nodiscard]] std::uint64_t issues() const { return issues_; }
    [[nodiscard]] std::uint64_t switches() const { return switches_; }
    [[nodiscard]] std::uint64_t declined() const { return declined_; }

private:
    /// In the order of their starts.
    struct warp {
        unsigned slot;
        std::uint64_t name;  ///< never used again; larger is younger
        unsigned counter = 63;
        bool recent = false;
        std::uint64_t score = 0;  ///< in cycle scored
        std::uint64_t scored = 0;
    };

    /// Place among the own slots; their number if it is none of them.
    [[nodiscard]] std::size_t place(const warp& w) const {
        return static_cast<std::size_t>(std::find(own_slots_.begin(), own_slots_.end(), w.slot) -
                                        own_slots_.begin());
    }
    [[nodiscard]] bool is_own(const warp& w) const { return place(w) != own_slots_.size(); }

    std::optional<unsigned> select(const signals& in) {
        std::vector<warp> candidates;
        for (const warp& w : warps_) {
            if (is_own(w) && in.issuable.at(w.slot)) candidates.push_back(w);
        }
        if (candidates.empty()) return std::nullopt;
        if (configuration_.scheduler == selection_policies::key<two_level>) find_first_group(in);
        if (configuration_.scheduler == selection_policies::key<cache_conscious>) {
            const std::vector<std::uint64_t> held = held_back(in.cycle);
            candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                            [&](const warp& w) {
                                                return in.memory[w.slot] &&
                                                       std::count(held.begin(), held.end(),
                                                                  w.name) != 0;
                                            }),
                             candidates.end());
            if (candidates.empty()) {
                ++declined_;
                return std::nullopt;
            }
        }
        std::sort(candidates.begin(), candidates.end(),
                  [&](const warp& a, const warp& b) { return rank(a, in) < rank(b, in); });
        const warp& chosen = candidates.front();
        switches_ += last_name_ != 0 && chosen.name != last_name_ ? 1 : 0;
        ++issues_;
        last_slot_ = chosen.slot;
        last_in_group_[group(chosen)] = chosen.slot;
        last_name_ = chosen.name;
        return chosen.slot;
    }
    /// What is smaller issues first.
    [[nodiscard]] std::tuple<int, unsigned, std::uint64_t> rank(const warp& w,
                                                                const signals& in) const {
        const bool memory = in.memory[w.slot];
        switch (configuration_.scheduler) {
            case selection_policies::key<loose_round_robin>:
                return {0, distance(w, last_slot_), 0};
            case selection_policies::key<greedy_then_oldest>:
            case selection_policies::key<cache_conscious>:
                return {w.name == last_name_ ? 0 : 1, 0, w.name};
            case selection_policies::key<memory_then_oldest>:
                return {memory ? 0 : 1, 0, w.name};
            case selection_policies::key<memory_then_round_robin>:
                return memory ? std::make_tuple(0, 0U, w.name)
                              : std::make_tuple(1, distance(w, last_slot_), std::uint64_t{0});
            case selection_policies::key<memory_then_recent>:
                return memory ? std::make_tuple(0, 0U, w.name)
                              : std::make_tuple(w.recent ? 1 : 2, distance(w, last_slot_),
                                                std::uint64_t{0});
            case selection_policies::key<two_level>: {
                const unsigned behind = (group(w) + groups() - first_group_) % groups();
                return {static_cast<int>(behind), distance(w, last_in_group_[group(w)]), 0};
            }
        }
        throw std::logic_error("the reference does not know this policy");
    }
    /// Steps from a slot, cyclically; that slot itself comes last.
    [[nodiscard]] static unsigned distance(const warp& w, unsigned from) {
        return (w.slot + 63 - from) % 64;
    }

    // two_level
    [[nodiscard]] unsigned group(const warp& w) const {
        return static_cast<unsigned>(place(w)) / group_size_;
    }
    [[nodiscard]] unsigned groups() const {
        return (static_cast<unsigned>(own_slots_.size()) + group_size_ - 1) / group_size_;
    }
    void find_first_group(const signals& in) {
        for (unsigned step = 0; step < groups(); ++step) {
            const unsigned candidate = (first_group_ + step) % groups();
            for (const warp& w : warps_) {
                const bool stays = (in.ended >> w.slot & 1) == 0 && !in.long_latency[w.slot];
                if (is_own(w) && stays && group(w) == candidate) {
                    first_group_ = candidate;
                    return;
                }
            }
            // A warp that starts in this cycle does not wait either.
            for (const unsigned slot : own_slots_) {
                if ((in.started >> slot & 1) != 0 && !in.long_latency[slot] &&
                    group({slot, 0}) == candidate) {
                    first_group_ = candidate;
                    return;
                }
            }
        }
    }

    // motrr_recency
    void end(unsigned slot) {
        warps_.erase(std::remove_if(warps_.begin(), warps_.end(),
                                    [slot](const warp& w) { return w.slot == slot; }),
                     warps_.end());
        shrink_group(nullptr);
    }
    void complete(warp& done) {
        for (warp& w : warps_) {
            if (&w != &done) w.counter = std::min(w.counter + 1, 63U);
        }
        done.counter = 0;
        done.recent = true;
        shrink_group(&done);
    }
    void shrink_group(const warp* kept) {
        const std::size_t limit = std::max<std::size_t>(1, warps_.size() / 2);
        for (;;) {
            std::size_t members = 0;
            warp* out = nullptr;
            for (warp& w : warps_) {
                if (!w.recent) continue;
                ++members;
                if (&w == kept) continue;
                if (out == nullptr ||
                    std::make_tuple(w.counter, w.slot) > std::make_tuple(out->counter, out->slot)) {
                    out = &w;
                }
            }
            if (members <= limit) return;
            out->recent = false;
        }
    }

    // ccws
    [[nodiscard]] std::uint64_t score(const warp& w, std::uint64_t cycle) const {
        const std::uint64_t base = ccws_.base_score;
        const std::uint64_t passed = cycle - w.scored;
        return w.score > base + passed ? w.score - passed : base;
    }
    [[nodiscard]] std::uint64_t own_warps() const {
        return static_cast<std::uint64_t>(std::count_if(
            warps_.begin(), warps_.end(), [this](const warp& w) { return is_own(w); }));
    }
    void lose(warp& w, std::uint64_t cycle) {
        ++lost_;
        const std::uint64_t cutoff = own_warps() * ccws_.base_score;
        const std::uint64_t raised =
            lost_ * ccws_.throttle * cutoff / std::max<std::uint64_t>(issues_, 1);
        if (raised > score(w, cycle)) {
            w.score = raised;
            w.scored = cycle;
        }
    }
    /// Names.
    [[nodiscard]] std::vector<std::uint64_t> held_back(std::uint64_t cycle) const {
        std::vector<warp> order;
        for (const warp& w : warps_) {
            if (is_own(w)) order.push_back(w);
        }
        std::stable_sort(order.begin(), order.end(), [&](const warp& a, const warp& b) {
            return score(a, cycle) > score(b, cycle);
        });
        std::vector<std::uint64_t> held;
        std::uint64_t sum = 0;
        for (const warp& w : order) {
            sum += score(w, cycle);
            const bool first = w.name == order.front().name;
            if (sum > order.size() * ccws_.base_score && !first) {
                held.push_back(w.name);
            }
        }
        return held;
    }

    warp_scheduler_configuration configuration_;
    unsigned group_size_;
    ccws_configuration ccws_;
    std::vector<unsigned> own_slots_;
    std::vector<warp> warps_;
    unsigned last_slot_ = 63;
    std::array<unsigned, 64> last_in_group_ = [] {
        std::array<unsigned, 64> slots{};
        slots.fill(63);
        return slots;
    }();
    unsigned first_group_ = 0;
    std::uint64_t last_name_ = 0;
    std::uint64_t names_ = 0;
    std::uint64_t issues_ = 0, switches_ = 0, declined_ = 0, lost_ = 0;
};

}  // namespace heddle
