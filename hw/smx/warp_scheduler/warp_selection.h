// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <iosfwd>

#include "hw/base/slot_registry.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_view.h"
#include "models/base/bits.h"

namespace heddle {

struct selection_setting;

/// The exchangeable part of a warp scheduler: which warp issues. The key is `slot.warp_scheduler`.
/// No SystemC in it.
///
/// Masks have one bit per warp slot of the SMX. Signals of a cycle in hardware: all registers, so
/// that the decision depends on `issuable` and on the registers alone, and what else is told takes
/// effect at the clock edge.
struct warp_selection_traits {
    static constexpr const char* name = "warp_scheduler";
    using interface = slot<warp_selection_traits>;
    using setting = selection_setting;
    struct inputs {
        std::uint64_t resident = 0;       ///< slots that hold a live warp
        std::uint64_t ready = 0;          ///< could issue if their unit took an instruction
        std::uint64_t issuable = 0;       ///< warps of this scheduler that can issue now
        std::uint64_t memory = 0;         ///< the next instruction is a memory one
        std::uint64_t long_latency = 0;   ///< waits for global memory
        std::uint64_t memory_done = 0;    ///< a load or store has completed
        std::uint64_t started = 0;        ///< a new warp; not issuable
        std::uint64_t lost_locality = 0;  ///< missed on a line that it had in L1D before
        std::uint64_t cycle = 0;          ///< number of the core cycle
    };
    struct outputs {
        /// If a warp is issuable, unless the policy holds back all that are.
        bool valid = false;
        std::uint8_t warp = 0;  ///< 0 if not valid
    };
    static constexpr slot_field<outputs> fields[] = {
        {"valid", [](const outputs& o, std::uint32_t) { return std::uint64_t{o.valid}; }},
        {"warp", [](const outputs& o, std::uint32_t) { return std::uint64_t{o.warp}; }}};

    [[nodiscard]] static slot_registry<warp_selection_traits> implementations();
};
std::ostream& operator<<(std::ostream& out, const warp_selection_traits::inputs& in);

using warp_selection = slot<warp_selection_traits>;
using selection_inputs = warp_selection_traits::inputs;

/// Slots of `before` whose warp has ended: empty now, or taken by a new warp.
inline std::uint64_t gone_warps(std::uint64_t before, std::uint64_t resident,
                                std::uint64_t started) noexcept {
    return before & (~resident | started);
}

/// Warps whose load or store has completed: of those that are still there.
inline std::uint64_t completions(const selection_inputs& in) noexcept {
    return in.memory_done & in.resident & ~in.started;
}

/// What select() of a policy with `may_decline` returns if no warp is to issue.
inline constexpr unsigned no_warp = 64;

/// What policies are made from that need more than their events.
struct selection_setting {
    const warp_scheduler_configuration& configuration;
    std::uint64_t own;  ///< slots whose warps are the scheduler's: a superset of issuable
    /// What select() may see beyond masks; outlives the policy.
    const warp_view* view = &no_view;

    static const warp_view no_view;  ///< 0 for all warps: of a scheduler without an SMX
};

/// Tags of lines that a warp has lost in L1D, which the load-store unit keeps for a policy.
struct victim_tag_shape {
    std::uint32_t entries = 0;  ///< of a warp; 0: none are kept
    std::uint32_t ways = 0;     ///< tags of a set
};

/// What a selection policy needs, shows, and may do at the clock edge; it hides those that it
/// changes. Beside these it has `name`, the value of `smx.scheduler`, and `description`. Events
/// come lowest slot first, in the order gone, started, issued, edge.
struct selection_events {
    /// What the policy wants to be told as memory instructions.
    static memory_classification classification(const warp_scheduler_configuration&) noexcept {
        return memory_classification::opcode;
    }
    /// The tags that lost_locality needs.
    static victim_tag_shape victim_tags(const warp_scheduler_configuration&) noexcept { return {}; }
    /// The waveform shows which ready warps have a memory instruction, and which have another.
    static constexpr bool shows_queues = false;
    /// The waveform shows a Recency Register (recency_register.h).
    static constexpr bool shows_recency = false;
    /// The policy acts on what happens to all warps of the SMX, not only to its scheduler's own:
    /// then it hears of other schedulers' events in the cycle in which they happen.
    static constexpr bool follows_smx = false;
    /// Whether select() may return `no_warp`.
    static constexpr bool may_decline = false;
    /// The slot's warp has ended: the slot is empty now, or `started` follows.
    void gone(unsigned) noexcept {}
    void started(unsigned) noexcept {}
    /// The decision of this cycle.
    void issued(unsigned) noexcept {}
    /// Called by decide(): keeps what edge() needs of the inputs. The last call counts.
    void look(const selection_inputs&) noexcept {}
    void edge() noexcept {}
};

/// Makes a slottable part of a policy: a plain class, derived from selection_events, with
/// `unsigned select(const selection_inputs&) const`, which picks a warp of `issuable` (not empty).
/// `initial` is its reset state.
template <class Policy>
class warp_selection_of final : public warp_selection {
public:
    using warp_selection::inputs;
    using warp_selection::outputs;

    explicit warp_selection_of(const Policy& initial) : initial_(initial), policy_(initial) {}

    outputs decide(const inputs& in) override {
        // Kept word by word: a copy of the whole would wait for the stores that made `in`.
        next_resident_ = in.resident;
        started_ = in.started;
        policy_.look(in);
        issues_ = in.issuable != 0;
        if (!issues_) {
            return {};
        }
        warp_ = policy_.select(in);
        if (Policy::may_decline && warp_ == no_warp) {
            issues_ = false;
            return {};
        }
        return {true, static_cast<std::uint8_t>(warp_)};
    }
    void clock_edge() override {
        for (auto left = gone_warps(resident_, next_resident_, started_); left != 0;
             left &= left - 1) {
            policy_.gone(bits::first(left));
        }
        for (auto left = started_; left != 0; left &= left - 1) {
            policy_.started(bits::first(left));
        }
        resident_ = next_resident_;
        if (issues_) {
            policy_.issued(warp_);
        }
        policy_.edge();
    }
    void reset() override {
        policy_ = initial_;
        issues_ = false;
        resident_ = next_resident_ = started_ = 0;
    }

private:
    const Policy initial_;
    Policy policy_;
    bool issues_ = false;  ///< the decision, and which warp
    unsigned warp_ = 0;
    std::uint64_t resident_ = 0;  ///< at the last edge
    std::uint64_t next_resident_ = 0;
    std::uint64_t started_ = 0;
};

}  // namespace heddle
