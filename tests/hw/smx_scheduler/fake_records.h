// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "hw/smx_scheduler/groups/group_chain.h"

namespace heddle {

inline constexpr std::uint32_t records = 0xd000'0000;

constexpr record_address record_at(std::uint32_t offset) {
    return record_address(records + offset);
}

/// Records with stores in order; a fetch takes its value when it leaves, and comes when told, in
/// any order.
class fake_memory final : public record_memory {
public:
    void store_next(record_address record, group_index next) override { words_[record] = next; }
    void fetch(record_address record) override {
        for (const answer& other : under_way_) EXPECT_NE(other.record, record) << "again";
        under_way_.push_back({record, words_.at(record)});
        most_under_way = std::max(most_under_way, under_way_.size());
        ++fetches;
    }
    std::optional<answer> fetched() override {
        if (arrived_.empty()) return std::nullopt;
        const answer first = arrived_.front();
        arrived_.pop_front();
        return first;
    }
    [[nodiscard]] std::size_t pending() const { return under_way_.size(); }
    /// The record that was sent for as number `place` of those that are under way comes.
    void arrive(std::size_t place = 0) {
        arrived_.push_back(under_way_.at(place));
        under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    unsigned fetches = 0;
    std::size_t most_under_way = 0;

private:
    std::map<record_address, group_index> words_;
    std::vector<answer> under_way_;
    std::deque<answer> arrived_;
};

}  // namespace heddle
