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
    // What a core that is not ours says of its step (foreign/told.h); false after a difference.
    bool check_encoding(const lockstep_step& step, const warp_type& w, const isa::instruction& i);
    bool check_told(const lockstep_step& step, const warp_type& w, const isa::instruction& i);
    /// The access is illegal: does the core say so?
    void told_fault(const lockstep_step& step, const warp_type& w, unsigned lane,
                    const std::string& refused);
    /// No warp that is resident issues anything earlier.
    [[nodiscard]] std::uint64_t horizon_of_warps();
    /// Whether a register of the machine is as ours; false after a difference.
    bool check_row(const lockstep_step& step, const warp_type& w, unsigned index,
                   const std::uint32_t* row);

    [[nodiscard]] std::string text(const lockstep_step& step, const warp_type& w, unsigned lane,
                                   const std::string& what) const;
    void differ(const lockstep_step& step, const warp_type& w, unsigned lane,
                const std::string& what);
    void stop(error_kind kind, const std::string& text,
              const std::optional<lockstep_place>& at = std::nullopt);
    [[nodiscard]] static lockstep_place place_of(const lockstep_step& step, const warp_type& w,
                                                 unsigned lane);

    lockstep_parts parts_;
    unsigned slots_;  ///< warps of an SMX
    std::vector<warp_type> warps_;
    lockstep_counts counts_;
    std::uint64_t horizon_ = 0;
    unsigned horizon_age_ = 0;  ///< how often it was asked for since it was computed
    bool stopped_ = false;
};

#define HEDDLE_DECLARE(lanes) extern template class lockstep_base<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

}  // namespace heddle::iss
