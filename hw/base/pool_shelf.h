// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/base/host_cache.h"

namespace heddle {

/// The payloads that a pool has allocated, and which of them are free. The payload that was
/// returned last is taken first.
template <class T>
class pool_shelf {
public:
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Payloads ever allocated: the largest number that was in use at once.
    [[nodiscard]] std::size_t capacity() const noexcept { return all_.size(); }
    /// Payloads in use.
    [[nodiscard]] std::size_t live() const noexcept { return all_.size() - free_count_; }
    /// Empty if all payloads have come back, else a sentence that says how many have not.
    [[nodiscard]] std::string leak_report() const {
        if (live() == 0) {
            return {};
        }
        return "pool '" + name_ + "': " + std::to_string(live()) + " of " +
               std::to_string(capacity()) + " payloads were never released";
    }

protected:
    explicit pool_shelf(std::string name) : name_(std::move(name)) {}
    ~pool_shelf() = default;

    [[nodiscard]] bool empty() const noexcept { return free_count_ == 0; }
    [[nodiscard]] T* take() {
        T* payload = free_[--free_count_];
        // The next one has lain here for a while.
        if (free_count_ != 0) {
            prefetch_bytes(free_[free_count_ - 1], std::min<std::size_t>(sizeof(T), 256));
        }
        return payload;
    }
    void put(T* payload) { free_[free_count_++] = payload; }
    /// A new payload, which is free. The pool deletes it.
    void add(std::unique_ptr<T> payload) {
        all_.push_back(payload.get());
        free_.resize(all_.capacity());  // so that giving back never allocates
        put(payload.release());
    }
    [[nodiscard]] const std::vector<T*>& all() const noexcept { return all_; }

private:
    std::string name_;
    std::vector<T*> all_;
    std::vector<T*> free_;  ///< the first free_count_ ones
    std::size_t free_count_ = 0;
};

}  // namespace heddle
