// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/client/guest_process.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

namespace heddle::runtime {
namespace {

thread_local std::unique_lock<std::mutex>* held_lock = nullptr;

}  // namespace

guest_process& the_process() {
    static auto* const only = new guest_process;
    return *only;
}

void guest_process::begin(const events& of_library) {
    library_ = of_library;
    ::pthread_atfork(before_fork, after_fork, in_child);
    std::atexit(at_end);
}

void guest_process::wait_for_change() {
    std::unique_lock<std::mutex>* const own = held_lock;
    changed_.wait(*own);
    held_lock = own;
}

void guest_process::before_fork() {
    the_process().lock_.lock();
    the_process().calls_.before_fork();
}

void guest_process::after_fork() {
    the_process().calls_.after_fork();
    the_process().lock_.unlock();
}

void guest_process::in_child() {
    guest_process& self = the_process();
    renew(self.changed_);
    self.calls_.in_child();
    self.library_.forked();
    self.lock_.unlock();
}

void guest_process::at_end() {
    guest_process& self = the_process();
    // Another thread may be waiting for the device: then it ends as with a program that is killed.
    const std::unique_lock<std::mutex> lock(self.lock_, std::try_to_lock);
    if (lock.owns_lock()) self.library_.ended();
}

process_lock::process_lock(guest_process& process) : held_(process.lock_) {
    held_lock = &held_;
}

process_lock::process_lock(guest_process& process, std::try_to_lock_t)
    : held_(process.lock_, std::try_to_lock) {
    if (held_.owns_lock()) held_lock = &held_;
}

void process_lock::release() {
    if (!held_.owns_lock()) return;
    held_lock = nullptr;
    held_.unlock();
}

void tell_kept(std::size_t launches) {
    if (launches == 0) return;
    std::fprintf(stderr,
                 "heddle: the program ended without waiting; launches that never began: %zu\n",
                 launches);
}

}  // namespace heddle::runtime
