// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/conflict_detector.h"

#include "hw/smx/tm/dcd.h"
#include "hw/smx/tm/prw_sig.h"
#include "hw/smx/tm/smdcd.h"
#include "hw/smx/tm/swo_sig.h"

namespace heddle {

std::unique_ptr<conflict_detector> make_conflict_detector(
    const transaction_configuration& configuration) {
    switch (configuration.detection) {
        case transaction_detection::swo_sig:
            return std::make_unique<swo_sig>(configuration.hashes);
        case transaction_detection::dcd:
            return std::make_unique<dcd>();
        case transaction_detection::smdcd:
            return std::make_unique<smdcd>();
        default:
            return std::make_unique<prw_sig>(configuration.hashes);
    }
}

}  // namespace heddle
