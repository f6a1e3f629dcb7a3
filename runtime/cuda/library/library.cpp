// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/library.h"

#include <cstdio>
#include <new>

#include "runtime/cuda/library/device_objects.h"

namespace heddle::cuda {
namespace {

/// The server writes its files when its connection ends.
void close_device() {
    library& all = the_library();
    all.closed = true;
    if (all.device == nullptr) return;
    std::fflush(stdout);  // before the summary of the run
    device_session& session = all.device->session;
    if (session.lost() == cudaSuccess) runtime::tell_kept(session.kept_launches());
    session.close();
}

/// The device belongs to the parent.
void forget_device() {
    library& all = the_library();
    if (all.device == nullptr) return;
    all.device->session.forget();
    all.device->memory.forget();
    all.device->programs.forget_managed();
    // Kept, but not used: a thread of the parent may have been at work on it.
    new std::shared_ptr<device_objects>(std::move(all.device));
    all.device = nullptr;
}

library* make_library() {
    runtime::the_process().begin({close_device, forget_device});
    return new library;
}

}  // namespace

library& the_library() {
    static library* const only = make_library();
    return *only;
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
            all.device->programs.begin_managed();
        } catch (const runtime::connection_error& why) {
            // The server itself has said what is wrong with its options.
            if (!why.is_told()) std::fprintf(stderr, "heddle: %s\n", why.what());
            all.failed = true;
            throw error(cudaErrorDevicesUnavailable);
        }
    }
    const cudaError_t lost = all.device->session.lost();
    require(lost == cudaSuccess, lost);
    if (!this_thread().in_driver) all.device->of_runtime = true;
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
