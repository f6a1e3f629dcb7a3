// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/bits.h"

namespace heddle {

/// `lrr`: the issuable warp in the nearest slot after the one that issued last, cyclically; warps
/// that can't issue are skipped. Slot 0 is the first after reset.
class loose_round_robin : public selection_events {
public:
    static constexpr const char* name = "lrr";
    static constexpr const char* description =
        "loose round robin by warp slot, from the last issued warp on";

    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        return next(in.issuable);
    }
    /// The warp of `warps` whose turn it is; `warps` is not empty.
    [[nodiscard]] unsigned next(std::uint64_t warps) const noexcept {
        const std::uint64_t behind = warps & behind_last_;
        return bits::first(behind != 0 ? behind : warps);
    }
    void issued(unsigned warp) noexcept { behind_last_ = ~std::uint64_t{0} << warp << 1; }

private:
    std::uint64_t behind_last_ = ~std::uint64_t{0};  ///< slots after the one that issued last
};

}  // namespace heddle
