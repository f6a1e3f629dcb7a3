// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "models/base/thread_gate.h"

namespace heddle::iss {

/// Thrown in a turn that is not to go on, as a turn before it has failed: with one thread, it would
/// not have begun.
struct turn_abandoned {};

/// The turns of blocks that threads run at the same time. One thread would run them one after
/// another, in ascending order. Threads claim them in this order, and a turn waits for those before
/// it where its result depends on theirs.
class shared_turns {
public:
    /// Before the threads start: that many turns. `executed`: warp instructions so far.
    void begin(std::size_t turns, std::uint64_t executed);
    /// The next turn; one behind the last if there is none, or a turn has failed.
    [[nodiscard]] std::size_t claim() noexcept;
    /// A claimed turn is over, after that many warp instructions. `failure`: what it has thrown.
    void end(std::size_t turn, std::uint64_t instructions, std::exception_ptr failure);
    /// Within a turn: returns when all turns before it are over. Then no other turn is the first
    /// one until it ends. Returns the warp instructions executed before the turn.
    /// Throws turn_abandoned.
    std::uint64_t wait_until_first(std::size_t turn);

    // ---- when all threads have come to an end ----

    /// Turns that one thread would have run, the one that has failed included.
    [[nodiscard]] std::size_t counted() const noexcept { return over_ + (failure_ ? 1 : 0); }
    /// What the first of them that has failed has thrown; null: none has failed.
    [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }
    /// Turns that waited for others, of all.
    [[nodiscard]] std::size_t waits() const noexcept { return waits_; }

private:
    struct ending {
        bool over = false;
        std::uint64_t instructions = 0;
        std::exception_ptr failure;
    };

    alignas(bytes_apart) std::atomic<std::size_t> next_{0};
    alignas(bytes_apart) std::atomic<std::size_t> over_{0};  ///< turns, all before the first not
    std::atomic<bool> failed_{false};
    std::atomic<std::size_t> waits_{0};
    std::mutex lock_;  ///< of all below
    std::vector<ending> endings_;
    std::uint64_t executed_ = 0;  ///< of the turns that are over, and before
    std::exception_ptr failure_;
};

/// Where a turn stands among those that run at the same time.
class turn_place {
public:
    /// It runs alone. `executed`: warp instructions before it.
    void alone(std::uint64_t executed) noexcept {
        first_ = true;
        executed_ = executed;
    }
    /// It is turn number `turn` of a round.
    void among(shared_turns& round, std::size_t turn) noexcept {
        round_ = &round;
        turn_ = turn;
        first_ = false;
    }
    /// Returns when all turns before this one are over: what follows comes in the order of one
    /// thread. Throws turn_abandoned.
    void come_first() {
        if (!first_) wait();
    }
    /// Warp instructions executed before the turn. It has come first.
    [[nodiscard]] std::uint64_t executed() const noexcept { return executed_; }

private:
    void wait() {
        executed_ = round_->wait_until_first(turn_);
        first_ = true;
    }

    bool first_ = true;
    std::uint64_t executed_ = 0;
    shared_turns* round_ = nullptr;
    std::size_t turn_ = 0;
};

}  // namespace heddle::iss
