// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "hw/host/device_observer.h"
#include "hw/host/fast_forward.h"
#include "hw/host/held_launches.h"
#include "hw/host/host.h"
#include "models/device/basic_device.h"
#include "models/device/written_pages.h"

namespace heddle {

/// The timed machine as host programs see it. Its calls are made in the host module's thread:
/// whatever waits lets simulated time pass. Its clock counts core cycles.
///
/// The first launches may be skipped: `fast_forward` carries them out in a memory of its own, which
/// is the device's until the first launch that is timed (or until nothing was). Then all that the
/// device holds is copied into the machine's memory, before any cache has seen a byte of it, and
/// time begins. Launches keep their ids.
/// A launch that a stream holds back leaves the host when the host hears that what it waits for has
/// ended.
/// A stream uses hardware work queue `stream mod queues`, so that more streams than queues share.
class timed_device final : public basic_device, public write_marker, private launch_observer {
public:
    timed_device(const machine_configuration& machine, std::uint32_t queues, host& runs_in);

    launch_number launch(const program::kernel& kernel, const launch_shape& shape,
                         const std::vector<std::byte>& parameters) override;
    [[nodiscard]] launch_times times(launch_number launch) const override;
    void hold(stream_id stream, event_id event) override;
    void synchronize() override;
    [[nodiscard]] std::optional<std::uint64_t> clock() const override {
        if (skipping_ != nullptr) return std::nullopt;
        return host_.domain().edge_count();
    }

    std::uint64_t wait_until(std::uint64_t cycle) override;

    written_pages* written() noexcept override;

    /// Before the run: who is told where to mark writes, when somebody asks for them.
    void on_marking(std::function<void(written_pages&)> mark) { mark_ = std::move(mark); }
    /// Before the run: who follows the host's copies; null: nobody.
    void observe(device_observer* observer) noexcept { observer_ = observer; }
    /// Before the run: the first `launches` are carried out by `by`, which outlives the device.
    void skip_launches(std::uint64_t launches, fast_forward& by) noexcept;
    [[nodiscard]] std::uint64_t skipped_launches() const noexcept { return skipped_; }

    /// Timed launches, whoever made them, by the numbers of program_table::kernel_labels(); a
    /// kernel behind the last one has none.
    [[nodiscard]] const std::vector<std::uint64_t>& launch_counts() const noexcept {
        return launch_counts_;
    }

    /// Blocks of the timed launches by kernels, so far.
    [[nodiscard]] std::uint64_t blocks_by_kernels() const noexcept { return blocks_by_kernels_; }

private:
    void put(device_address to, const void* from, std::size_t bytes) override;
    void get(void* to, device_address from, std::size_t bytes) override;
    [[nodiscard]] bool busy() const noexcept override { return !open_.empty(); }

    void run_until(const std::function<bool()>& condition) override;
    void launched(const prepared_launch& launch) override;
    void begin_time();
    void submit_held();

    host& host_;
    device_observer* observer_ = nullptr;
    fast_forward* skipping_ = nullptr;  ///< holds the device's memory until time begins
    std::function<void(written_pages&)> mark_;
    std::unique_ptr<written_pages> written_;  ///< null: nobody has asked
    bool unmarked_ = false;                   ///< launches were skipped since somebody asked
    std::uint64_t to_skip_ = 0;
    std::uint64_t skipped_ = 0;
    std::uint32_t queues_;
    std::vector<std::uint64_t> launch_counts_;
    std::uint64_t blocks_by_kernels_ = 0;
    held_launches held_;
    std::vector<launch_id> open_;     ///< launched since the last synchronize()
    std::deque<launch_times> times_;  ///< by launch_number
};

}  // namespace heddle
