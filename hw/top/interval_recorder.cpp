// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/interval_recorder.h"

#include "hw/base/run_control.h"
#include "hw/top/gpu.h"
#include "hw/top/gpu_statistics.h"
#include "models/base/series_file.h"

namespace heddle {

interval_recorder::interval_recorder(const gpu& machine, const gpu_configuration& configuration,
                                     std::uint64_t interval, series_file& file,
                                     run_control& control)
    : machine_(machine), configuration_(configuration), interval_(interval), file_(file) {
    declare_gpu(values_);
    values_.declare("coop", cooperation_series_statistics);
    control.look_at(due(), [this] { return look(); });
}

std::uint64_t interval_recorder::due() const {
    return machine_.core_clock().rate().edge_time(start_ + interval_);
}

std::uint64_t interval_recorder::look() {
    add_row(moment_before(machine_, due()));
    return due();
}

void interval_recorder::add_row(const gpu_moment& until) {
    gpu_counts now = counts_at(machine_, until);
    gpu_counts counted = now;
    counted.subtract(before_);
    values_.unset();
    set_gpu(values_, counted, configuration_);
    set_cooperation(until.core);
    file_.add(start_, until.core, values_);
    before_ = std::move(now);
    start_ = until.core;
}

/// Unset where no cooperative launch has run.
void interval_recorder::set_cooperation(std::uint64_t until) {
    const cooperation_counts& counts = machine_.block_scheduler().cooperation().counts();
    const std::uint64_t cycles = counts.busy_cycles(until) - cooperative_;
    const std::uint64_t blocks = counts.group_cycles(until) - cooperative_blocks_;
    cooperative_ += cycles;
    cooperative_blocks_ += blocks;
    if (cycles == 0) return;
    values_.set("coop.groups", static_cast<double>(blocks) / static_cast<double>(cycles));
}

void interval_recorder::finish() {
    const gpu_moment end = present(machine_);
    while (start_ + interval_ < end.core) look();
    if (start_ < end.core) add_row(end);
}

}  // namespace heddle
