// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/strong_index.h"

namespace heddle {

/// AGEI: names an aggregated group that has joined a Kernel Distributor Entry. Wang et al.,
/// "Dynamic Thread Block Launch", ISCA 2015, 4.2.
using group_index = strong_index<struct group_index_tag>;
/// Names no group; as a source of blocks: the entry's own kernel.
inline constexpr group_index null_group{0xffffffff};

}  // namespace heddle
