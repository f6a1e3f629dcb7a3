// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "runtime/client/call_thread.h"

namespace heddle::runtime {

/// The process that a runtime library is in: the lock that its calls hold, and the thread that
/// calls functions of the program. There is one, which is never destroyed: programs call as late as
/// they like.
class guest_process {
public:
    /// What a library does itself, under the lock.
    struct events {
        void (*ended)();   ///< the process ends; not if another thread waits for the device
        void (*forked)();  ///< in the child, to which the device does not belong
    };
    /// Before anything else, once.
    void begin(const events& of_library);

    /// Gives up the lock, which this thread has by a process_lock, until another thread has changed
    /// something.
    void wait_for_change();
    void note_change() { changed_.notify_all(); }
    [[nodiscard]] call_thread& calls() noexcept { return calls_; }

private:
    friend class process_lock;

    static void before_fork();
    static void after_fork();
    static void in_child();
    static void at_end();

    events library_{};
    std::mutex lock_;
    std::condition_variable changed_;
    call_thread calls_;
};
[[nodiscard]] guest_process& the_process();

/// Held during a call.
class process_lock {
public:
    explicit process_lock(guest_process& process);
    /// Not held if it is another's, or this thread's own.
    process_lock(guest_process& process, std::try_to_lock_t);
    process_lock(const process_lock&) = delete;
    process_lock& operator=(const process_lock&) = delete;
    ~process_lock() { release(); }

    void release();
    [[nodiscard]] bool owns_lock() const noexcept { return held_.owns_lock(); }

private:
    std::unique_lock<std::mutex> held_;
};

/// The process ends, and launches have been kept until the program waits.
void tell_kept(std::size_t launches);

}  // namespace heddle::runtime
