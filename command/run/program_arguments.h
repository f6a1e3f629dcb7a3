// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/device/device.h"
#include "models/program/kernel.h"

namespace heddle::command {

/// A buffer that `--arg NAME:TYPE[COUNT][=INIT]` asks for.
struct argument_buffer {
    std::string name;
    std::string type;  ///< i8 u8 i16 u16 i32 u32 f32
    std::uint64_t count = 0;
    device_address address = 0;

    [[nodiscard]] std::size_t bytes() const;
    /// The first values, as numbers: "0 3 6 9 ...". They lie in the first previewed_bytes().
    [[nodiscard]] std::string preview(const std::vector<std::byte>& contents) const;
    [[nodiscard]] std::size_t previewed_bytes() const;
};

/// The arguments of one launch from the command line.
class program_arguments {
public:
    /// Parses one text per parameter by the parameter's kind and fills the buffers on the device.
    /// Throws configuration_error naming parameter, text and what is legal.
    program_arguments(const program::kernel& kernel, const std::vector<std::string>& texts,
                      device& target, std::uint64_t seed);

    [[nodiscard]] const std::vector<argument_buffer>& buffers() const noexcept { return buffers_; }
    [[nodiscard]] std::vector<std::byte> pack(const program::kernel& kernel,
                                              launch_shape& shape) const;

private:
    /// Address of the buffer that `text` asks for, 0 for null.
    device_address make_buffer(const program::kernel_parameter& parameter, const std::string& text,
                               device& target, std::uint64_t seed);

    std::vector<std::vector<std::byte>> values_;
    std::vector<launch_argument::kind> kinds_;
    std::vector<argument_buffer> buffers_;
};

}  // namespace heddle::command
