// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/find.h"

namespace heddle::opencl {
namespace {

/// The status that a program sees. It may ask again and again: meanwhile the device goes on.
cl_int seen_status(const std::shared_ptr<_cl_event>& event) {
    if (event->queue != nullptr && event->status > CL_COMPLETE) {
        try {
            event->context->device->advance();
        } catch (const error&) {
            // The device is lost; so is the command.
        }
    }
    return event->status;
}

}  // namespace

cl_int clWaitForEvents(cl_uint count, const cl_event* list) {
    return code_of([&] {
        require(count != 0 && list != nullptr, CL_INVALID_VALUE);
        std::vector<std::shared_ptr<_cl_event>> events;
        for (cl_uint i = 0; i < count; ++i) {
            events.push_back(find(list[i]));
            require(events[i]->context == events[0]->context, CL_INVALID_CONTEXT);
        }
        for (const auto& event : events) {
            try {
                event->context->device->wait(event);
            } catch (const error&) {
                if (event->status > CL_COMPLETE) throw;
            }
        }
        for (const auto& event : events) {
            require(event->status == CL_COMPLETE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
    });
}

cl_int clGetEventInfo(cl_event handle, cl_event_info name, size_t size, void* value,
                      size_t* size_ret) {
    return code_of([&] {
        const auto event = find(handle);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_EVENT_COMMAND_QUEUE:
                return place.put(event->queue.get());
            case CL_EVENT_CONTEXT:
                return place.put(event->context.get());
            case CL_EVENT_COMMAND_TYPE:
                return place.put(event->type);
            case CL_EVENT_COMMAND_EXECUTION_STATUS:
                return place.put(value == nullptr ? CL_QUEUED : seen_status(event));
            case CL_EVENT_REFERENCE_COUNT:
                return place.put(cl_uint{event->references});
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

cl_event clCreateUserEvent(cl_context handle, cl_int* code) {
    return made_by(code, [&] {
        const auto context = find(handle);
        const auto event = std::make_shared<_cl_event>();
        event->context = context;
        event->status = CL_SUBMITTED;
        return the_library().events.add(event);
    });
}

cl_int clRetainEvent(cl_event event) {
    return code_of([&] { require(the_library().events.retain(event), CL_INVALID_EVENT); });
}

cl_int clReleaseEvent(cl_event event) {
    return code_of([&] { require(the_library().events.release(event), CL_INVALID_EVENT); });
}

cl_int clSetUserEventStatus(cl_event handle, cl_int status) {
    return code_of([&] {
        const auto event = find(handle);
        require(event->queue == nullptr, CL_INVALID_EVENT);
        require(status <= CL_COMPLETE, CL_INVALID_VALUE);
        require(event->status > CL_COMPLETE, CL_INVALID_OPERATION);
        device_session& device = *event->context->device;
        device.end(*event, status);
        try {
            device.advance_to_callbacks();
        } catch (const error&) {
            // The device is lost; the callbacks hear so.
        }
    });
}

cl_int clSetEventCallback(cl_event handle, cl_int at,
                          void(CL_CALLBACK* notify)(cl_event, cl_int, void*), void* data) {
    return code_of([&] {
        const auto event = find(handle);
        require(notify != nullptr, CL_INVALID_VALUE);
        require(at == CL_COMPLETE || at == CL_RUNNING || at == CL_SUBMITTED, CL_INVALID_VALUE);
        // The program may release the event before it is called.
        (void)the_library().events.retain(handle);
        const auto call = [notify, handle, data](cl_int status) {
            notify(handle, status, data);
            const library_lock lock;
            (void)the_library().events.release(handle);
        };
        if (event->status <= at) {
            const cl_int status = event->status <= CL_COMPLETE ? event->status : at;
            return the_library().process.calls().add([call, status] { call(status); });
        }
        event->callbacks.push_back({at, call});
        if (event->queue == nullptr) return;
        // Somebody waits for it, in a way that can't be seen.
        try {
            event->context->device->advance_to(event);
        } catch (const error&) {
            // The device is lost; the callback hears so.
        }
    });
}

cl_int clGetEventProfilingInfo(cl_event handle, cl_profiling_info name, size_t size, void* value,
                               size_t* size_ret) {
    return code_of([&] {
        const auto event = find(handle);
        require(
            event->queue != nullptr && (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0,
            CL_PROFILING_INFO_NOT_AVAILABLE);
        if (event->status > CL_COMPLETE) event->context->device->take_ended();
        require(event->status == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE);
        const auto put = [&](std::uint64_t cycles) {
            const cl_ulong time = event->context->device->nanoseconds(cycles);
            info_place(size, value, size_ret).put(time);
        };
        switch (name) {
            case CL_PROFILING_COMMAND_QUEUED:
                return put(event->queued);
            case CL_PROFILING_COMMAND_SUBMIT:
                return put(event->submitted);
            case CL_PROFILING_COMMAND_START:
                return put(event->started);
            case CL_PROFILING_COMMAND_END:
                return put(event->ended);
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

}  // namespace heddle::opencl
