// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "command/run/data/argument_buffers.h"
#include "models/device/device.h"
#include "models/program/kernel.h"

namespace heddle::command {

/// How the argument of a pointer names its buffer.
enum class buffer_naming {
    defined,  ///< NAME:TYPE[COUNT]=INIT: the argument adds the buffer
    by_name,  ///< NAME: the buffer has been added before
};

/// The arguments of one launch.
class program_arguments {
public:
    /// Parses one text per parameter by the parameter's kind. `folder` is where relative names of
    /// files begin. Throws configuration_error naming parameter, text and what is legal.
    program_arguments(const program::kernel& kernel, const std::vector<located_text>& texts,
                      buffer_naming naming, const std::filesystem::path& folder,
                      argument_buffers& buffers);

    /// The kernel's parameter buffer, once the buffers have been made.
    [[nodiscard]] std::vector<std::byte> pack(const program::kernel& kernel, launch_shape& shape,
                                              const argument_buffers& buffers) const;

private:
    struct argument {
        launch_argument::kind what;
        std::vector<std::byte> value;
        std::optional<std::size_t> buffer;  ///< its address is the value
    };

    std::vector<argument> arguments_;
};

}  // namespace heddle::command
