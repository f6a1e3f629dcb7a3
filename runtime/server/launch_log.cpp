// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/launch_log.h"

#include <algorithm>
#include <string>

#include "models/base/error.h"

namespace heddle::runtime {

void launch_log::add(launch_number launch, stream_id stream, std::uint64_t now) {
    open_.push_back({count_++, launch, gpu_.record(stream), now, {}});
}

void launch_log::add_refused() {
    ++count_;
}

const launch_log::open_launch* launch_log::find(std::uint64_t launch) const {
    if (launch >= count_) {
        throw configuration_error("wait for launch " + std::to_string(launch) + ": there are " +
                                  std::to_string(count_));
    }
    const auto found = std::lower_bound(
        open_.begin(), open_.end(), launch,
        [](const open_launch& open, std::uint64_t number) { return open.number < number; });
    return found != open_.end() && found->number == launch ? &*found : nullptr;
}

void launch_log::wait(std::uint64_t launch) {
    if (const open_launch* const open = find(launch)) gpu_.wait(open->done);
}

void launch_log::hold(stream_id stream, std::uint64_t launch) {
    if (const open_launch* const open = find(launch)) gpu_.hold(stream, open->done);
}

bool launch_log::any_open() const {
    return std::any_of(open_.begin(), open_.end(),
                       [this](const open_launch& open) { return !gpu_.finished(open.done); });
}

void launch_log::note_ended(std::uint64_t now) {
    for (; noted_ < open_.size() && gpu_.finished(open_[noted_].done); ++noted_) {
        open_[noted_].ended = now;
    }
}

std::vector<ended_launch> launch_log::take_ended(std::uint64_t now) {
    std::vector<ended_launch> ended;
    std::vector<open_launch> left;
    for (const open_launch& launch : open_) {
        if (gpu_.finished(launch.done)) {
            const launch_times times = gpu_.times(launch.launch);
            ended.push_back({launch.number, launch.submitted,
                             times.first_dispatch.value_or(launch.submitted),
                             times.end.value_or(launch.ended.value_or(now))});
        } else {
            left.push_back(launch);
        }
    }
    open_ = std::move(left);
    noted_ = 0;
    return ended;
}

}  // namespace heddle::runtime
