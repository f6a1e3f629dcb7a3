// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/machine/errand.h"

#include <chrono>
#include <utility>

#include "models/base/attention.h"

namespace heddle::library {
namespace {

constexpr std::chrono::milliseconds poll_time{50};

}  // namespace

void errand_desk::send(work errand, const std::function<bool()>& poll) {
    hand_over(std::move(errand), false, poll);
}

void errand_desk::send_last(work errand, const std::function<bool()>& poll) {
    hand_over(std::move(errand), true, poll);
}

void errand_desk::hand_over(work errand, bool last, const std::function<bool()>& poll) {
    std::unique_lock lock(mutex_);
    errand_ = std::move(errand);
    last_ = last;
    failure_ = nullptr;
    state_ = state::sent;
    changed_.notify_all();
    const auto answered = [&] { return state_ == state::idle; };
    if (poll) {
        while (!changed_.wait_for(lock, poll_time, answered)) {
            lock.unlock();
            if (poll()) attention::raise(attention::interrupt);
            lock.lock();
        }
    } else {
        changed_.wait(lock, answered);
    }
    errand_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void errand_desk::serve(device* machine) {
    while (true) {
        take();
        std::exception_ptr failure;
        try {
            errand_(machine);
        } catch (...) {
            failure = std::current_exception();
        }
        if (last_) {
            // Whether the run ends well is not known yet.
            failure_ = failure;
            return;
        }
        answer(failure);
    }
}

void errand_desk::refuse(std::exception_ptr failure) {
    take();
    answer(std::move(failure));
}

void errand_desk::settle(std::exception_ptr failure) {
    {
        const std::unique_lock lock(mutex_);
        if (state_ != state::taken) return;
        if (failure_) failure = failure_;
    }
    answer(std::move(failure));
}

void errand_desk::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return state_ == state::sent; });
    state_ = state::taken;
}

void errand_desk::answer(std::exception_ptr failure) {
    const std::unique_lock lock(mutex_);
    failure_ = std::move(failure);
    state_ = state::idle;
    changed_.notify_all();
}

}  // namespace heddle::library
