// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/protocol/warp_issue.h"
#include "hw/smx/execute/execution_observer.h"
#include "models/base/bits.h"

namespace heddle {

namespace protocol {
class slice_recorder;
}  // namespace protocol
struct smx_waves;

/// Looks away.
class no_observer final : public execution_observer {
    void block_started(std::uint64_t, const protocol::block_dispatch&, std::uint64_t) override {}
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void executed(const issued_instruction&, const register_file&) override {}
    void accessed(const issued_instruction&, const memory_instruction&) override {}
    void loaded(std::uint64_t, unsigned, issue_number, isa::lane_mask,
                const std::uint32_t*) override {}
    void completed(std::uint64_t, unsigned, issue_number, const register_file&) override {}
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}
};

/// The observer of an SMX that is traced. It shows in the waveform what the SMX issues. In the
/// timeline it shows the warps of the SMX: each has a slice on the lane of its slot, from its start
/// to its last instruction, with an inner slice for each wait at a barrier. Each stay of a block
/// that waits for its children elsewhere has slices of its own. It passes every call on to the next
/// observer.
class execution_tracer final : public execution_observer {
public:
    /// `waves` and `slices` may be null; `own`: the warp slots of each scheduler.
    execution_tracer(smx_waves* waves, protocol::slice_recorder* slices,
                     const std::vector<protocol::warp_mask>& own, unsigned lanes)
        : waves_(waves), slices_(slices), lanes_(lanes) {
        for (unsigned scheduler = 0; scheduler < own.size(); ++scheduler) {
            bits::for_each(own[scheduler], [&](unsigned slot) { scheduler_[slot] = scheduler; });
        }
    }

    /// The next observer; may be null.
    void follow(execution_observer* next) noexcept { next_ = next != nullptr ? next : &nobody_; }

    void block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override;
    void block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override;
    void block_suspended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override;
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots, const std::vector<isa::lane_mask>& live) override;
    void cooperated(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                    std::uint32_t groups, bool ends) override;
    void executed(const issued_instruction& issued, const register_file& registers) override;
    void accessed(const issued_instruction& issued, const memory_instruction& access) override;
    void loaded(std::uint64_t edge, unsigned warp, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(std::uint64_t edge, unsigned warp, issue_number number,
                   const register_file& registers) override;
    void returned(std::uint64_t edge, unsigned warp, issue_number number,
                  isa::lane_mask lanes) override;
    void writes_drained(std::uint64_t edge, unsigned warp) override;
    void fenced(std::uint64_t edge, unsigned warp) override;
    void transaction(std::uint64_t edge, unsigned warp, transaction_event what,
                     isa::lane_mask lanes, const register_file& registers) override;

private:
    void show(const issued_instruction& issued);
    void begin_slice(const protocol::block_dispatch& dispatch, unsigned slot, unsigned index,
                     isa::lane_mask live);
    void end_slices(const protocol::block_dispatch& dispatch);
    void follow_slice(const issued_instruction& issued);

    smx_waves* const waves_;
    protocol::slice_recorder* const slices_;
    const unsigned lanes_;
    std::array<unsigned, protocol::maximum_warps> scheduler_{};  ///< of each warp slot
    no_observer nobody_;
    execution_observer* next_ = &nobody_;
    std::array<std::uint32_t, protocol::maximum_warps> block_{};  ///< of each warp slot
    /// Block slot of the warp whose slice is open.
    std::array<std::uint32_t, protocol::maximum_warps> block_slot_{};
    std::array<isa::lane_mask, protocol::maximum_warps> live_{};  ///< threads that have not ended
};

}  // namespace heddle
