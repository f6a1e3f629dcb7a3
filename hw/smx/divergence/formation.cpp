// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/divergence/formation.h"

#include "hw/smx/divergence/formations.h"

namespace heddle {

std::unique_ptr<formation> make_formation(const formation_setting& setting) {
    return formations::visit(setting.policy, [&](auto part) -> std::unique_ptr<formation> {
        return std::make_unique<typename decltype(part)::type>(setting.warps);
    });
}

slot_registry<formation_traits> formation_traits::implementations() {
    return slot_registry<formation_traits>(
        [](const formation_setting& setting, const slot_context&) {
            return make_formation(setting);
        });
}

}  // namespace heddle
