// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/launch_mode.h"

#include <vector>

#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle::workloads {

std::string_view name_of(launch_mode mode) {
    for (const named_mode& each : named_modes) {
        if (each.chosen.mode == mode && !each.chosen.ideal) return each.name;
    }
    return "";
}

chosen_mode parse_mode(const std::string& name) {
    std::vector<std::string> names;
    for (const named_mode& each : named_modes) {
        if (name == each.name) return each.chosen;
        names.emplace_back(each.name);
    }
    throw configuration_error("--mode " + name + ": legal are " + joined(names));
}

std::string mode_text() {
    std::string text;
    for (const named_mode& each : named_modes) {
        text += (text.empty() ? "" : "\n") + std::string(each.name) + ": " + each.description;
    }
    return text;
}

}  // namespace heddle::workloads
