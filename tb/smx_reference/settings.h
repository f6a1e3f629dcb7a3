// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "models/base/random.h"
#include "tb/smx_reference/smx_model.h"

namespace heddle::smx_reference {

/// What a configuration (a name in `folder`, or a file) says of the SMX, then KEY=VALUE.
[[nodiscard]] smx_settings load_settings(const std::string& config,
                                         const std::vector<std::string>& values,
                                         const std::string& folder);
/// Chooses every parameter of the SMX anew, but its size: any legal value that is not too large to
/// matter.
void randomize(smx_settings& settings, const random_stream& random);

}  // namespace heddle::smx_reference
