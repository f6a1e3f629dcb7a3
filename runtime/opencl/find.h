// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <vector>

#include "runtime/opencl/api.h"
#include "runtime/opencl/device_session.h"
#include "runtime/opencl/objects.h"

namespace heddle::opencl {

/// The object of a handle. Each throws the error that OpenCL has for what is none.
[[nodiscard]] inline std::shared_ptr<_cl_context> find(cl_context handle) {
    auto found = the_library().contexts.find(handle);
    require(found != nullptr, CL_INVALID_CONTEXT);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_command_queue> find(cl_command_queue handle) {
    auto found = the_library().queues.find(handle);
    require(found != nullptr, CL_INVALID_COMMAND_QUEUE);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_mem> find(cl_mem handle) {
    auto found = the_library().memories.find(handle);
    require(found != nullptr, CL_INVALID_MEM_OBJECT);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_mem> find_buffer(cl_mem handle) {
    auto found = find(handle);
    require(found->image == nullptr, CL_INVALID_MEM_OBJECT);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_mem> find_image(cl_mem handle) {
    auto found = find(handle);
    require(found->image != nullptr, CL_INVALID_MEM_OBJECT);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_sampler> find(cl_sampler handle) {
    auto found = the_library().samplers.find(handle);
    require(found != nullptr, CL_INVALID_SAMPLER);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_program> find(cl_program handle) {
    auto found = the_library().programs.find(handle);
    require(found != nullptr, CL_INVALID_PROGRAM);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_kernel> find(cl_kernel handle) {
    auto found = the_library().kernels.find(handle);
    require(found != nullptr, CL_INVALID_KERNEL);
    return found;
}
[[nodiscard]] inline std::shared_ptr<_cl_event> find(cl_event handle) {
    auto found = the_library().events.find(handle);
    require(found != nullptr, CL_INVALID_EVENT);
    return found;
}

/// What a map does with the device's bytes.
struct map_use {
    bool copies;  ///< they come to the host
    bool writes;  ///< they come back
};
/// Throws error for flags of a map that contradict each other or the object's.
[[nodiscard]] map_use map_use_of(const _cl_mem& memory, cl_map_flags flags);

/// The events that a command of a context waits for.
[[nodiscard]] std::vector<std::shared_ptr<_cl_event>> find_wait_list(const _cl_context& context,
                                                                     cl_uint count,
                                                                     const cl_event* list);

/// What an enqueued command needs beside its work.
struct enqueued {
    std::shared_ptr<_cl_command_queue> queue;
    cl_command_type type = 0;
    std::vector<std::shared_ptr<_cl_event>> after;
    bool blocking = false;
    cl_event* event = nullptr;  ///< where the program wants the event; null: it does not
};

/// Puts a command into its queue, and waits for it if it is blocking.
void enqueue(enqueued what, std::function<void(device_session&, _cl_event&)> run);

}  // namespace heddle::opencl
