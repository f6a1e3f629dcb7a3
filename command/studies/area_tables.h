// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/analytic/formation_storage.h"
#include "models/analytic/launch_storage.h"
#include "models/analytic/transaction_storage.h"

namespace heddle::command {

/// Storage and area of dynamic warp formation, of dynamic thread block launch and of transactional
/// memory, computed and as their papers print them; text, or JSON with `as_json`.
[[nodiscard]] std::string area_tables(const analytic::formation_geometry& formation,
                                      const analytic::launch_geometry& launch,
                                      const analytic::transaction_geometry& transactions,
                                      bool as_json);

}  // namespace heddle::command
