// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/bank_state.h"

#include "hw/smx/tm/conflict_detectors.h"
#include "hw/smx/tm/detected_state.h"

namespace heddle {

std::unique_ptr<bank_state> make_bank_state(const bank_setting& setting) {
    return conflict_detectors::visit(setting.configuration.detection,
                                     [&](auto part) -> std::unique_ptr<bank_state> {
                                         using detector = typename decltype(part)::type;
                                         return std::make_unique<detected_state<detector>>(setting);
                                     });
}

slot_registry<bank_state_traits> bank_state_traits::implementations() {
    return slot_registry<bank_state_traits>(
        [](const bank_setting& setting, const slot_context&) { return make_bank_state(setting); });
}

}  // namespace heddle
