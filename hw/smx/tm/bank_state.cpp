// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/bank_state.h"

#include "hw/smx/tm/dcd.h"
#include "hw/smx/tm/detected_state.h"
#include "hw/smx/tm/prw_sig.h"
#include "hw/smx/tm/smdcd.h"
#include "hw/smx/tm/swo_sig.h"

namespace heddle {

std::unique_ptr<bank_state> make_bank_state(const bank_setting& setting) {
    switch (setting.configuration.detection) {
        case transaction_detection::swo_sig:
            return std::make_unique<detected_state<swo_sig>>(setting);
        case transaction_detection::dcd:
            return std::make_unique<detected_state<dcd>>(setting);
        case transaction_detection::smdcd:
            return std::make_unique<detected_state<smdcd>>(setting);
        default:
            return std::make_unique<detected_state<prw_sig>>(setting);
    }
}

slot_registry<bank_state_traits> bank_state_traits::implementations() {
    return slot_registry<bank_state_traits>(
        [](const bank_setting& setting, const slot_context&) { return make_bank_state(setting); });
}

}  // namespace heddle
