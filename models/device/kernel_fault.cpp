// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/kernel_fault.h"

#include <fmt/format.h>

#include "models/program/image.h"

namespace heddle {

std::string to_text(const dim3& value) {
    return fmt::format("({},{},{})", value.x, value.y, value.z);
}

std::string device_location::text(const program::image& image) const {
    const std::string line = image.locate(pc).text();
    return fmt::format("kernel '{}', block {}, thread {}, PC 0x{:08x}{}{}", kernel, to_text(block),
                       to_text(thread), pc, line.empty() ? "" : ", ", line);
}

kernel_fault::kernel_fault(const std::string& what, const device_location& where,
                           const program::image& image)
    : run_error(error_kind::kernel_fault, what + "\n  at " + where.text(image)), where_(where) {}

}  // namespace heddle
