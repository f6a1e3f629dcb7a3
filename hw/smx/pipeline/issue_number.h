// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/strong_index.h"

namespace heddle {

/// The number of an instruction among those of a home warp, from 1 in the order of issue. The
/// default stands before the first one.
using issue_number = strong_index<struct issue_number_tag, std::uint64_t>;

}  // namespace heddle
