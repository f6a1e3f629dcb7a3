// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/followed_run.h"

#include <fmt/format.h>

#include "hw/top/gpu.h"
#include "hw/top/gpu_counts.h"
#include "hw/top/simulation.h"
#include "models/base/error.h"

namespace heddle::command {

followed_run::followed_run(const timed_options& options, const gpu_configuration& configuration)
    : checks_(options.follow.check ||
              configuration.slots.smx.implementation == pins::block_implementation::shadow),
      watch_(options.follow.watch) {
    const follow_options& follow = options.follow;
    std::vector<retire_scope> scopes;
    scopes.reserve(follow.retire_scopes.size());
    for (const std::string& text : follow.retire_scopes) {
        scopes.push_back(parse_retire_scope(text));
        const std::uint64_t smxs = configuration.machine.smx_count;
        if (scopes.back().smx.first < smxs) continue;
        throw configuration_error(fmt::format(
            "--retire-scope {}: there is no such SMX; legal: smx=0 to smx={}", text, smxs - 1));
    }
    if (!follow.retire_file.empty()) file_ = std::make_unique<retire_file>(follow.retire_file);
    if (file_ || follow.retired) {
        retired_ = std::make_unique<retire_stream>(
            std::move(scopes),
            [file = file_.get(), heard = follow.retired](const auto& retired) {
                if (file != nullptr) file->write(retired);
                if (heard) heard(retired);
            },
            follow.retired_parts);
    }
    if (!follow.thread_progress_file.empty()) {
        const machine_configuration& machine = configuration.machine;
        progress_ = std::make_unique<thread_progress>(
            follow.thread_progress_file,
            options.records.interval.value_or(record_options::default_interval),
            machine.smx.max_threads, machine.warp_size);
    }
}

void followed_run::attach(simulation& simulated, const gpu_configuration& configuration) {
    if (checks_) check_ = std::make_unique<lockstep_check>(simulated, configuration);
    if (watch_ != nullptr) {
        debugged_ = std::make_unique<debugged_machine>(simulated, configuration, *watch_);
    }
    const auto& smxs = simulated.machine().smxs();
    for (std::size_t i = 0; i < smxs.size(); ++i) {
        execution_observer* observer = check_ ? &check_->observer(i) : nullptr;
        // Before the check: the line of an instruction that differs is still written.
        if (retired_) add(observer, retired_->observer(i, configuration.machine.warp_size));
        if (progress_ && i == 0) add(observer, *progress_);
        if (debugged_) add(observer, debugged_->observer(i));
        smxs[i]->observe(observer);
    }
}

/// `observer` is told first.
void followed_run::add(execution_observer*& to, execution_observer& observer) {
    if (to == nullptr) {
        to = &observer;
        return;
    }
    pairs_.push_back(std::make_unique<observer_pair>(observer, *to));
    to = pairs_.back().get();
}

void followed_run::finish(const gpu& machine) {
    if (file_) file_->finish();
    if (progress_) progress_->finish(present(machine).core);
}

std::uint64_t followed_run::races() const {
    if (!check_) return 0;
    return check_->counts().racing_values + check_->counts().shared_races;
}

std::string followed_run::first_race() const {
    const iss::lockstep_counts& counts = check_->counts();
    return counts.shared_races != 0 ? counts.first_shared_race : counts.first_racing;
}

void followed_run::report(device_run& result) const {
    if (!check_) return;
    const iss::lockstep_counts& counts = check_->counts();
    result.rows.push_back({"check", result.failure ? "ended" : "equal",
                           fmt::format("{} warp instructions", counts.instructions)});
    if (counts.racing_values != 0) {
        result.rows.push_back({"racing loads", std::to_string(counts.racing_values),
                               fmt::format("of {} values from global memory had several legal "
                                           "values",
                                           counts.loaded_values)});
        result.notes.push_back({"first racing load", counts.first_racing});
    }
    if (counts.shared_races != 0) {
        result.rows.push_back(
            {"shared races", std::to_string(counts.shared_races), "accesses without a barrier"});
        result.notes.push_back({"first race on shared memory", counts.first_shared_race});
    }
    if (counts.plain_conflicts != 0) {
        result.rows.push_back({"plain conflicts", std::to_string(counts.plain_conflicts),
                               "plain accesses to words of transactions under way"});
        result.notes.push_back({"first plain conflict", counts.first_plain_conflict});
    }
}

}  // namespace heddle::command
