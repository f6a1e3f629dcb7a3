// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/rule_table.h"

namespace heddle::protocol {

const transition* rule_table::find(std::uint8_t from, path via, unsigned phase) const noexcept {
    for (unsigned i = 0; i < transition_count; ++i) {
        const transition& t = transitions[i];
        if (t.from == from && t.via == via && t.phase == phase) {
            return &t;
        }
    }
    return nullptr;
}

std::string_view rule_table::phase_name(unsigned phase) const noexcept {
    return knows(phase) ? phases[phase] : std::string_view("unknown");
}

std::string_view rule_table::state_name(std::uint8_t state) const noexcept {
    if (state == idle_state) {
        return "idle";
    }
    return state < state_count ? states[state - 1] : std::string_view("closed");
}

}  // namespace heddle::protocol
