// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/pins_guard.h"

#include <fmt/format.h>

#include "models/base/error.h"
#include "models/program/kernel.h"

namespace heddle {

void pins_guard::launched(const prepared_launch& launch) {
    const program::kernel& kernel = *launch.kernel;
    const bool rtl = what_ != pins::block_implementation::pins;
    const auto refuse = [&](const std::string& why) {
        throw configuration_error(fmt::format(
            "launch of kernel '{}': {}, and SMXs behind pins don't; legal: slot.smx = tlm{}",
            kernel.name, why, rtl && kernel.transaction_pc ? " or pins" : ""));
    };
    if (kernel.launch_pc) {
        refuse(fmt::format("it launches kernels (at PC 0x{:08x})", *kernel.launch_pc));
    }
    if (rtl && kernel.transaction_pc) {
        refuse(fmt::format("it has transactions (at PC 0x{:08x})", *kernel.transaction_pc));
    }
    if (launch.shape.cooperative) refuse("its launch is a cooperative one");
}

}  // namespace heddle
