// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "runtime/opencl/find.h"
#include "runtime/opencl/memory_flags.h"

namespace heddle::opencl {
namespace {

constexpr cl_map_flags all_flags = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

/// Brings a part that was mapped for writing to the device, if it is not there yet.
void send(device_session& device, const mapping& part) {
    if (part.sent != nullptr) {
        std::vector<std::byte> now;
        for (std::uint64_t y = 0; y < part.extent.rows; ++y) {
            const std::byte* const row = part.pointer + y * part.host_pitch;
            now.insert(now.end(), row, row + part.extent.bytes);
        }
        if (now == *part.sent) return;
        *part.sent = std::move(now);
    }
    device.write(part.pointer, part.host_pitch, 0, part.place, part.extent);
}

}  // namespace

map_use map_use_of(const _cl_mem& memory, cl_map_flags flags) {
    const bool invalidates = (flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    require((flags & ~all_flags) == 0, CL_INVALID_VALUE);
    require(!invalidates || (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0, CL_INVALID_VALUE);
    const bool reads = (flags & CL_MAP_READ) != 0;
    const bool writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    require(!reads || (memory.flags & not_for_reading) == 0, CL_INVALID_OPERATION);
    require(!writes || (memory.flags & not_for_writing) == 0, CL_INVALID_OPERATION);
    return {!invalidates, writes};
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem handle, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                         const cl_event* list, cl_event* event, cl_int* code) {
    return made_by(code, [&]() -> void* {
        enqueued what;
        what.queue = find(queue);
        const auto memory = find_buffer(handle);
        require(memory->context == what.queue->context, CL_INVALID_CONTEXT);
        require(size != 0 && offset <= memory->size && size <= memory->size - offset,
                CL_INVALID_VALUE);
        const map_use use = map_use_of(*memory, flags);
        what.type = CL_COMMAND_MAP_BUFFER;
        what.blocking = blocking != CL_FALSE;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        const auto address = memory->address + static_cast<std::uint32_t>(offset);
        const mapping part{memory->host_data() + offset,
                           size,
                           {address, size, size},
                           {size, 1, 1},
                           use.writes,
                           {}};
        enqueue(std::move(what),
                [memory, part, copies = use.copies](device_session& device, _cl_event&) {
                    if (copies)
                        device.read(part.pointer, part.host_pitch, 0, part.place, part.extent);
                });
        memory->mappings.push_back(part);
        return part.pointer;
    });
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem handle, void* pointer, cl_uint count,
                               const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what;
        what.queue = find(queue);
        const auto memory = find(handle);
        require(memory->context == what.queue->context, CL_INVALID_CONTEXT);
        auto& all = memory->mappings;
        const auto begins_there = [&](const mapping& each) { return each.pointer == pointer; };
        const auto count_there = std::count_if(all.begin(), all.end(), begins_there);
        require(count_there != 0, CL_INVALID_VALUE);
        what.type = CL_COMMAND_UNMAP_MEM_OBJECT;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        std::vector<mapping> parts;
        for (mapping& each : all) {
            if (!begins_there(each) || !each.writes) continue;
            if (count_there > 1 && each.sent == nullptr) {
                each.sent = std::make_shared<std::vector<std::byte>>();
            }
            parts.push_back(each);
        }
        enqueue(std::move(what), [memory, parts](device_session& device, _cl_event&) {
            for (const mapping& each : parts) send(device, each);
        });
        // One that only reads, if there is one: those that write may have to be sent again.
        const auto reads = std::find_if(all.begin(), all.end(), [&](const mapping& each) {
            return begins_there(each) && !each.writes;
        });
        all.erase(reads != all.end() ? reads : std::find_if(all.begin(), all.end(), begins_there));
    });
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint memories, const cl_mem* list,
                                  cl_mem_migration_flags flags, cl_uint count,
                                  const cl_event* events, cl_event* event) {
    return code_of([&] {
        enqueued what;
        what.queue = find(queue);
        require(memories != 0 && list != nullptr, CL_INVALID_VALUE);
        constexpr cl_mem_migration_flags all =
            CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        require((flags & ~all) == 0, CL_INVALID_VALUE);
        for (cl_uint i = 0; i < memories; ++i) {
            require(find(list[i])->context == what.queue->context, CL_INVALID_CONTEXT);
        }
        what.type = CL_COMMAND_MIGRATE_MEM_OBJECTS;
        what.after = find_wait_list(*what.queue->context, count, events);
        what.event = event;
        // There is one device, which has them all.
        enqueue(std::move(what), [](device_session&, _cl_event&) {});
    });
}

}  // namespace heddle::opencl
