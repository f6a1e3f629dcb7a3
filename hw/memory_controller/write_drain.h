// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/memory_controller/request_queue.h"

namespace heddle {

/// Whose turn it is, the reads' or the writes': writes wait until there are `high` of them, no read
/// can go; they then go until only `low` are left and a read waits. A request older than
/// `age_limit` has its direction's turn at once.
class write_drain {
public:
    write_drain(std::uint32_t high, std::uint32_t low, std::uint64_t age_limit) noexcept
        : high_(high), low_(low), age_limit_(age_limit) {}

    [[nodiscard]] bool writing() const noexcept { return writing_; }
    /// Turns from reads to writes so far.
    [[nodiscard]] std::uint64_t turns() const noexcept { return turns_; }

    /// When requests have come or gone.
    void decide(const request_queue& queue, std::uint64_t now) {
        const bool was = writing_;
        const std::uint32_t reads = queue.eligible(false), writes = queue.eligible(true);
        if (writing_) {
            writing_ = writes != 0 && (reads == 0 || queue.size(true) > low_);
        } else {
            writing_ = writes != 0 && (reads == 0 || queue.size(true) >= high_);
        }
        const request_queue::index oldest = queue.oldest();
        if (oldest != request_queue::none && now - queue[oldest].arrival > age_limit_) {
            writing_ = queue[oldest].write;
        }
        turns_ += writing_ && !was ? 1 : 0;
    }

private:
    std::uint32_t high_, low_;
    std::uint64_t age_limit_;
    bool writing_ = false;
    std::uint64_t turns_ = 0;
};

}  // namespace heddle
