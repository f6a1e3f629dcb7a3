// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/base/parameter.h"

namespace heddle {

/// The effective configuration as a table: key, value, unit, source, description
/// (`heddle describe config`).
[[nodiscard]] std::string describe_text(const parameter_list& parameters);
/// The same as JSON: {"smx.max_blocks": {"value", "unit", "default", "source", "description"},
/// ...}.
[[nodiscard]] std::string describe_json(const parameter_list& parameters);

/// Every declared parameter as a table: key, default, unit, legal values, description
/// (`heddle list parameters`).
[[nodiscard]] std::string parameters_text(const parameter_list& parameters);
/// The same as JSON: [{"key", "type", "default", "unit", "legal", "description"}, ...]. Those that
/// say what helps have also "better" (smaller, larger, or one value), "block" and, unless any
/// larger value is better than a smaller one, "ideal".
[[nodiscard]] std::string parameters_json(const parameter_list& parameters);
/// The same as a Markdown page with the rules (docs/configuration.md).
[[nodiscard]] std::string parameters_markdown(const parameter_list& parameters);

}  // namespace heddle
