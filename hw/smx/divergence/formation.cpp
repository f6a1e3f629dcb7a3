// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/divergence/formation.h"

#include "hw/smx/divergence/pdom.h"

namespace heddle {

std::string full_stack_text(std::uint32_t entries) {
    return "the warp's reconvergence stack is full: smx.stack_entries = " +
           std::to_string(entries) + "; legal: more entries, or 0 for no limit";
}

std::unique_ptr<formation> make_formation(const formation_setting& setting) {
    return std::make_unique<pdom_formation>(setting);
}

slot_registry<formation_traits> formation_traits::implementations() {
    return slot_registry<formation_traits>(
        [](const formation_setting& setting, const slot_context&) {
            return make_formation(setting);
        });
}

}  // namespace heddle
