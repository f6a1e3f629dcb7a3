// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace heddle::runtime {

/// Calls functions of the program one after the other in a thread of its own, which begins with the
/// first and is never joined. The object has to outlive the process.
class call_thread {
public:
    void add(std::function<void()> call);

    /// Around a fork. The child has none of the parent's calls, and begins a thread of its own.
    void before_fork() { lock_.lock(); }
    void after_fork() { lock_.unlock(); }
    void in_child();

private:
    void run();

    std::mutex lock_;
    std::condition_variable added_;
    std::deque<std::function<void()>> calls_;
    bool running_ = false;
};

/// Makes it anew in the child of a fork: the parent's threads that wait for it are not there, and
/// whoever notifies would wait for them.
void renew(std::condition_variable& inherited);

}  // namespace heddle::runtime
