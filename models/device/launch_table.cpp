// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_table.h"

namespace heddle {

const prepared_launch* launch_table::enter(const prepared_launch& launch) {
    if (launch.id == launch_id{}) return nullptr;
    const auto [entry, is_new] = launches_.emplace(launch.id, launch);
    return is_new ? &entry->second : nullptr;
}

const prepared_launch* launch_table::announce(const prepared_launch& launch) {
    const prepared_launch* const entry = enter(launch);
    if (entry == nullptr) return nullptr;
    for (launch_observer* const observer : observers_) observer->launched(*entry);
    return entry;
}

bool launch_table::remove(launch_id id) {
    return launches_.erase(id) != 0;
}

const prepared_launch* launch_table::find(launch_id id) const {
    const auto found = launches_.find(id);
    return found == launches_.end() ? nullptr : &found->second;
}

const prepared_launch* launch_table::first(
    const std::function<bool(const prepared_launch&)>& condition) const {
    const prepared_launch* found = nullptr;
    for (const auto& [id, launch] : launches_) {
        if ((found == nullptr || id < found->id) && condition(launch)) found = &launch;
    }
    return found;
}

}  // namespace heddle
