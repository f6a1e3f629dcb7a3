// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_id.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace heddle {

launch_id launch_id::next() const {
    if (is_last()) {
        throw configuration_error(
            fmt::format("launch {} is the last one that its launcher can make; legal: up to {} "
                        "launches each by the host and on each SMX",
                        to_text(*this), most));
    }
    launch_id after = *this;
    ++after.value_;
    return after;
}

std::string to_text(launch_id id) {
    if (id.by_host()) return std::to_string(id.count());
    return fmt::format("{}.{}", id.launcher().value(), id.count());
}

std::ostream& operator<<(std::ostream& out, launch_id id) {
    return out << to_text(id);
}

}  // namespace heddle
