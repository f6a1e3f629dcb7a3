// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/library.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "runtime/client/call_thread.h"
#include "runtime/opencl/api.h"
#include "runtime/opencl/device_session.h"
#include "runtime/opencl/objects.h"

namespace heddle::opencl {
namespace {

thread_local std::unique_lock<std::mutex>* held_lock = nullptr;

/// For the functions of the program.
runtime::call_thread& the_call_thread() {
    static auto* const thread = new runtime::call_thread;
    return *thread;
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
    the_call_thread().before_fork();
}

void after_fork() {
    the_call_thread().after_fork();
    the_library().lock.unlock();
}

/// The device belongs to the parent, and so does the thread.
void in_child() {
    runtime::renew(the_library().changed);
    the_call_thread().in_child();
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
    the_call_thread().add(std::move(call));
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
