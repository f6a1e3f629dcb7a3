// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/library.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "runtime/cuda/library/device_objects.h"

namespace heddle::cuda {
namespace {

thread_local std::unique_lock<std::mutex>* held_lock = nullptr;

/// The server writes its files when its connection ends.
void close_device() {
    library& all = the_library();
    // Another thread may be waiting for the device: then it ends as with a program that is killed.
    const std::unique_lock<std::mutex> lock(all.lock, std::try_to_lock);
    if (!lock.owns_lock()) return;
    all.closed = true;
    if (all.device == nullptr) return;
    std::fflush(stdout);  // before the summary of the run
    device_session& session = all.device->session;
    const std::size_t kept = session.kept_launches();
    if (kept != 0 && session.lost() == cudaSuccess) {
        std::fprintf(stderr,
                     "heddle: the program ended without waiting; launches that never began: %zu\n",
                     kept);
    }
    session.close();
}

void before_fork() {
    the_library().lock.lock();
    the_library().calls.before_fork();
}

void after_fork() {
    the_library().calls.after_fork();
    the_library().lock.unlock();
}

/// The device belongs to the parent.
void in_child() {
    library& all = the_library();
    runtime::renew(all.changed);
    all.calls.in_child();
    if (all.device != nullptr) all.device->session.forget();
    // Kept, but not used: a thread of the parent may have been at work on it.
    if (all.device != nullptr) new std::shared_ptr<device_objects>(std::move(all.device));
    all.device = nullptr;
    all.lock.unlock();
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
    held_lock = nullptr;
}

void library_lock::wait_for_change() {
    std::unique_lock<std::mutex>* const own = held_lock;
    the_library().changed.wait(*own);
    held_lock = own;
}

thread_state& this_thread() {
    thread_local thread_state state;
    return state;
}

device_objects& the_device() {
    library& all = the_library();
    if (all.device == nullptr) {
        require(!all.failed, cudaErrorDevicesUnavailable);
        try {
            all.device = std::make_shared<device_objects>(++all.sessions, all.programs);
        } catch (const runtime::connection_error& why) {
            // The server itself has said what is wrong with its options.
            if (!why.is_told()) std::fprintf(stderr, "heddle: %s\n", why.what());
            all.failed = true;
            throw error(cudaErrorDevicesUnavailable);
        }
    }
    const cudaError_t lost = all.device->session.lost();
    require(lost == cudaSuccess, lost);
    return *all.device;
}

device_objects& the_begun_device(cudaError_t otherwise) {
    require(the_library().device != nullptr, otherwise);
    return the_device();
}

cudaError_t code_of_current_exception() noexcept {
    try {
        throw;
    } catch (const error& caught) {
        return caught.code();
    } catch (const std::bad_alloc&) {
        return cudaErrorMemoryAllocation;
    } catch (const runtime::request_refused& why) {
        std::fprintf(stderr, "heddle: %s\n", why.what());
        return cudaErrorInvalidValue;
    } catch (const std::exception& caught) {
        std::fprintf(stderr, "heddle: %s\n", caught.what());
        return cudaErrorUnknown;
    }
}

}  // namespace heddle::cuda
