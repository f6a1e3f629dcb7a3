// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/client/guest_process.h"
#include "runtime/opencl/entry_points.h"

namespace heddle::opencl {

class device_session;

/// What every object of OpenCL begins with: the loader's table.
struct object {
    const cl_icd_dispatch* dispatch = &dispatch_table;
    unsigned references = 1;  ///< the program's own
};

/// The objects of one kind that the program holds. An object lives on while others need it.
template <class T>
class handle_table {
public:
    T* add(std::shared_ptr<T> made) {
        T* const handle = made.get();
        objects_.emplace(handle, std::move(made));
        return handle;
    }
    /// Null if it is none, or no longer.
    [[nodiscard]] std::shared_ptr<T> find(T* handle) const {
        const auto found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second;
    }
    /// Whether it is one.
    bool retain(T* handle) {
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return false;
        ++found->second->references;
        return true;
    }
    bool release(T* handle) {
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return false;
        if (--found->second->references != 0) return true;
        const std::shared_ptr<T> last = std::move(found->second);
        objects_.erase(found);
        return true;
    }

private:
    std::unordered_map<T*, std::shared_ptr<T>> objects_;
};

/// The state of the library in this process. It is never destroyed: programs release objects as
/// late as they like.
struct library {
    runtime::guest_process& process = runtime::the_process();
    handle_table<_cl_context> contexts;
    handle_table<_cl_command_queue> queues;
    handle_table<_cl_mem> memories;
    handle_table<_cl_program> programs;
    handle_table<_cl_kernel> kernels;
    handle_table<_cl_event> events;
    handle_table<_cl_sampler> samplers;
    std::shared_ptr<device_session> device;  ///< the one in use; null: none yet, or it is lost
    unsigned sessions = 0;                   ///< so far
    std::vector<std::function<void()>> after_call;  ///< functions of the program
};
[[nodiscard]] library& the_library();

/// Held during a call. At its end the program's functions that are due are called, without it.
class library_lock {
public:
    library_lock() : held_(the_library().process) {}
    library_lock(const library_lock&) = delete;
    library_lock& operator=(const library_lock&) = delete;
    ~library_lock();

private:
    runtime::process_lock held_;
};

/// The device in use, started if need be. Throws error(CL_DEVICE_NOT_AVAILABLE); the reason goes
/// to standard error.
[[nodiscard]] std::shared_ptr<device_session> device_in_use();

}  // namespace heddle::opencl
