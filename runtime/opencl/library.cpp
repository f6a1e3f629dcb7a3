// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/library.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/opencl/api.h"
#include "runtime/opencl/device_session.h"
#include "runtime/opencl/objects.h"

namespace heddle::opencl {
namespace {

thread_local std::unique_lock<std::mutex>* held_lock = nullptr;

/// Calls of call_later().
struct later_calls {
    std::mutex lock;
    std::condition_variable added;
    std::deque<std::function<void()>> calls;
    bool running = false;  ///< the thread
};
later_calls& the_later_calls() {
    static auto* const calls = new later_calls;
    return *calls;
}

void run_later_calls() {
    later_calls& later = the_later_calls();
    for (;;) {
        std::function<void()> call;
        {
            std::unique_lock<std::mutex> lock(later.lock);
            later.added.wait(lock, [&] { return !later.calls.empty(); });
            call = std::move(later.calls.front());
            later.calls.pop_front();
        }
        call();
    }
}

/// The servers write their files when their connection ends.
void close_device() {
    library& all = the_library();
    // Another thread may be waiting for the device: then it ends as with a program that is killed.
    const std::unique_lock<std::mutex> lock(all.lock, std::try_to_lock);
    if (!lock.owns_lock() || all.device == nullptr) return;
    const std::size_t kept = all.device->kept_launches();
    if (kept != 0) {
        std::fprintf(stderr,
                     "heddle: the program ended without waiting; launches that never began: %zu\n",
                     kept);
    }
    all.device->close();
}

void before_fork() {
    the_library().lock.lock();
    the_later_calls().lock.lock();
}

void after_fork() {
    the_later_calls().lock.unlock();
    the_library().lock.unlock();
}

/// Makes it anew: the parent's threads that wait for it are not here, and whoever notifies would
/// wait for them.
void renew(std::condition_variable& inherited) {
    new (&inherited) std::condition_variable;
}

/// The device belongs to the parent, and so does the thread.
void in_child() {
    renew(the_library().changed);
    renew(the_later_calls().added);
    the_later_calls().running = false;
    the_later_calls().calls.clear();
    the_later_calls().lock.unlock();
    auto& device = the_library().device;
    if (device != nullptr) device->forget();
    device.reset();
    the_library().lock.unlock();
}

library* make_library() {
    ::pthread_atfork(before_fork, after_fork, in_child);
    std::atexit(close_device);
    return new library;
}

}  // namespace

library& the_library() {
    static library* const only = make_library();
    return *only;
}

library_lock::library_lock() : held_(the_library().lock) {
    held_lock = &held_;
}

library_lock::~library_lock() {
    const auto calls = std::exchange(the_library().after_call, {});
    held_lock = nullptr;
    held_.unlock();
    for (const auto& call : calls) call();
}

void library_lock::wait_for_change() {
    the_library().changed.wait(*held_lock);
}

void call_later(std::function<void()> call) {
    later_calls& later = the_later_calls();
    const std::lock_guard<std::mutex> lock(later.lock);
    later.calls.push_back(std::move(call));
    if (!std::exchange(later.running, true)) std::thread(run_later_calls).detach();
    later.added.notify_one();
}

std::shared_ptr<device_session> device_in_use() {
    library& all = the_library();
    if (all.device != nullptr && !all.device->is_lost()) return all.device;
    try {
        all.device = std::make_shared<device_session>(++all.sessions);
    } catch (const runtime::connection_error& why) {
        all.device = nullptr;
        // The server itself has said what is wrong with its options.
        if (!why.is_told()) std::fprintf(stderr, "heddle: %s\n", why.what());
        throw error(CL_DEVICE_NOT_AVAILABLE);
    }
    return all.device;
}

}  // namespace heddle::opencl
