// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/attention.h"

#include <string>

#include "models/base/error.h"

namespace heddle::attention {

static_assert(std::atomic<unsigned>::is_always_lock_free, "signal handlers need it so");

void throw_interrupted(const char* during) {
    throw run_error(error_kind::interrupted,
                    std::string("interrupted while ") + during + ", results are partial");
}

}  // namespace heddle::attention
