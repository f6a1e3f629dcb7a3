// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/tm/serialization.h"

namespace heddle {

/// How the attempts of a warp's transaction run.
enum class transaction_mode : std::uint8_t {
    tx,         ///< all lanes that have not committed
    wf_serial,  ///< the chosen ones; the others of the warp wait
    wg_serial,  ///< the same, and the other warps of the block wait
};
inline constexpr const char* transaction_mode_names[] = {"tx", "wf_serial", "wg_serial"};

/// The masks of one warp's transaction: EXEC, TCM, TCM_OLD and MCM, and the mode of its attempts.
/// Villegas et al., "Improvements in Hardware Transactional Memory for GPU Architectures", sections
/// 2 and 3; Table 1 there is the example.
///
/// Lanes of EXEC that are not in TCM run. A lane that loses enters TCM. At the end of an attempt,
/// which is tx.commit or the loss of the last lane that ran:
///  1. TCM = 0: all have committed.
///  2. TCM differs from TCM_OLD: those of TCM run again, TCM_OLD = EXEC = TCM, mode tx.
///  3. Else in mode tx: chosen ones of TCM run again, mode wf_serial.
///  4. Else another warp is to blame: mode wg_serial if the block lets the warp be alone. Then each
///     further attempt runs chosen ones, and one lane alone if an attempt has brought nothing,
///     until TCM = 0.
class transaction_masks {
public:
    /// What the end of an attempt asks for.
    enum class verdict : std::uint8_t {
        done,   ///< all have committed
        again,  ///< the next attempt may begin
        alone,  ///< wants to run alone: be_alone() or abort() comes next
    };

    /// A transaction of these lanes begins.
    void begin(isa::lane_mask lanes) noexcept;
    /// Lanes that run lose; `rejected` of them are no candidates (serialization::rejected()).
    void lose(isa::lane_mask lanes, isa::lane_mask rejected) noexcept {
        tcm_ |= lanes;
        mcm_ &= ~rejected;
    }
    /// An attempt ends. The lanes that still ran have committed.
    [[nodiscard]] verdict end_attempt(const serialization& choice) noexcept;
    /// The other warps of the block wait: the lanes that were chosen last run again, in mode
    /// wg_serial.
    void be_alone() noexcept;
    /// Another warp wants to be alone: all lanes lose, and run again in mode tx.
    void abort() noexcept;
    /// After abort(), which ends the attempt without a verdict: all run again.
    void restart() noexcept;

    /// Lanes that run.
    [[nodiscard]] isa::lane_mask active() const noexcept { return exec_ & ~tcm_; }
    [[nodiscard]] isa::lane_mask exec() const noexcept { return exec_; }
    [[nodiscard]] isa::lane_mask tcm() const noexcept { return tcm_; }
    /// 0 while it is invalid.
    [[nodiscard]] isa::lane_mask tcm_old() const noexcept { return tcm_old_; }
    [[nodiscard]] isa::lane_mask mcm() const noexcept { return mcm_; }
    [[nodiscard]] transaction_mode mode() const noexcept { return mode_; }

private:
    void run_chosen(isa::lane_mask chosen) noexcept;

    isa::lane_mask exec_ = 0;
    isa::lane_mask tcm_ = 0;
    isa::lane_mask tcm_old_ = 0;  ///< 0: invalid; no attempt ends with this TCM and goes on
    isa::lane_mask mcm_ = ~isa::lane_mask{0};
    isa::lane_mask chosen_ = 0;  ///< who ran first in this attempt
    transaction_mode mode_ = transaction_mode::tx;
};

}  // namespace heddle
