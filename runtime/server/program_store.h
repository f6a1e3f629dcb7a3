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
#include "runtime/server/program_builder.h"

namespace heddle::runtime {

/// The programs on the device, by number.
class program_store {
public:
    program_store(device& gpu, const machine_configuration& machine, bool double_precision)
        : gpu_(gpu), machine_(machine), builder_(double_precision) {}

    built_answer build(const build_request& request);
    built_answer link(const link_request& request);
    /// Throws configuration_error for bytes that are no program for this machine.
    loaded_answer load(const load_request& request);
    /// Takes it from the device when its launches have ended.
    void unload(std::uint32_t program);
    /// Launches may have ended.
    void settle();
    /// Throws configuration_error for a number that is not known.
    [[nodiscard]] const program::kernel& kernel(std::uint32_t program, std::uint32_t kernel) const;
    /// How many such blocks an SMX holds; 0: not one.
    [[nodiscard]] std::uint32_t blocks_per_unit(const occupancy_request& of) const;

private:
    [[nodiscard]] kernel_description describe(const program::kernel& kernel) const;
    [[nodiscard]] std::uint32_t max_threads(const program::kernel& kernel) const;

    struct stored {
        std::shared_ptr<const program::image> image;
        program_id id;
    };

    [[nodiscard]] program::program_place likely_place() const;
    stored place(const load_request& request);

    device& gpu_;
    const machine_configuration& machine_;
    program_builder builder_;
    std::map<std::uint32_t, stored> programs_;
    std::vector<program_id> leaving_;
    std::uint32_t next_ = 0;
};

}  // namespace heddle::runtime
