// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/data_folders.h"

namespace heddle {

/// Those of the source tree and of the folder that it was built in.
[[nodiscard]] data_folders tree_data_folders();

}  // namespace heddle
