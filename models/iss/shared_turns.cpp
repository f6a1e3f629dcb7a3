// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/shared_turns.h"

#include <algorithm>
#include <utility>

#include "models/base/wait_until.h"

namespace heddle::iss {

void shared_turns::begin(std::size_t turns, std::uint64_t executed) {
    const std::lock_guard<std::mutex> held(lock_);
    next_ = 0;
    over_ = 0;
    failed_ = false;
    waits_ = 0;
    endings_.assign(turns, {});
    executed_ = executed;
    failure_ = nullptr;
}

std::size_t shared_turns::claim() noexcept {
    const std::size_t turns = endings_.size();
    if (failed_.load(std::memory_order_relaxed)) return turns;
    return std::min(next_.fetch_add(1, std::memory_order_relaxed), turns);
}

void shared_turns::end(std::size_t turn, std::uint64_t instructions, std::exception_ptr failure) {
    const std::lock_guard<std::mutex> held(lock_);
    endings_[turn] = {true, instructions, std::move(failure)};
    std::size_t over = over_.load(std::memory_order_relaxed);
    while (!failure_ && over != endings_.size() && endings_[over].over) {
        if (endings_[over].failure) {
            failure_ = endings_[over].failure;
            failed_ = true;
        } else {
            executed_ += endings_[over].instructions;
            ++over;
        }
    }
    over_.store(over, std::memory_order_release);
}

std::uint64_t shared_turns::wait_until_first(std::size_t turn) {
    const auto is_first = [&] { return over_.load(std::memory_order_acquire) == turn; };
    if (!is_first()) {
        waits_.fetch_add(1, std::memory_order_relaxed);
        (void)wait_until([&] { return is_first() || failed_.load(std::memory_order_relaxed); });
        if (!is_first()) throw turn_abandoned{};
    }
    const std::lock_guard<std::mutex> held(lock_);
    return executed_;
}

}  // namespace heddle::iss
