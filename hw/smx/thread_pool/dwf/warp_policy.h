// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/waveform.h"
#include "hw/protocol/thread_turn.h"
#include "hw/smx/thread_pool/dwf/dwf_configuration.h"
#include "hw/smx/thread_pool/dwf/warp_pool.h"

namespace heddle {

/// What the scheduling logic counts.
struct warp_policy_counts {
    std::uint64_t heap_maximum = 0;  ///< entries of the heap, the most at a time
    std::uint64_t heap_swaps = 0;
    std::uint64_t heap_replacements = 0;  ///< entries of the MHeap LUT that were replaced
};

/// The scheduling logic of dynamic warp formation: which warp of the pool issues (Fung 2008, 4.3).
/// A policy is a file of this folder and a place in the list of warp_policies.h.
///
/// A policy hears of each change after the pool has it, except leaves(), which comes before the
/// warp is closed. It changes no warp but for the link `next`.
class warp_policy {
public:
    warp_policy() = default;
    warp_policy(const warp_policy&) = delete;
    warp_policy& operator=(const warp_policy&) = delete;
    virtual ~warp_policy() = default;

    enum class room : std::uint8_t {
        now,    ///< threads at this PC can come
        later,  ///< they wait in their update register for a clock
        none,   ///< there is no entry for this PC
    };
    /// `kept`: entries for new PCs that shall stay free.
    [[nodiscard]] virtual room room_for(std::uint32_t /*pc*/, unsigned /*kept*/) {
        return room::now;
    }
    /// Entries for further PCs.
    [[nodiscard]] virtual unsigned free_entries() const { return ~0U; }
    /// A new program; the pool is empty.
    virtual void use_program(const protocol::thread_program&) {}
    /// Threads begin; they are not in the pool yet. `threads` are their numbers by lane.
    virtual void starts(isa::lane_mask /*lanes*/, const std::uint16_t* /*threads*/) {}
    /// The threads in `lanes` have joined the warp, or, `opens`, are its first.
    virtual void takes(pool_index, isa::lane_mask /*lanes*/, bool /*opens*/) {}
    /// The warp that is to issue; no_pool_index if the logic is not ready, or the pool is empty.
    [[nodiscard]] virtual pool_index choose() const = 0;
    /// Whether leaves() may be called for a warp that is not chosen.
    [[nodiscard]] virtual bool lets_others_go() const { return true; }
    virtual void leaves(pool_index) {}

    /// A pipeline clock begins, before threads arrive; ends, after they have.
    virtual void clock_begins() {}
    virtual void clock_ends() {}
    /// Whether the logic needs further clocks, although no thread arrives.
    [[nodiscard]] virtual bool busy() const { return false; }
    /// Entries of a heap over PCs.
    [[nodiscard]] virtual unsigned heap_entries() const { return 0; }

    [[nodiscard]] virtual warp_policy_counts counts() const { return {}; }
    /// Declares the policy's own state; publish() pushes it.
    virtual void trace(waveform&, const std::string& /*scope*/) {}
    virtual void publish() {}
};

class pc_warp_lut;

/// What a policy is made from; all of it outlives the policy.
struct warp_policy_setting {
    const dwf_configuration& configuration;  ///< used during construction only
    warp_pool& pool;
    pc_warp_lut& lut;
    unsigned threads;  ///< of the SMX
};

}  // namespace heddle
