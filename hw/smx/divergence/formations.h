// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/part_list.h"
#include "hw/smx/divergence/pdom.h"

namespace heddle {

/// What `smx.formation` chooses from; the first one is the default. A formation is made of the
/// number of warp slots.
using formations = part_list<formation_policy, pdom_formation>;

}  // namespace heddle
