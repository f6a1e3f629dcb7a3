// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/isa/execute_handlers.h"

namespace heddle::isa {

HEDDLE_INSTANTIATE_LANES(16);

}  // namespace heddle::isa
