// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/client/call_thread.h"

#include <new>
#include <thread>
#include <utility>

namespace heddle::runtime {

void renew(std::condition_variable& inherited) {
    new (&inherited) std::condition_variable;
}

void call_thread::add(std::function<void()> call) {
    const std::lock_guard<std::mutex> lock(lock_);
    calls_.push_back(std::move(call));
    if (!std::exchange(running_, true)) std::thread([this] { run(); }).detach();
    added_.notify_one();
}

void call_thread::in_child() {
    renew(added_);
    running_ = false;
    calls_.clear();
    lock_.unlock();
}

void call_thread::run() {
    for (;;) {
        std::function<void()> call;
        {
            std::unique_lock<std::mutex> lock(lock_);
            added_.wait(lock, [this] { return !calls_.empty(); });
            call = std::move(calls_.front());
            calls_.pop_front();
        }
        call();
    }
}

}  // namespace heddle::runtime
