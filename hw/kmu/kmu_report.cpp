// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the KMU counts and shows, and what it tells about a run that gets nowhere.
#include "hw/kmu/kmu.h"

namespace heddle {

bool kmu::empty() const {
    for (const auto& requests : requests_) {
        if (!requests.empty()) {
            return false;
        }
    }
    return queues_.idle() && pool_.size() == 0 && under_way_.empty() && fallbacks_.empty() &&
           suspended_.size() == 0 && returns_.empty();
}

std::string kmu::waiting_for() const {
    std::size_t queued = 0;
    std::size_t under_way = 0;
    std::size_t refused = 0;
    for (unsigned queue = 0; queue < queues_.count(); ++queue) {
        queued += queues_.size(queue);
        under_way += queues_.stopped(queue) ? 1 : 0;
    }
    for (const auto& requests : requests_) {
        refused += requests.size();
    }
    queued += pool_.size() + fallbacks_.size();
    under_way += under_way_.size();
    if (queued + under_way + refused == 0) {
        return {};
    }
    std::string text = std::to_string(under_way) + " kernels to complete (" +
                       std::to_string(pipeline_.size()) +
                       " of them not yet at the kernel distributor); " + std::to_string(queued) +
                       " launches queued, " + std::to_string(refused) + " waiting for a place";
    if (suspended_.size() != 0) {
        text += "; " + std::to_string(suspended_.size()) + " blocks suspended";
    }
    return text;
}

void kmu::collect(statistics& out, const std::string& scope) const {
    out.declare(scope, kmu_statistics);
    out.set(scope + ".launches", counts_.launches);
    out.set(scope + ".dispatches", counts_.dispatches);
    out.set(scope + ".completions", counts_.completions);
    out.set(scope + ".queue_wait", counts_.queue_wait);
    out.set(scope + ".distributor_wait", counts_.distributor_wait);
}

void kmu::show_waves() {
    waves_.show_pool(pool_.size() + fallbacks_.size(), suspended_.size());
    waves_.show_queues([&](unsigned queue, kmu_waves::queue& shown) {
        const std::size_t size = queues_.size(queue);
        const launch_ptr& running = running_[queue].launch;
        shown.occupancy.set(static_cast<std::int64_t>(size));
        shown.head.set(size == 0 ? 0 : queues_.head(queue).launch->launch.value());
        shown.running.set(running ? running->launch.value() : 0);
        shown.kernel.set(running ? running->kernel_name : std::string_view());
    });
}

}  // namespace heddle
