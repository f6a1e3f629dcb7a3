// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/base/error.h"
#include "models/device/device.h"

namespace heddle {

/// Where in a running grid something happened.
struct device_location {
    std::string kernel;
    dim3 block;
    dim3 thread;
    std::uint32_t pc = 0;

    /// "kernel 'k', block (0,0,0), thread (3,0,0), PC 0x00010010, k.cpp:12 in k"; the source line
    /// comes from the program's debug information.
    [[nodiscard]] std::string text(const program::image& image) const;
};

/// A device program did something illegal: exit code 3. The message says what, where (kernel,
/// block, thread, PC, source line) and, for an access, the address and the nearest allocation.
class kernel_fault : public run_error {
public:
    kernel_fault(const std::string& what, const device_location& where,
                 const program::image& image);

    [[nodiscard]] const device_location& where() const noexcept { return where_; }

private:
    device_location where_;
};

/// "(1,2,3)"
[[nodiscard]] std::string to_text(const dim3& value);

}  // namespace heddle
