// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/base/waveform.h"
#include "hw/smx/tm/tm_engine.h"

namespace heddle {

/// The masks of all warps' transactions in a waveform: SCOPE.warp_N.exec, tcm, tcm_old, mcm, mode.
class tm_waves {
public:
    tm_waves(const tm_engine& engine, waveform& waves, const std::string& scope, unsigned warps,
             unsigned lanes)
        : engine_(engine) {
        for (unsigned n = 0; n < warps; ++n) {
            const std::string name = scope + ".warp_" + std::to_string(n);
            const auto mask = [&](const char* which) {
                return waves.declare_bits(name + "." + which, lanes);
            };
            warps_.push_back(
                {mask("exec"), mask("tcm"), mask("tcm_old"), mask("mcm"),
                 waves.declare_state(name + ".mode", {std::begin(transaction_mode_names),
                                                      std::end(transaction_mode_names)})});
        }
    }
    void publish() {
        // A warp that has left is shown once more: its EXEC is 0 then.
        bits::for_each(engine_.inside().warps() | shown_, [&](unsigned n) {
            const transaction_masks& masks = engine_.masks(n);
            warp& shown = warps_[n];
            shown.exec.set(masks.exec());
            shown.tcm.set(masks.tcm());
            shown.tcm_old.set(masks.tcm_old());
            shown.mcm.set(masks.mcm());
            shown.mode.set(static_cast<std::uint64_t>(masks.mode()));
        });
        shown_ = engine_.inside().warps();
    }

private:
    struct warp {
        wave_bits exec, tcm, tcm_old, mcm;
        wave_state mode;
    };
    const tm_engine& engine_;
    std::vector<warp> warps_;
    protocol::warp_mask shown_ = 0;
};

}  // namespace heddle
