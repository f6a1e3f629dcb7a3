// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "command/nvcc/nvcc_options.h"

namespace heddle::command {

/// How an option has its value.
enum class nvcc_value : std::uint8_t {
    none,
    separate,  ///< `--name value`, `--name=value`, `-n value`, `-n=value`
    joined,    ///< also `-nvalue`
};

struct nvcc_option {
    std::vector<std::string_view> names;
    nvcc_value value;
    std::function<void(nvcc_request&, const std::string&)> take;
    std::string_view help;  ///< empty: accepted, and without a meaning here
};

[[nodiscard]] const std::vector<nvcc_option>& nvcc_option_table();

/// "a,b,c" in its parts.
[[nodiscard]] std::vector<std::string> comma_list(const std::string& text);

}  // namespace heddle::command
