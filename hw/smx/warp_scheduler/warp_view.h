// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

/// A value of each warp slot, wherever the SMX keeps it: element 0 and the distance to the next.
/// Reading costs a load; nothing is copied in a cycle.
template <class Value>
class of_each_warp {
public:
    /// Where nobody keeps it, it is 0 for all warps.
    of_each_warp() noexcept : of_each_warp(nothing, 0) {}
    /// `stride`: bytes from the value of a slot to that of the next.
    of_each_warp(const Value& first, std::size_t stride) noexcept
        : first_(reinterpret_cast<const std::byte*>(&first)), stride_(stride) {}

    [[nodiscard]] Value operator[](unsigned warp) const noexcept {
        return *reinterpret_cast<const Value*>(first_ + warp * stride_);
    }

private:
    static constexpr Value nothing{};

    const std::byte* first_;
    std::size_t stride_;
};

/// What `select()` of a warp scheduling policy may see of the warps of its SMX beyond the masks of
/// selection_inputs. Index: the warp slot. A policy takes a pointer to it from selection_setting;
/// the SMX fills it in before the run and keeps its values up to date for other purposes, so that
/// it costs nothing.
///
/// The values of a scheduler's own warps are those that the cycles before have left: nothing of
/// them changes between the masks and `select()`. Those of other schedulers' warps may already be
/// of this cycle. Slots without a warp have values of their last one. Real hardware would need
/// these as registers; an implementation in RTL does not get them.
struct warp_view {
    /// Core cycle in which the warp took its slot: its age. Warps of one block have the same. It
    /// changes when the slot has a new warp, or one that comes back to the SMX.
    of_each_warp<std::uint64_t> started;
    /// Core cycle of the warp's last instruction; `started` if it has issued none. It changes when
    /// the warp issues.
    of_each_warp<std::uint64_t> last_issue;
    /// Loads, stores and atomics of the warp that have not completed. It goes up when one issues,
    /// and down when its last value is in the registers; a store's when it has left the queue.
    of_each_warp<std::uint32_t> memory_in_flight;
    /// Address of the instruction that the warp issues next. It changes when the warp issues, and
    /// when its threads part, meet again, or restart a transaction.
    of_each_warp<std::uint32_t> pc;
};

}  // namespace heddle
