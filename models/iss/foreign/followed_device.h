// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/device/basic_device.h"
#include "models/iss/foreign/foreign_core.h"
#include "models/iss/foreign/retired_coverage.h"
#include "models/iss/foreign/told_memory.h"

namespace heddle::iss {

/// A device whose kernels run on a core that is not ours. Programs, buffers and launches are as on
/// any device; a launch runs when the core tells what it does (foreign_core), and has ended after
/// finish(). Nothing here waits: a call that needs the end of launches is a configuration_error
/// before.
///
/// Its memory is that of the reference after the launches: what the core's memory holds where
/// tell_memory() has said it, else what the reference expects there.
class followed_device final : public basic_device {
public:
    followed_device(const machine_configuration& machine, const foreign_rules& rules);
    ~followed_device() override;

    /// Refuses what a core can't be followed in: cooperative kernels, transactions, launches by
    /// kernels.
    launch_number launch(const program::kernel& kernel, const launch_shape& shape,
                         const std::vector<std::byte>& parameters) override;
    void synchronize() override;
    [[nodiscard]] std::optional<std::uint64_t> clock() const override { return std::nullopt; }

    /// Throws configuration_error for a record that can't be, and what the core did wrong, then and
    /// at every later call.
    void take(const heddle_retired& record);
    /// Bytes of the core's memory, now that its launches have ended: compared by finish(), also
    /// where no kernel has written.
    void tell_memory(device_address address, const void* from, std::size_t bytes);
    /// A launch that has not ended; configuration_error if there is none of this number.
    [[nodiscard]] const prepared_launch& open_launch(std::uint32_t id) const;
    /// A word of memory as the launch finds it: of code, with the kernel's addresses of shared
    /// memory.
    [[nodiscard]] std::uint32_t fetch(std::uint32_t launch, device_address address) const;
    /// All launches have ended. Throws as take().
    void finish();

    [[nodiscard]] const foreign_core& core() const noexcept { return core_; }
    /// The reference of the core; for counts.
    [[nodiscard]] const lockstep_counts& counts() { return core_.reference().counts(); }
    /// Of all records so far.
    [[nodiscard]] const retired_coverage& coverage() const noexcept { return coverage_; }
    /// Launches that have not ended.
    [[nodiscard]] const std::vector<const prepared_launch*>& open() const noexcept { return open_; }

private:
    void put(device_address to, const void* from, std::size_t bytes) override;
    void get(void* to, device_address from, std::size_t bytes) override;
    [[nodiscard]] bool busy() const noexcept override { return !open_.empty(); }
    [[nodiscard]] lockstep_parts parts_of(const machine_configuration& machine);
    void throw_finding() const;
    [[nodiscard]] std::string difference_of_told() const;

    flat_memory memory_;
    foreign_core core_;
    retired_coverage coverage_;
    std::vector<const prepared_launch*> open_;
    told_memory told_;
};

}  // namespace heddle::iss
