// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle {

/// SystemC tells the address sanitizer when it switches to and from the stack of an SC_THREAD, but
/// not where the main stack lies, so that exceptions after a simulation look like bad accesses.
/// Call it after sc_start(). Does nothing in other builds.
void restore_sanitizer_stack();

}  // namespace heddle
