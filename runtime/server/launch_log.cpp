// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/launch_log.h"

#include <algorithm>
#include <string>

#include "models/base/error.h"

namespace heddle::runtime {

void launch_log::add(launch_number launch, stream_id stream, std::uint64_t now) {
    open_.push_back({count_++, launch, gpu_.record(stream), now});
}

void launch_log::add_refused() {
    ++count_;
}

void launch_log::wait(std::uint64_t launch) {
    if (launch >= count_) {
        throw configuration_error("wait for launch " + std::to_string(launch) + ": there are " +
                                  std::to_string(count_));
    }
    const auto found = std::lower_bound(
        open_.begin(), open_.end(), launch,
        [](const open_launch& open, std::uint64_t number) { return open.number < number; });
    if (found != open_.end() && found->number == launch) gpu_.wait(found->done);
}

bool launch_log::any_open() const {
    return std::any_of(open_.begin(), open_.end(),
                       [this](const open_launch& open) { return !gpu_.finished(open.done); });
}

std::vector<ended_launch> launch_log::take_ended(std::uint64_t now) {
    std::vector<ended_launch> ended;
    std::vector<open_launch> left;
    for (const open_launch& launch : open_) {
        if (gpu_.finished(launch.done)) {
            const launch_times times = gpu_.times(launch.launch);
            ended.push_back({launch.number, launch.submitted,
                             times.first_dispatch.value_or(launch.submitted),
                             times.end.value_or(now)});
        } else {
            left.push_back(launch);
        }
    }
    open_ = std::move(left);
    return ended;
}

}  // namespace heddle::runtime
