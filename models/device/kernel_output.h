// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/device/device.h"

namespace heddle {

/// What kernels print: the host's half of models/program/soft/print.c, where the buffer is
/// described. Formats are C's and, with vectors (%v4f), OpenCL C's (1.2, section 6.12.13).
class kernel_output {
public:
    /// Bytes of device memory.
    struct memory {
        std::function<void(void* to, device_address from, std::size_t bytes)> get;
        std::function<void(device_address to, const void* from, std::size_t bytes)> put;
        std::function<bool(device_address, std::size_t)> exists;
    };
    using sink = std::function<void(std::string_view)>;

    explicit kernel_output(memory memory);

    /// Where text goes; standard output if this is never called. Null: nowhere.
    void print_to(sink to) { sink_ = std::move(to); }
    /// A program, which may print nothing, is there from now on.
    void load(program_id program, const program::image& image);
    void unload(program_id program);
    /// Prints the records that the buffers of the programs hold, in their order, and empties them.
    /// What found no room is counted in a last line.
    void show();

private:
    /// Where a program prints to.
    struct buffer {
        program_id program;
        device_address address = 0;
        std::uint32_t capacity = 0;  ///< words
    };
    void show(const buffer& of);
    [[nodiscard]] std::string text_of(const std::vector<std::uint32_t>& words);
    [[nodiscard]] std::string string_at(device_address address) const;

    memory memory_;
    sink sink_;
    std::vector<buffer> buffers_;  ///< of programs that print
};

}  // namespace heddle
