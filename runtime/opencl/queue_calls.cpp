// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/find.h"
#include "runtime/opencl/the_platform.h"

namespace heddle::opencl {
namespace {

constexpr cl_command_queue_properties all_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// An event that ends when all of the queue before it has, or what it waits for. Later commands of
/// the queue wait for it, as in every queue that is in order.
void enqueue_marker(enqueued what) {
    enqueue(std::move(what), [](device_session&, _cl_event& event) {
        const _cl_command_queue& queue = *event.queue;
        event.launches = queue.barrier;
        event.launches.insert(event.launches.end(), queue.last.begin(), queue.last.end());
    });
}

void enqueue_waiting(cl_command_queue handle, cl_command_type type, cl_uint count,
                     const cl_event* list, cl_event* event) {
    enqueued what;
    what.queue = find(handle);
    what.type = type;
    what.after = find_wait_list(*what.queue->context, count, list);
    what.event = event;
    enqueue_marker(std::move(what));
}

}  // namespace

cl_command_queue clCreateCommandQueue(cl_context handle, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* code) {
    return made_by(code, [&] {
        const auto context = find(handle);
        require(device == the_device(), CL_INVALID_DEVICE);
        require((properties & ~all_properties) == 0, CL_INVALID_VALUE);
        require((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0,
                CL_INVALID_QUEUE_PROPERTIES);
        const auto queue = std::make_shared<_cl_command_queue>();
        queue->properties = properties;
        queue->stream = context->device->take_stream();
        queue->context = context;
        return the_library().queues.add(queue);
    });
}

cl_int clRetainCommandQueue(cl_command_queue queue) {
    return code_of([&] { require(the_library().queues.retain(queue), CL_INVALID_COMMAND_QUEUE); });
}

cl_int clReleaseCommandQueue(cl_command_queue queue) {
    return code_of([&] { require(the_library().queues.release(queue), CL_INVALID_COMMAND_QUEUE); });
}

cl_int clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name, size_t size,
                             void* value, size_t* size_ret) {
    return code_of([&] {
        const auto queue = find(handle);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_QUEUE_CONTEXT:
                return place.put(queue->context.get());
            case CL_QUEUE_DEVICE:
                return place.put(the_device());
            case CL_QUEUE_REFERENCE_COUNT:
                return place.put(cl_uint{queue->references});
            case CL_QUEUE_PROPERTIES:
                return place.put(queue->properties);
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

cl_int clSetCommandQueueProperty(cl_command_queue handle, cl_command_queue_properties properties,
                                 cl_bool enable, cl_command_queue_properties* old) {
    return code_of([&] {
        const auto queue = find(handle);
        require((properties & ~all_properties) == 0, CL_INVALID_VALUE);
        const bool out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
        require(!out_of_order || enable == CL_FALSE, CL_INVALID_QUEUE_PROPERTIES);
        if (old != nullptr) *old = queue->properties;
        if (enable != CL_FALSE) {
            queue->properties |= properties;
        } else {
            queue->properties &= ~properties;
        }
    });
}

cl_int clFlush(cl_command_queue handle) {
    // The commands begin when the program waits: its own speed is no input of the run.
    return code_of([&] {
        const auto queue = find(handle);
        require(!queue->context->device->is_lost(), CL_OUT_OF_RESOURCES);
    });
}

cl_int clFinish(cl_command_queue handle) {
    return code_of([&] {
        const auto queue = find(handle);
        queue->context->device->finish(*queue);
    });
}

cl_int clEnqueueMarker(cl_command_queue handle, cl_event* event) {
    return code_of([&] {
        const auto queue = find(handle);
        require(event != nullptr, CL_INVALID_VALUE);
        enqueue_waiting(handle, CL_COMMAND_MARKER, 0, nullptr, event);
    });
}

cl_int clEnqueueBarrier(cl_command_queue handle) {
    return code_of([&] { enqueue_waiting(handle, CL_COMMAND_BARRIER, 0, nullptr, nullptr); });
}

cl_int clEnqueueWaitForEvents(cl_command_queue handle, cl_uint count, const cl_event* list) {
    return code_of([&] {
        const auto queue = find(handle);
        require(count != 0 && list != nullptr, CL_INVALID_VALUE);
        for (cl_uint i = 0; i < count; ++i) (void)find(list[i]);
        enqueue_waiting(handle, CL_COMMAND_BARRIER, count, list, nullptr);
    });
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* list,
                                   cl_event* event) {
    return code_of([&] { enqueue_waiting(queue, CL_COMMAND_MARKER, count, list, event); });
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* list,
                                    cl_event* event) {
    return code_of([&] { enqueue_waiting(queue, CL_COMMAND_BARRIER, count, list, event); });
}

}  // namespace heddle::opencl
