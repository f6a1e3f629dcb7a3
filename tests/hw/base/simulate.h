// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <systemc>

#include "hw/base/sanitizer.h"

namespace heddle {

/// sc_start() where SC_THREADs run: what comes back from them has to say on which stack it is, or
/// the leak check at the end looks at one that may be gone.
template <class... Time>
void simulate(const Time&... time) {
    sc_core::sc_start(time...);
    restore_sanitizer_stack();
}

}  // namespace heddle
