// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/part_configurations.h"

namespace heddle {

/// The parameters of the formations on a pool of threads, with their defaults; each is in the
/// header of its formation (formations.h).
[[nodiscard]] part_configurations formation_configurations();

}  // namespace heddle
