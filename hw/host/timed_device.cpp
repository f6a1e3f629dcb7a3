// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/host/timed_device.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "models/device/program_table.h"

namespace heddle {

timed_device::timed_device(const machine_configuration& machine, std::uint32_t queues,
                           host& runs_in)
    : basic_device(machine, "timed machine"), host_(runs_in), queues_(queues) {
    launches().observe(*this);
    host_.on_completed([this](launch_id id) {
        if (!id.by_host()) return;
        launch_ended(*launches().find(id));
        times_[number_of(id).value()].end = host_.domain().edge();
        submit_held();
    });
}

launch_times timed_device::times(launch_number launch) const {
    (void)basic_device::times(launch);
    return times_[launch.value()];
}

void timed_device::skip_launches(std::uint64_t launches, fast_forward& by) noexcept {
    to_skip_ = launches;
    skipping_ = launches != 0 ? &by : nullptr;
    runtime().announce(skipping_ == nullptr);
}

written_pages* timed_device::written() noexcept {
    if (!mark_) return nullptr;
    if (written_ == nullptr) {
        written_ = std::make_unique<written_pages>();
        mark_(*written_);
    }
    const bool known = skipping_ == nullptr && !std::exchange(unmarked_, false);
    return known ? written_.get() : nullptr;
}

void timed_device::put(device_address to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    if (skipping_ != nullptr) {
        std::memcpy(skipping_->memory() + to, from, bytes);
        return;
    }
    if (written_ != nullptr) written_->mark(to, bytes);
    if (observer_ != nullptr) observer_->wrote(to, from, bytes);
    // A generic payload has no const data pointer; a write does not change it.
    auto* const data = const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(from));
    host_.copy(tlm::TLM_WRITE_COMMAND, to, data, bytes);
}

void timed_device::get(void* to, device_address from, std::size_t bytes) {
    if (bytes == 0) return;
    if (skipping_ != nullptr) {
        std::memcpy(to, skipping_->memory() + from, bytes);
        return;
    }
    host_.copy(tlm::TLM_READ_COMMAND, from, static_cast<std::uint8_t*>(to), bytes);
}

launch_number timed_device::launch(const program::kernel& kernel, const launch_shape& shape,
                                   const std::vector<std::byte>& parameters) {
    const prepared_launch prepared = prepare(kernel, shape, parameters);
    const launch_number number = number_of(prepared.id);
    launch_times& times = times_.emplace_back();
    if (to_skip_ != 0) {
        --to_skip_;
        ++skipped_;
        open_.push_back(prepared.id);
        skipping_->launch(*launches().enter(prepared));
        return number;
    }
    if (skipping_ != nullptr) begin_time();
    pool_ptr<protocol::kernel_launch> launch = host_.launches().make();
    launch->carry(*launches().announce(prepared));
    launch->times = &times;
    times.queued = host_.domain().edge_count();
    launch->queue = hwq_id(shape.stream.value() % queues_);
    open_.push_back(prepared.id);
    if (!held_.holds(shape.stream)) {
        host_.submit(std::move(launch));
        return number;
    }
    held_.add(shape.stream, std::move(launch));
    submit_held();  // what it waits for may have happened
    return number;
}

void timed_device::hold(stream_id stream, event_id event) {
    check_stream(stream);
    // Launches that are skipped run one after the other.
    if (!finished(event) && skipping_ == nullptr) held_.hold(stream, event);
}

void timed_device::submit_held() {
    const auto done = [this](const std::vector<event_id>& events) {
        return std::all_of(events.begin(), events.end(),
                           [this](event_id event) { return finished(event); });
    };
    for (auto& launch : held_.take(done)) host_.submit(std::move(launch));
}

void timed_device::launched(const prepared_launch& launch) {
    if (!launch.id.by_host()) blocks_by_kernels_ += launch.shape.grid.count();
    const std::uint32_t kernel = launch.program->counted(*launch.kernel).number;
    if (launch_counts_.size() <= kernel) launch_counts_.resize(kernel + 1);
    ++launch_counts_[kernel];
}

/// The skipped launches end, whatever stream they are in, and their memory moves.
void timed_device::begin_time() {
    fast_forward& from = *skipping_;
    from.run();
    skipping_ = nullptr;
    unmarked_ = true;
    runtime().announce(true);
    for (const auto& [address, range] : ranges().ranges()) {
        put(address, from.memory() + address, range.size);
    }
}

void timed_device::run_until(const std::function<bool()>& condition) {
    if (skipping_ != nullptr) {
        synchronize();
    } else {
        host_.wait_until(condition);
    }
}

std::uint64_t timed_device::wait_until(std::uint64_t cycle) {
    if (skipping_ != nullptr) {
        synchronize();
        return cycle;
    }
    if (cycle > host_.domain().edge_count()) host_.wait_until_edge(cycle);
    return host_.domain().edge_count();
}

void timed_device::synchronize() {
    if (skipping_ != nullptr) {
        if (!open_.empty()) skipping_->run();
    } else {
        host_.wait_until_idle();
        if (observer_ != nullptr && !open_.empty()) observer_->settled();
    }
    for (const launch_id id : open_) retire(*launches().find(id));
    if (!open_.empty()) show_output();
    open_.clear();
    give_back_released();
}

}  // namespace heddle
