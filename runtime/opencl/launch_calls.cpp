// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "runtime/opencl/find.h"
#include "runtime/opencl/group_shape.h"

namespace heddle::opencl {
namespace {

constexpr std::uint64_t largest_index = 0xffffffffu;

work_size range_of(cl_uint dimensions, const std::size_t* sizes, std::uint64_t otherwise) {
    work_size all{otherwise, otherwise, otherwise};
    if (sizes != nullptr) std::copy(sizes, sizes + dimensions, all.begin());
    return all;
}

/// The work-group of a launch. Throws error as clEnqueueNDRangeKernel says.
work_size group_of(const _cl_kernel& kernel, cl_uint dimensions, const work_size& range,
                   const std::size_t* local) {
    const runtime::kernel_description& text = kernel.description();
    const auto& machine = kernel.loaded->device->description();
    const bool required = text.required_block[0] != 0;
    require(kernel.local_bytes() <= machine.shared_bytes, CL_OUT_OF_RESOURCES);
    if (local == nullptr) {
        require(!required, CL_INVALID_WORK_GROUP_SIZE);
        return choose_group(range, text.max_threads);
    }
    const work_size group = range_of(dimensions, local, 1);
    std::uint64_t threads = 1;
    for (std::size_t i = 0; i < group.size(); ++i) {
        require(group[i] != 0, CL_INVALID_WORK_GROUP_SIZE);
        require(group[i] <= machine.max_threads, CL_INVALID_WORK_ITEM_SIZE);
        require(range[i] % group[i] == 0, CL_INVALID_WORK_GROUP_SIZE);
        require(!required || group[i] == text.required_block[i], CL_INVALID_WORK_GROUP_SIZE);
        threads *= group[i];
    }
    require(threads <= machine.max_threads, CL_INVALID_WORK_GROUP_SIZE);
    require(threads <= text.max_threads, CL_OUT_OF_RESOURCES);  // of registers
    return group;
}

std::array<std::uint32_t, 3> narrow(const work_size& values) {
    return {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]),
            static_cast<std::uint32_t>(values[2])};
}

/// The request but for what is known when it begins, and the buffers, which live until then.
struct prepared {
    runtime::launch_request request;
    std::vector<std::shared_ptr<_cl_mem>> memories;
    std::shared_ptr<loaded_program> program;
};

prepared prepare(const _cl_kernel& kernel, const _cl_command_queue& queue) {
    prepared made;
    made.program = kernel.loaded;
    made.request.program = kernel.loaded->number;
    made.request.kernel = kernel.number;
    made.request.stream = queue.stream;
    for (const _cl_kernel::argument& each : kernel.arguments) {
        require(each.set, CL_INVALID_KERNEL_ARGS);
        made.request.arguments.push_back(each.bytes);
        if (!each.is_memory) continue;
        made.memories.push_back(each.memory.lock());
        require(made.memories.back() != nullptr, CL_INVALID_KERNEL_ARGS);  // released
    }
    return made;
}

void enqueue_launch(enqueued what, prepared made) {
    enqueue(std::move(what), [made = std::move(made)](device_session& device, _cl_event& event) {
        runtime::launch_request request = made.request;
        request.after = std::exchange(event.queue->barrier, {});
        device.launch(request, event);
        event.queue->last = event.launches;
    });
}

/// The queue and the kernel of a launch, which have to be of one context.
std::shared_ptr<_cl_kernel> begin(enqueued& what, cl_command_queue queue, cl_kernel handle) {
    what.queue = find(queue);
    const auto kernel = find(handle);
    require(kernel->program->context == what.queue->context, CL_INVALID_CONTEXT);
    return kernel;
}

}  // namespace

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel handle, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint count, const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what;
        const auto kernel = begin(what, queue, handle);
        prepared made = prepare(*kernel, *what.queue);
        require(dimensions >= 1 && dimensions <= 3, CL_INVALID_WORK_DIMENSION);
        require(global != nullptr, CL_INVALID_GLOBAL_WORK_SIZE);
        const work_size range = range_of(dimensions, global, 1);
        const work_size first = range_of(dimensions, offset, 0);
        for (std::size_t i = 0; i < range.size(); ++i) {
            require(range[i] != 0 && range[i] <= largest_index, CL_INVALID_GLOBAL_WORK_SIZE);
            require(first[i] <= largest_index - range[i], CL_INVALID_GLOBAL_OFFSET);
        }
        const work_size group = group_of(*kernel, dimensions, range, local);
        made.request.dimensions = dimensions;
        made.request.block = narrow(group);
        made.request.grid = narrow({range[0] / group[0], range[1] / group[1], range[2] / group[2]});
        made.request.offset = narrow(first);
        what.type = CL_COMMAND_NDRANGE_KERNEL;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        enqueue_launch(std::move(what), std::move(made));
    });
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel handle, cl_uint count, const cl_event* list,
                     cl_event* event) {
    return code_of([&] {
        enqueued what;
        const auto kernel = begin(what, queue, handle);
        prepared made = prepare(*kernel, *what.queue);
        const std::size_t one = 1;
        (void)group_of(*kernel, 1, {1, 1, 1}, &one);
        what.type = CL_COMMAND_TASK;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        enqueue_launch(std::move(what), std::move(made));
    });
}

cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK* function)(void*), void*,
                             size_t, cl_uint, const cl_mem*, const void**, cl_uint, const cl_event*,
                             cl_event*) {
    return code_of([&] {
        (void)find(queue);
        require(function != nullptr, CL_INVALID_VALUE);
        throw error(CL_INVALID_OPERATION);  // CL_DEVICE_EXECUTION_CAPABILITIES says so
    });
}

}  // namespace heddle::opencl
