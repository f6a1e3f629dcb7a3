// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

namespace heddle {
class device;
}  // namespace heddle

namespace heddle::library {

/// Hands work from the thread of a call to the thread that a machine lives in, one piece at a time,
/// and waits for it. A host program drives a machine from inside; by errands it is driven from
/// outside.
class errand_desk {
public:
    /// `machine`: null after the run.
    using work = std::function<void(device* machine)>;

    /// By the caller: has the work done. Throws what it throws. `poll` (may be empty) is called
    /// meanwhile about twenty times a second; true raises attention::interrupt.
    void send(work errand, const std::function<bool()>& poll);
    /// As send(), and the host program ends behind it. Answered by settle().
    void send_last(work errand, const std::function<bool()>& poll);

    /// By the machine's thread: does what is sent, until the last errand has been done.
    void serve(device* machine);
    /// By the machine's thread, in the place of serve(): the first errand fails.
    void refuse(std::exception_ptr failure);
    /// By the machine's thread: answers an errand that is open, because the run has ended within it
    /// or with it.
    void settle(std::exception_ptr failure);

private:
    enum class state { idle, sent, taken };

    void hand_over(work errand, bool last, const std::function<bool()>& poll);
    void take();
    void answer(std::exception_ptr failure);

    std::mutex mutex_;
    std::condition_variable changed_;
    state state_ = state::idle;
    work errand_;
    bool last_ = false;
    std::exception_ptr failure_;
};

}  // namespace heddle::library
