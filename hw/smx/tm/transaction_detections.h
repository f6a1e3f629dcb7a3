// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "models/base/transaction_detection.h"

namespace heddle {

/// What tm.detection chooses from: what each of the conflict_detectors states
/// (conflict_detectors.h, which knows the classes).
[[nodiscard]] std::vector<transaction_detection> transaction_detections();

}  // namespace heddle
