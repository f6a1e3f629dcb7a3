// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include "models/device/launch_id.h"

namespace heddle {

/// Launches by kernels that wait in the KMU: those of one stream for each other, those whose turn
/// it is for their dispatch, first come, first served. `Item` is what waits.
/// O(1) a call, however many wait.
template <class Item>
class device_launches {
public:
    /// What waits for nothing but its dispatch.
    void add(Item item) {
        ready_.push_back(std::move(item));
        ++size_;
    }
    /// What waits for the earlier launches of `stream` (stream_key()) to end.
    void add(std::uint64_t stream, Item item) {
        std::deque<Item>& others = streams_[stream];
        ++size_;
        if (others.empty()) {
            // The place of the one that runs: it is empty from now on.
            others.emplace_back();
            ready_.push_back(std::move(item));
        } else {
            others.push_back(std::move(item));
        }
    }
    [[nodiscard]] bool ready() const noexcept { return !ready_.empty(); }
    /// Precondition: ready().
    [[nodiscard]] Item take() {
        Item next = std::move(ready_.front());
        ready_.pop_front();
        --size_;
        return next;
    }
    /// A launch of a stream has ended: the next one may be dispatched.
    void ended(std::uint64_t stream) {
        const auto found = streams_.find(stream);
        std::deque<Item>& others = found->second;
        others.pop_front();
        if (others.empty()) {
            streams_.erase(found);
            return;
        }
        ready_.push_back(std::move(others.front()));
    }
    /// Launches that have not been taken.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    std::deque<Item> ready_;
    /// By stream: the launch that may run or runs, whose item has left, then those that wait.
    std::unordered_map<std::uint64_t, std::deque<Item>> streams_;
    std::size_t size_ = 0;
};

}  // namespace heddle
