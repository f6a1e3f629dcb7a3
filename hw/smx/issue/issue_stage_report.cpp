// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Sleep and reports of the issue stage.
#include <algorithm>

#include "hw/smx/issue/issue_stage.h"
#include "models/simt/progress_text.h"

namespace heddle {

bool issue_stage::settle() {
    const unsigned in_flight = bits::count(scoreboard_.in_flight());
    if (in_flight != in_flight_.level()) in_flight_.set(edge_, in_flight);
    return changed_ || dirty_ != 0 || gate_.has_changed();
}

std::uint64_t issue_stage::next_due(std::uint64_t edge) const noexcept {
    const std::uint64_t result = std::min(results_.next_due(edge), barriers_.next_due());
    if (states_.ready() == 0) return result;
    if (configuration_.issue_interval > 1) return edge + 1;
    return std::min(result, units_.next_free(edge));
}

std::string issue_stage::doing(unsigned warp) const {
    if (const char* const wait = parts_.waits.doing(warp); wait != nullptr) return wait;
    switch (state_of(warp)) {
        case warp_state::waits_for_memory:
            return "waits for memory";
        case warp_state::waits_for_constants:
            return "waits for constants";
        case warp_state::waits_for_result:
            return "waits for a result";
        case warp_state::waits_for_fetch:
            return "waits for instructions";
        default:
            return "runs";
    }
}

}  // namespace heddle
