// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/launch_plan.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace heddle::command {

std::vector<std::filesystem::path> launch_plan::inputs() const {
    std::vector<std::filesystem::path> files;
    const auto add = [&](const std::string& text) {
        const std::size_t at = text.find('@');
        if (at == 0 || (at != std::string::npos && text[at - 1] == '=')) {
            files.push_back(folder / text.substr(at + 1));
        }
    };
    for (const planned_buffer& buffer : buffers) add(buffer.definition.text);
    for (const planned_launch& launch : launches) {
        for (const located_text& argument : launch.arguments) add(argument.text);
    }
    for (const planned_file& file : golden) files.push_back(file.file);
    return files;
}

planned_file parse_named_file(const std::string& option, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw configuration_error(
            fmt::format("{} {}: expected NAME=FILE with the name of a buffer, as in out=out.npy",
                        option, text));
    }
    return {text.substr(0, equals), text.substr(equals + 1), option + " " + text};
}

}  // namespace heddle::command
