// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>

#include "runtime/client/guest_process.h"
#include "runtime/cuda/library/error.h"
#include "runtime/cuda/library/host_memory.h"
#include "runtime/cuda/library/registry.h"

namespace heddle::cuda {

class device_session;
struct device_objects;

/// The state of the library in this process. It is never destroyed: programs call as late as they
/// like.
struct library {
    runtime::guest_process& process = runtime::the_process();
    registry programs;
    host_memory host;
    std::shared_ptr<device_objects> device;  ///< null: none yet
    unsigned sessions = 0;                   ///< so far
    unsigned device_flags = 0;
    bool failed = false;  ///< no device can be begun
    bool closed = false;  ///< the process ends
};
[[nodiscard]] library& the_library();

/// Held during a call.
class library_lock {
public:
    library_lock() : held_(the_library().process) {}

private:
    runtime::process_lock held_;
};

/// What a thread of the program has of its own.
struct thread_state {
    cudaError_t last = cudaSuccess;  ///< what cudaGetLastError returns
    bool in_call = false;            ///< it is the one that calls the program's functions
    bool in_driver = false;          ///< it is in a call of the driver API
};
[[nodiscard]] thread_state& this_thread();

/// The device in use, started if need be. Throws error(cudaErrorDevicesUnavailable), the reason
/// goes to standard error; the code of a device that is lost.
[[nodiscard]] device_objects& the_device();

/// The same for a call that only gives something back: it begins no device. Throws
/// error(otherwise) where there is none.
[[nodiscard]] device_objects& the_begun_device(cudaError_t otherwise);

/// Runs a call under the library's lock; returns its code, which cudaGetLastError returns, too.
/// Nothing is thrown into the program.
template <class Call>
cudaError_t code_of(Call&& call) noexcept;
cudaError_t code_of_current_exception() noexcept;

template <class Call>
cudaError_t code_of(Call&& call) noexcept {
    cudaError_t code = cudaSuccess;
    try {
        require(!this_thread().in_call, cudaErrorNotPermitted);
        const library_lock lock;
        require(!the_library().closed, cudaErrorCudartUnloading);
        call();
    } catch (...) {
        code = code_of_current_exception();
    }
    if (code != cudaSuccess) this_thread().last = code;
    return code;
}

}  // namespace heddle::cuda
