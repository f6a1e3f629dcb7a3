// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/conflict_detectors.h"

#include "hw/smx/tm/transaction_detections.h"

namespace heddle {

std::vector<transaction_detection> transaction_detections() {
    return conflict_detectors::all();
}

}  // namespace heddle
