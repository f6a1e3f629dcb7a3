// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/base/machine_configuration.h"
#include "models/device/device.h"
#include "models/program/image.h"
#include "runtime/protocol/commands.h"

namespace heddle::runtime {

/// The programs on the device, by number.
class program_store {
public:
    program_store(device& gpu, const machine_configuration& machine) noexcept
        : gpu_(gpu), machine_(machine) {}

    /// Throws configuration_error for bytes that are no program for this machine.
    loaded_answer load(const load_request& request);
    void unload(std::uint32_t program);
    /// Throws configuration_error for a number that is not known.
    [[nodiscard]] const program::kernel& kernel(std::uint32_t program, std::uint32_t kernel) const;

private:
    [[nodiscard]] kernel_description describe(const program::kernel& kernel) const;
    [[nodiscard]] std::uint32_t max_threads(const program::kernel& kernel) const;

    device& gpu_;
    const machine_configuration& machine_;
    std::map<std::uint32_t, std::shared_ptr<const program::image>> programs_;
    std::uint32_t next_ = 0;
};

}  // namespace heddle::runtime
