// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include "models/base/apart_allocator.h"
#include "models/base/wait_until.h"

namespace heddle {

/// Where threads wait for work, which the main thread gives to all of them at once. A piece of work
/// has a number, which is never 0 and never that of the piece before.
class thread_gate {
public:
    /// By the main thread: the piece begins. Returns whether no thread has to be woken.
    bool open(std::uint64_t piece) {
        piece_.store(piece);
        if (asleep_.load() == 0) return true;
        // Who is about to sleep holds the lock until it does.
        { const std::lock_guard<std::mutex> held(lock_); }
        opened_.notify_all();
        return false;
    }
    /// By the main thread: there is no more work.
    void close() {
        {
            const std::lock_guard<std::mutex> held(lock_);
            over_ = true;
            ++piece_;
        }
        opened_.notify_all();
    }
    /// By another thread: waits for the piece behind `last`. False: there is none.
    [[nodiscard]] bool wait(std::uint64_t last) {
        // The main thread may be busy for long: then this thread sleeps.
        constexpr unsigned turns_awake = 1'000;
        constexpr unsigned turns = 3'000;
        for (unsigned turn = 0; piece_.load(std::memory_order_acquire) == last; ++turn) {
            if (turn < turns_awake) {
                pause_core();
            } else if (turn >= turns || !yield_core()) {
                std::unique_lock<std::mutex> held(lock_);
                ++asleep_;
                opened_.wait(held, [&] { return piece_.load() != last; });
                --asleep_;
            }
        }
        return !over_;
    }
    /// The present piece, by a thread that wait() has let through, or by the main thread.
    [[nodiscard]] std::uint64_t piece() const noexcept {
        return piece_.load(std::memory_order_relaxed);
    }

private:
    alignas(bytes_apart) std::atomic<std::uint64_t> piece_{0};
    alignas(bytes_apart) std::atomic<unsigned> asleep_{0};
    std::mutex lock_;
    std::condition_variable opened_;
    bool over_ = false;
};

/// Starts a thread that gets no signals: these are for the main thread.
template <class Body>
[[nodiscard]] std::thread start_thread(Body body) {
    sigset_t signals;
    sigset_t before;
    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, &before);
    std::thread started(std::move(body));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

}  // namespace heddle
