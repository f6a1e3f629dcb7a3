// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/thread_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/base/host_cores.h"

namespace heddle::command {

unsigned thread_options::used() const {
    return delay_seed != 0 ? wanted : std::min(wanted, host_cores());
}

std::string thread_options::note() const {
    if (used() == wanted) return {};
    return fmt::format("as many as this process may use cores: {}", used());
}

}  // namespace heddle::command
