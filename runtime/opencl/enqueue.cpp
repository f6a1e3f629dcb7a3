// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <utility>

#include "runtime/opencl/find.h"

namespace heddle::opencl {

std::vector<std::shared_ptr<_cl_event>> find_wait_list(const _cl_context& context, cl_uint count,
                                                       const cl_event* list) {
    require((count == 0) == (list == nullptr), CL_INVALID_EVENT_WAIT_LIST);
    std::vector<std::shared_ptr<_cl_event>> found;
    for (cl_uint i = 0; i < count; ++i) {
        found.push_back(the_library().events.find(list[i]));
        require(found.back() != nullptr, CL_INVALID_EVENT_WAIT_LIST);
        require(found.back()->context.get() == &context, CL_INVALID_CONTEXT);
    }
    return found;
}

void enqueue(enqueued what, std::function<void(device_session&, _cl_event&)> run) {
    const auto event = std::make_shared<_cl_event>();
    event->context = what.queue->context;
    event->queue = what.queue;
    event->type = what.type;
    const auto device = what.queue->context->device;
    const auto after = what.after;
    device->enqueue({event, std::move(what.after), std::move(run)});
    if (what.blocking) {
        device->wait(event);
        for (const auto& earlier : after) {
            require(earlier->status >= CL_COMPLETE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
        require(event->status >= CL_COMPLETE, event->status);
    }
    if (what.event != nullptr) *what.event = the_library().events.add(event);
}

}  // namespace heddle::opencl
