// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/lanes.h"

#include <algorithm>
#include <utility>

#include "hw/base/clock_domain.h"

namespace heddle {

/// Domains are dealt one by one, as their edges usually don't coincide. Late edges do, with those
/// of the first domain that has parts to share.
void lanes::prepare(const std::vector<clock_domain*>& domains, const clock_domain* late) {
    domains_ = domains;
    for (std::size_t d = 0; d < domains.size(); ++d) {
        const std::size_t parts = domains[d]->parts_.size();
        domains[d]->place_ = d;
        weights_.emplace_back(parts);
        for (auto& each : masks_) each.emplace_back((parts + 63) / 64);
        for (auto& each : counts_) each.emplace_back(parts);
        if (domains[d] != late) together_.push_back({d});
    }
    for (const shared_part& each : shared_) {
        weights_[each.part->domain_->place_][each.part->index_] = each.weight;
    }
    if (late != nullptr) {
        const auto shares = [&](const std::vector<std::size_t>& group) {
            const std::vector<std::uint32_t>& weights = weights_[group.front()];
            return std::any_of(weights.begin(), weights.end(), [](auto each) { return each != 0; });
        };
        auto with = std::find_if(together_.begin(), together_.end(), shares);
        if (with == together_.end()) with = together_.insert(with, std::vector<std::size_t>());
        with->push_back(late->place_);
    }
    deal();
}

void lanes::deal() {
    for (const std::vector<std::size_t>& group : together_) deal_together(group);
}

void lanes::deal_together(const std::vector<std::size_t>& domains) {
    struct piece {
        std::size_t domain, part;
        std::uint64_t work;
    };
    std::vector<piece> pieces;
    for (const std::size_t d : domains) {
        for (auto& each : masks_) std::fill(each[d].begin(), each[d].end(), 0);
        for (std::size_t p = 0; p < weights_[d].size(); ++p) {
            std::uint64_t evaluations = 1;
            for (auto& each : counts_) evaluations += std::exchange(each[d][p], 0);
            if (weights_[d][p] != 0) pieces.push_back({d, p, weights_[d][p] * evaluations});
        }
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const piece& a, const piece& b) { return a.work > b.work; });
    std::vector<std::uint64_t> load(masks_.size());
    for (const piece& each : pieces) {
        const auto least = std::min_element(load.begin(), load.end());
        const auto thread = static_cast<std::size_t>(least - load.begin());
        *least += each.work;
        masks_[thread][each.domain][each.part / 64] |= std::uint64_t{1} << (each.part % 64);
        domains_[each.domain]->parts_[each.part]->lane_ = static_cast<std::uint8_t>(thread);
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

bool lanes::others_awake(const std::vector<clock_domain*>& due) const {
    bool any = false;
    for (const clock_domain* const domain : due) {
        const std::vector<std::uint32_t>& weights = weights_[domain->place_];
        domain->for_each_awake([&](std::size_t part) { any |= weights[part] == 0; });
    }
    return any;
}

}  // namespace heddle
