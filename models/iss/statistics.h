// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/statistics.h"
#include "models/iss/simulator.h"

namespace heddle::iss {

/// Declares and sets what a simulator has counted: scope "gpu", and "kernel.NAME" of each kernel.
void collect(const functional_simulator& simulator, statistics& into);

}  // namespace heddle::iss
