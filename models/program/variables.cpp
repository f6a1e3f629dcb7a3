// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/variables.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace heddle::program {

const symbol& find_variable(const image& of, std::string_view name) {
    const symbol* const found = of.find_symbol(name);
    if (found != nullptr && !found->function) return *found;
    throw configuration_error(
        fmt::format("'{}' has no variable '{}'", of.name(), std::string(name)));
}

}  // namespace heddle::program
