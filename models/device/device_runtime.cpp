// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/device_runtime.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/device/program_table.h"

namespace heddle {
namespace {

std::uint32_t buffer_of(const prepared_launch& launch) {
    return launch.parameters - launch_request::parameters_offset;
}

}  // namespace

device_runtime::device_runtime(const machine_configuration& machine, launch_table& launches)
    : machine_(machine),
      launches_(launches),
      pool_(machine.launch.enabled ? machine.launch.pool_bytes : 0, machine.smx_count),
      save_areas_(machine.smx_count) {
    for (std::uint32_t sm = 0; sm < machine.smx_count; ++sm) {
        last_launch_.emplace_back(sm_id(sm), 0);
        last_stream_.emplace_back(sm_id(sm), 0);
    }
}

std::uint32_t device_runtime::create_stream(sm_id sm) {
    if (last_stream_[sm].is_last()) return 0;
    last_stream_[sm] = last_stream_[sm].next();
    return last_stream_[sm].value();
}

bool device_runtime::stream_exists(std::uint32_t stream) const {
    return std::any_of(last_stream_.begin(), last_stream_.end(), [&](launch_id last) {
        const std::uint32_t none = last.value() - last.count();
        return stream > none && stream <= last.value();
    });
}

std::uint32_t device_runtime::record_bytes(launch_kind kind) const noexcept {
    return kind == launch_kind::kernel ? machine_.launch.kernel_record_bytes
                                       : machine_.launch.group_record_bytes;
}

std::uint32_t device_runtime::footprint_of(std::uint32_t buffer) const noexcept {
    const std::uint32_t granule = machine_.launch.footprint_granule;
    return (pool_.bytes_at(buffer) + granule - 1) / granule * granule;
}

void device_runtime::grow_footprint(std::uint64_t bytes) noexcept {
    footprint_ += bytes;
    footprint_peak_ = std::max(footprint_peak_, footprint_);
}

std::uint32_t device_runtime::allocate_buffer(sm_id sm, std::uint32_t bytes) {
    const std::uint32_t buffer = pool_.allocate(sm, bytes);
    if (buffer != 0) grow_footprint(footprint_of(buffer));
    return buffer;
}

launch_answer device_runtime::refuse(std::uint32_t buffer, launch_error why) {
    footprint_ -= footprint_of(buffer);
    (void)pool_.release(buffer);
    return {why, nullptr};
}

launch_answer device_runtime::launch(const launcher& by, launch_kind kind, std::uint32_t buffer,
                                     const launch_request& request, std::uint32_t stream) {
    const prepared_launch& parent = *launches_.find(by.launch);
    const judged_launch judged =
        judge_launch(request, buffer, pool_.bytes_at(buffer), *parent.program->image, machine_);
    if (judged.error != launch_error::none) return refuse(buffer, judged.error);
    if (kind == launch_kind::kernel && stream != 0 && !stream_exists(stream)) {
        return refuse(buffer, launch_error::invalid_resource_handle);
    }
    const std::uint32_t depth = parent.depth + 1;
    if (depth > machine_.launch.depth_limit) {
        return refuse(buffer, launch_error::max_depth_exceeded);
    }
    // An SMX that has no more ids refuses: nothing may throw in its process.
    if (pending_ == machine_.launch.pending_limit || last_launch_[by.sm].is_last()) {
        return refuse(buffer, launch_error::pending_count_exceeded);
    }
    last_launch_[by.sm] = last_launch_[by.sm].next();
    prepared_launch made;
    made.id = last_launch_[by.sm];
    made.parent = by.launch;
    made.program = parent.program;
    made.kernel = judged.kernel;
    made.shape = judged.shape;
    made.shape.stream = stream_id(kind == launch_kind::kernel ? stream : 0);
    made.shape.priority = parent.shape.priority;
    made.per_block = judged.per_block;
    made.parameters = request.parameters;
    made.parent_block = by.block;
    made.depth = depth;
    made.group = kind == launch_kind::group;
    (void)pool_.seal(buffer);
    ++pending_;
    grow_footprint(record_bytes(kind));
    return {launch_error::none, announce_ ? launches_.announce(made) : launches_.enter(made)};
}

void device_runtime::first_block_begins(launch_id launch) {
    if (launch.by_host()) return;
    --pending_;
    if (machine_.launch.footprint_until == launch_memory::start) {
        leave_footprint(*launches_.find(launch));
    }
}

void device_runtime::leave_footprint(const prepared_launch& launch) noexcept {
    footprint_ -= footprint_of(buffer_of(launch)) +
                  record_bytes(launch.group ? launch_kind::group : launch_kind::kernel);
}

void device_runtime::blocks_ended(launch_id launch) {
    if (launch.by_host()) return;
    const prepared_launch& ends = *launches_.find(launch);
    if (machine_.launch.footprint_until == launch_memory::end) leave_footprint(ends);
    (void)pool_.release(buffer_of(ends));
}

void device_runtime::ended(launch_id launch) {
    if (!launch.by_host()) (void)launches_.remove(launch);
}

void device_runtime::all_ended() noexcept {
    pool_.release_all();
    footprint_ = 0;
}

std::string no_buffer_text(const launch_pool& pool, std::uint32_t address) {
    return fmt::format("launch of the record at 0x{:08x}, {}", address,
                       pool.bytes_at(address) != 0
                           ? "which has been launched already"
                           : "where no parameter buffer of this machine begins");
}

}  // namespace heddle
