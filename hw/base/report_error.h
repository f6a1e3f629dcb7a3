// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle {

/// SC_REPORT_ERROR for what a correct neighbour never does. Cold: the compiler takes what leads to
/// it out of the code that runs, of which more then fits into the host's caches.
[[gnu::cold, gnu::noinline]] void report_error(const char* id, const std::string& text,
                                               const char* file = __builtin_FILE(),
                                               int line = __builtin_LINE());

}  // namespace heddle
