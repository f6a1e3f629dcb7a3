// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/launch_mode.h"

#include "models/base/error.h"

namespace heddle::workloads {

std::string_view name_of(launch_mode mode) {
    switch (mode) {
        case launch_mode::cdp:
            return "cdp";
        case launch_mode::dtbl:
            return "dtbl";
        case launch_mode::flat:
            break;
    }
    return "flat";
}

chosen_mode parse_mode(const std::string& name) {
    if (name == "flat") return {launch_mode::flat, false};
    if (name == "cdp") return {launch_mode::cdp, false};
    if (name == "cdp_ideal") return {launch_mode::cdp, true};
    if (name == "dtbl") return {launch_mode::dtbl, false};
    if (name == "dtbl_ideal") return {launch_mode::dtbl, true};
    throw configuration_error("--mode " + name +
                              ": legal are flat, cdp, cdp_ideal, dtbl and dtbl_ideal");
}

}  // namespace heddle::workloads
