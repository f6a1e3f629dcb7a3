// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/divergence/formation.h"

#include "hw/smx/divergence/pdom.h"
#include "models/base/error.h"

namespace heddle {

std::unique_ptr<formation> make_formation(formation_policy policy, unsigned warps) {
    if (policy == formation_policy::pdom) return std::make_unique<pdom_formation>(warps);
    throw configuration_error("smx.formation = " + formation_policies().name(policy) +
                              ": this formation is not in this build; legal: pdom");
}

}  // namespace heddle
