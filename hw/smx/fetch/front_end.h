// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/blocks/block_table.h"
#include "hw/smx/fetch/instruction_cache.h"
#include "hw/smx/fetch/warp_paths.h"
#include "hw/smx/memory_port/memory_port.h"
#include "hw/smx/pipeline/event_wheel.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/smx_configuration.h"

namespace heddle {

/// Fetch and decode: fills the instruction buffers of the warps through the tags of L1I, up to
/// smx.fetch_width warps a cycle in round robin.
///
/// A fetch brings as many instructions as the buffer has room for, from one line of L1I. It stops
/// behind the first instruction after which the path is not known, and where the warp's lanes may
/// reconverge. An instruction that is fetched at edge t may issue at t + l1i.hit_latency. After a
/// branch, jump, return or exit that issues at t the warp fetches again at t + smx.branch_latency.
/// A PC outside the code is a kernel fault once the instructions before it have issued.
class front_end final : private memory_requester {
public:
    front_end(const smx_configuration& smx, const l1i_configuration& l1i, unsigned warps,
              memory_port& port, warp_paths& paths, const issue_table& table, block_table& blocks);

    /// A new program, whose code is in no cache.
    void forget_lines() { cache_.invalidate(); }
    /// A new warp has the slot; its path is set.
    void start(unsigned warp);

    /// The warp, which may_redirect(), leaves the slot; its path has no lanes.
    void leave(unsigned warp) noexcept { fetchable_ &= ~bits::one(warp); }

    /// Nothing that belongs to the warp's path is under way: it may be redirected.
    [[nodiscard]] bool may_redirect(unsigned warp) const noexcept {
        return ((fetching_ | turning_) & bits::one(warp)) == 0;
    }
    /// The warp's path is another from now on; it fetches there after smx.branch_latency.
    void redirect(unsigned warp, std::uint64_t edge);
    /// The warp's path has lost its lanes: nothing more is fetched before redirect().
    void hold(unsigned warp) noexcept { fetchable_ &= ~bits::one(warp); }

    /// Step (2): handles fetches that arrive and paths that become known.
    bool take_events(std::uint64_t edge) { return wheel_.due(edge) && take_due(edge); }
    /// After step (3): the warps in `issued` have issued an instruction. The warps in `turned` may
    /// have left the straight path; they fetch again after smx.branch_latency.
    void issued(protocol::warp_mask issued, protocol::warp_mask turned, std::uint64_t edge);
    /// Step (4). True if any warp could fetch.
    bool cycle(std::uint64_t edge) { return fetchable_ != 0 && fetch_some(edge); }

    /// Warps that have received instructions since the last call.
    [[nodiscard]] protocol::warp_mask take_delivered() noexcept {
        const protocol::warp_mask delivered = delivered_;
        delivered_ = 0;
        return delivered;
    }
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept {
        return wheel_.next_due(edge);
    }
    /// Fetches that filled a buffer, and lines requested from memory.
    [[nodiscard]] std::uint64_t fetches() const noexcept { return fetches_; }
    [[nodiscard]] std::uint64_t misses() const noexcept { return misses_; }

private:
    enum event : std::uint8_t { path_known, fetch_arrives };

    void responded(memory_request& request) override;
    bool take_due(std::uint64_t edge);
    bool fetch_some(std::uint64_t edge);
    void fetch(unsigned warp, std::uint64_t edge);
    void request_line(unsigned warp, std::uint32_t line);
    [[nodiscard]] unsigned run_length(unsigned warp) const;
    void deliver(unsigned warp, unsigned count);
    void update_fetchable(unsigned warp);

    const unsigned warps_;
    const unsigned fetch_width_;
    const unsigned branch_latency_;
    const unsigned hit_latency_;
    memory_port& port_;
    warp_paths& paths_;
    const issue_table& table_;
    block_table& blocks_;

    instruction_cache cache_;
    event_wheel<warp_code> wheel_;  ///< codes: event
    /// Instructions that a fetch under way will deliver, by warp.
    std::array<std::uint8_t, protocol::maximum_warps> arriving_{};
    protocol::warp_mask fetchable_ = 0;  ///< room in the buffer, path known, nothing under way
    protocol::warp_mask path_open_ = 0;  ///< an unresolved control-flow instruction is buffered
    protocol::warp_mask turning_ = 0;    ///< a path will become known
    protocol::warp_mask fetching_ = 0;   ///< a fetch or a miss is under way
    protocol::warp_mask delivered_ = 0;
    unsigned next_ = 0;  ///< warp that fetches first
    std::uint64_t fetches_ = 0;
    std::uint64_t misses_ = 0;
};

}  // namespace heddle
