// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/lanes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hw/base/clock_domain.h"

namespace heddle {

void lanes::prepare(const std::vector<clock_domain*>& domains) {
    domains_ = domains;
    for (std::size_t d = 0; d < domains.size(); ++d) {
        const std::size_t parts = domains[d]->parts_.size();
        domains[d]->place_ = d;
        weights_.emplace_back(parts);
        for (auto& each : masks_) each.emplace_back((parts + 63) / 64);
        for (auto& each : counts_) each.emplace_back(parts);
    }
    for (const shared_part& each : shared_) {
        weights_[each.part->domain_->place_][each.part->index_] = each.weight;
    }
    deal();
}

/// Domains one by one, as their edges usually don't coincide.
void lanes::deal() {
    for (std::size_t d = 0; d < domains_.size(); ++d) deal(d);
}

void lanes::deal(std::size_t domain) {
    const std::vector<std::uint32_t>& weights = weights_[domain];
    std::vector<std::uint64_t> work(weights.size());
    for (std::size_t p = 0; p < work.size(); ++p) {
        std::uint64_t evaluations = 1;
        for (auto& each : counts_) evaluations += std::exchange(each[domain][p], 0);
        work[p] = weights[p] * evaluations;
    }
    std::vector<std::size_t> order(work.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return work[a] > work[b]; });
    std::vector<std::uint64_t> load(masks_.size());
    for (auto& each : masks_) std::fill(each[domain].begin(), each[domain].end(), 0);
    for (const std::size_t p : order) {
        if (weights[p] == 0) continue;
        const auto least = std::min_element(load.begin(), load.end());
        const auto thread = static_cast<std::size_t>(least - load.begin());
        *least += work[p];
        masks_[thread][domain][p / 64] |= std::uint64_t{1} << (p % 64);
        domains_[domain]->parts_[p]->lane_ = static_cast<std::uint8_t>(thread);
    }
}

std::uint32_t lanes::awake_weight(const std::vector<clock_domain*>& due) const {
    std::uint32_t sum = 0;
    for (const clock_domain* const domain : due) {
        const std::vector<std::uint32_t>& weights = weights_[domain->place_];
        domain->for_each_awake([&](std::size_t part) { sum += weights[part]; });
    }
    return sum;
}

}  // namespace heddle
