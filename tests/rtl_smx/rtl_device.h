// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/flat_memory.h"
#include "models/device/basic_device.h"
#include "models/iss/lockstep.h"
#include "tests/rtl_smx/retire_follower.h"
#include "tests/rtl_smx/rtl_core.h"

namespace heddle::rtl_smx {

struct rtl_settings {
    stall_rates stalls;
    std::uint64_t seed = 1;
    unsigned fault = 0;
    std::uint64_t patience = 300'000;  ///< clocks without a record
};

/// A machine whose SMX 1 is the RTL, with two SMXs of the size of configs/tiny.toml. All blocks run
/// on it, in lock step with the functional simulator. The first difference is an error of the run.
class rtl_device final : public basic_device, private launch_observer {
public:
    explicit rtl_device(const rtl_settings& settings);
    ~rtl_device() override;

    launch_number launch(const program::kernel& kernel, const launch_shape& shape,
                         const std::vector<std::byte>& parameters) override;
    void synchronize() override;
    [[nodiscard]] std::optional<std::uint64_t> clock() const override { return clocks_; }

    [[nodiscard]] std::uint64_t clocks() const noexcept { return clocks_; }
    [[nodiscard]] std::uint64_t steps() const noexcept { return follower_->steps(); }
    [[nodiscard]] const iss::lockstep_counts& counts() const { return reference_->counts(); }

private:
    struct channels;

    void put(device_address to, const void* from, std::size_t bytes) override;
    void get(void* to, device_address from, std::size_t bytes) override;
    [[nodiscard]] bool busy() const noexcept override { return !launches_.empty(); }
    void launched(const prepared_launch& launch) override;

    void run(const prepared_launch& launch);
    void clock_once();
    void check();
    [[nodiscard]] block_offer offer_of(const prepared_launch& launch, std::uint32_t block) const;
    [[nodiscard]] code_line line_at(std::uint32_t address) const;
    [[nodiscard]] bool may_access(std::uint32_t address, unsigned bytes, bool write) const;

    rtl_settings settings_;
    flat_memory memory_;
    std::deque<const prepared_launch*> launches_;
    std::unique_ptr<iss::lockstep> reference_;
    std::unique_ptr<retire_follower> follower_;
    std::unique_ptr<rtl_core> core_;
    std::unique_ptr<channels> channels_;
    std::vector<const prepared_launch*> ended_;  ///< and not forgotten yet
    bool offering_ = false;                      ///< a block is at the pins
    std::optional<run_error> error_;
    const prepared_launch* running_ = nullptr;
    std::uint64_t clocks_ = 0;
    std::uint64_t last_record_ = 0;
};

/// The machine of configs/tiny.toml, as far as a functional model knows it.
machine_configuration tiny_machine();

}  // namespace heddle::rtl_smx
