// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/base/parameter.h"

namespace heddle::pins {

/// What stands in the place of a whole block, keys `slot.`: the TLM block; the same behind pins;
/// RTL behind pins; RTL behind pins, of which all that it does is compared (SMXs only).
enum class block_implementation : std::uint8_t { tlm, pins, rtl, shadow };

struct block_choice {
    block_implementation implementation = block_implementation::tlm;
    std::string where = "*";  ///< of which instances; the others have tlm

    /// What the instance with this hierarchical name has.
    [[nodiscard]] block_implementation of(const std::string& path) const;
    /// Adds the keys `name` and `name`.where; legal is what this build has.
    void declare(parameter_list& p, const std::string& name, const std::string& block);
    /// The same for a block that also has `shadow`.
    void declare_with_shadow(parameter_list& p, const std::string& name, const std::string& block);
};

}  // namespace heddle::pins
