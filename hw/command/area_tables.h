// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/analytic/formation_storage.h"
#include "models/analytic/launch_storage.h"

namespace heddle::command {

/// Storage and area of dynamic warp formation and of dynamic thread block launch, computed and as
/// their papers print them; text, or JSON with `as_json`.
[[nodiscard]] std::string area_tables(const analytic::formation_geometry& formation,
                                      const analytic::launch_geometry& launch, bool as_json);

}  // namespace heddle::command
