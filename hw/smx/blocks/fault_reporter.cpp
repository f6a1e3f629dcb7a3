// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/blocks/fault_reporter.h"

namespace heddle {

void fault_reporter::kernel_fault(const program::image& image, const device_location& where,
                                  unsigned warp, const std::string& what) {
    status_.report(error_kind::kernel_fault,
                   heddle::kernel_fault(what, where, image).what() + std::string("\n  in cycle ") +
                       std::to_string(part_.domain().edge()) + ", SMX " +
                       std::to_string(sm_.value()) + ", warp slot " + std::to_string(warp));
    stopped_ = true;
}

void fault_reporter::model_error(const std::string& what) {
    status_.report(error_kind::wrong_result, part_.part_name() + ": " + what);
    stopped_ = true;
}

}  // namespace heddle
