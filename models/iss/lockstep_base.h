// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/iss/lockstep.h"
#include "models/iss/lockstep_warp.h"

namespace heddle::iss {

/// What all parts of the lock-step simulation share: the warps of the machine, and how a difference
/// is told.
template <unsigned Lanes>
class lockstep_base : public lockstep {
public:
    [[nodiscard]] const lockstep_counts& counts() const noexcept override { return counts_; }

protected:
    using warp_type = followed_warp<Lanes>;
    using flight_type = flight<Lanes>;

    explicit lockstep_base(lockstep_parts parts);

    [[nodiscard]] warp_type& warp_at(std::uint32_t sm, unsigned slot) {
        return warps_[std::size_t{sm} * slots_ + slot];
    }
    /// Whether a register of the machine is as ours; false after a difference.
    bool check_row(const lockstep_step& step, const warp_type& w, unsigned index,
                   const std::uint32_t* row);

    [[nodiscard]] std::string text(const lockstep_step& step, const warp_type& w, unsigned lane,
                                   const std::string& what) const;
    void differ(const lockstep_step& step, const warp_type& w, unsigned lane,
                const std::string& what);
    void stop(error_kind kind, const std::string& text);

    lockstep_parts parts_;
    const program::image* image_ = nullptr;
    unsigned slots_;  ///< warps of an SMX
    std::vector<warp_type> warps_;
    lockstep_counts counts_;
    bool stopped_ = false;
};

#define HEDDLE_DECLARE(lanes) extern template class lockstep_base<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

}  // namespace heddle::iss
