// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cstdlib>

#include "runtime/opencl/find.h"
#include "runtime/opencl/memory_flags.h"

namespace heddle::opencl {
namespace {

using sizes = const std::size_t*;

struct box {
    std::uint64_t offset = 0;  ///< of its first byte
    std::uint64_t row_pitch = 0, slice_pitch = 0;

    [[nodiscard]] runtime::memory_box in(const _cl_mem& memory) const {
        return {memory.address + static_cast<std::uint32_t>(offset), row_pitch, slice_pitch};
    }
};

/// A box of a rectangular copy. Throws error(CL_INVALID_VALUE) for pitches that it can't have.
box read_box(sizes origin, sizes region, std::size_t row_pitch, std::size_t slice_pitch) {
    require(origin != nullptr && region != nullptr, CL_INVALID_VALUE);
    require(region[0] != 0 && region[1] != 0 && region[2] != 0, CL_INVALID_VALUE);
    require(row_pitch == 0 || row_pitch >= region[0], CL_INVALID_VALUE);
    const std::size_t row = row_pitch != 0 ? row_pitch : region[0];
    require(slice_pitch == 0 || (slice_pitch >= region[1] * row && slice_pitch % row == 0),
            CL_INVALID_VALUE);
    const std::size_t slice = slice_pitch != 0 ? slice_pitch : region[1] * row;
    return {origin[2] * slice + origin[1] * row + origin[0], row, slice};
}

/// Bytes from the first to behind the last.
std::uint64_t length_of(const box& part, sizes region) {
    return (region[2] - 1) * part.slice_pitch + (region[1] - 1) * part.row_pitch + region[0];
}

void check_within(const _cl_mem& memory, const box& part, sizes origin, sizes region) {
    // First each factor: products of numbers as large as programs can say would wrap.
    for (std::size_t i = 0; i < 3; ++i) {
        require(origin[i] <= memory.size && region[i] <= memory.size, CL_INVALID_VALUE);
    }
    require(origin[1] + region[1] == 1 || part.row_pitch <= memory.size, CL_INVALID_VALUE);
    require(origin[2] + region[2] == 1 || part.slice_pitch <= memory.size, CL_INVALID_VALUE);
    require(part.offset + length_of(part, region) <= memory.size, CL_INVALID_VALUE);
}

void check_range(const _cl_mem& memory, std::size_t offset, std::size_t size) {
    require(size != 0 && offset <= memory.size && size <= memory.size - offset, CL_INVALID_VALUE);
}

/// Queue and buffer of a copy between host and device.
struct host_copy {
    enqueued what;
    std::shared_ptr<_cl_mem> memory;
};

host_copy begin_host_copy(cl_command_queue queue, cl_mem memory, cl_command_type type,
                          const void* host, cl_bool blocking, cl_mem_flags forbidden) {
    host_copy begun;
    begun.what.queue = find(queue);
    begun.memory = find_buffer(memory);
    require(begun.memory->context == begun.what.queue->context, CL_INVALID_CONTEXT);
    require(host != nullptr, CL_INVALID_VALUE);
    require((begun.memory->flags & forbidden) == 0, CL_INVALID_OPERATION);
    begun.what.type = type;
    begun.what.blocking = blocking != CL_FALSE;
    return begun;
}

/// Whether two boxes of one buffer share a byte. Offsets are from that buffer's begin.
bool overlap(const box& from, const box& to, sizes region) {
    if (from.offset >= to.offset + length_of(to, region) ||
        to.offset >= from.offset + length_of(from, region)) {
        return false;
    }
    if (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch) return true;
    // The same grid of rows: they meet where some slices and rows on, or rows back, are less than a
    // row from the distance of the boxes.
    const auto apart = static_cast<std::int64_t>(std::max(from.offset, to.offset) -
                                                 std::min(from.offset, to.offset));
    const auto rows = static_cast<std::int64_t>(region[1]);
    for (std::uint64_t z = 0; z < region[2]; ++z) {
        for (std::int64_t y = 1 - rows; y < rows; ++y) {
            const auto row = static_cast<std::int64_t>(z * from.slice_pitch) +
                             y * static_cast<std::int64_t>(from.row_pitch);
            if (std::abs(row - apart) < static_cast<std::int64_t>(region[0])) return true;
        }
    }
    return false;
}

}  // namespace

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                           size_t size, void* host, cl_uint count, const cl_event* list,
                           cl_event* event) {
    return code_of([&] {
        auto copy =
            begin_host_copy(queue, memory, CL_COMMAND_READ_BUFFER, host, blocking, not_for_reading);
        check_range(*copy.memory, offset, size);
        copy.what.after = find_wait_list(*copy.what.queue->context, count, list);
        copy.what.event = event;
        const box from{offset, size, size};
        enqueue(std::move(copy.what),
                [memory = copy.memory, from, size, host](device_session& device, _cl_event&) {
                    device.read(host, size, size, from.in(*memory), {size, 1, 1});
                });
    });
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                               sizes origin, sizes host_origin, sizes region, size_t row_pitch,
                               size_t slice_pitch, size_t host_row_pitch, size_t host_slice_pitch,
                               void* host, cl_uint count, const cl_event* list, cl_event* event) {
    return code_of([&] {
        auto copy = begin_host_copy(queue, memory, CL_COMMAND_READ_BUFFER_RECT, host, blocking,
                                    not_for_reading);
        const box from = read_box(origin, region, row_pitch, slice_pitch);
        const box to = read_box(host_origin, region, host_row_pitch, host_slice_pitch);
        check_within(*copy.memory, from, origin, region);
        copy.what.after = find_wait_list(*copy.what.queue->context, count, list);
        copy.what.event = event;
        const runtime::box_extent extent{region[0], region[1], region[2]};
        enqueue(std::move(copy.what),
                [memory = copy.memory, from, to, extent, host](device_session& device, _cl_event&) {
                    device.read(static_cast<std::byte*>(host) + to.offset, to.row_pitch,
                                to.slice_pitch, from.in(*memory), extent);
                });
    });
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                            size_t size, const void* host, cl_uint count, const cl_event* list,
                            cl_event* event) {
    return code_of([&] {
        auto copy = begin_host_copy(queue, memory, CL_COMMAND_WRITE_BUFFER, host, blocking,
                                    not_for_writing);
        check_range(*copy.memory, offset, size);
        copy.what.after = find_wait_list(*copy.what.queue->context, count, list);
        copy.what.event = event;
        const box to{offset, size, size};
        enqueue(std::move(copy.what),
                [memory = copy.memory, to, size, host](device_session& device, _cl_event&) {
                    device.write(host, size, size, to.in(*memory), {size, 1, 1});
                });
    });
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                sizes origin, sizes host_origin, sizes region, size_t row_pitch,
                                size_t slice_pitch, size_t host_row_pitch, size_t host_slice_pitch,
                                const void* host, cl_uint count, const cl_event* list,
                                cl_event* event) {
    return code_of([&] {
        auto copy = begin_host_copy(queue, memory, CL_COMMAND_WRITE_BUFFER_RECT, host, blocking,
                                    not_for_writing);
        const box to = read_box(origin, region, row_pitch, slice_pitch);
        const box from = read_box(host_origin, region, host_row_pitch, host_slice_pitch);
        check_within(*copy.memory, to, origin, region);
        copy.what.after = find_wait_list(*copy.what.queue->context, count, list);
        copy.what.event = event;
        const runtime::box_extent extent{region[0], region[1], region[2]};
        enqueue(std::move(copy.what),
                [memory = copy.memory, from, to, extent, host](device_session& device, _cl_event&) {
                    device.write(static_cast<const std::byte*>(host) + from.offset, from.row_pitch,
                                 from.slice_pitch, to.in(*memory), extent);
                });
    });
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint count, const cl_event* list,
                           cl_event* event) {
    return code_of([&] {
        enqueued what;
        what.queue = find(queue);
        const auto from = find_buffer(source);
        const auto to = find_buffer(target);
        require(from->context == what.queue->context && to->context == what.queue->context,
                CL_INVALID_CONTEXT);
        check_range(*from, from_offset, size);
        check_range(*to, to_offset, size);
        const std::uint64_t begin = from->address + from_offset;
        const std::uint64_t place = to->address + to_offset;
        require(begin + size <= place || place + size <= begin, CL_MEM_COPY_OVERLAP);
        what.type = CL_COMMAND_COPY_BUFFER;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        enqueue(std::move(what), [=](device_session& device, _cl_event&) {
            device.call(runtime::copy_request{box{from_offset, size, size}.in(*from),
                                              box{to_offset, size, size}.in(*to),
                                              {size, 1, 1}});
        });
    });
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
                               sizes from_origin, sizes to_origin, sizes region,
                               size_t from_row_pitch, size_t from_slice_pitch, size_t to_row_pitch,
                               size_t to_slice_pitch, cl_uint count, const cl_event* list,
                               cl_event* event) {
    return code_of([&] {
        enqueued what;
        what.queue = find(queue);
        const auto from = find_buffer(source);
        const auto to = find_buffer(target);
        require(from->context == what.queue->context && to->context == what.queue->context,
                CL_INVALID_CONTEXT);
        const box begin = read_box(from_origin, region, from_row_pitch, from_slice_pitch);
        const box place = read_box(to_origin, region, to_row_pitch, to_slice_pitch);
        check_within(*from, begin, from_origin, region);
        check_within(*to, place, to_origin, region);
        const bool same_pitches =
            begin.row_pitch == place.row_pitch && begin.slice_pitch == place.slice_pitch;
        require(from != to || same_pitches, CL_INVALID_VALUE);
        const auto whole = [](const std::shared_ptr<_cl_mem>& part) {
            return part->parent != nullptr ? part->parent : part;
        };
        if (whole(from) == whole(to)) {
            const auto in_whole = [](const _cl_mem& part, box of) {
                of.offset += part.origin;
                return of;
            };
            require(!overlap(in_whole(*from, begin), in_whole(*to, place), region),
                    CL_MEM_COPY_OVERLAP);
        }
        what.type = CL_COMMAND_COPY_BUFFER_RECT;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        const runtime::box_extent extent{region[0], region[1], region[2]};
        enqueue(std::move(what), [=](device_session& device, _cl_event&) {
            device.call(runtime::copy_request{begin.in(*from), place.in(*to), extent});
        });
    });
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void* pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint count,
                           const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what;
        what.queue = find(queue);
        const auto to = find_buffer(memory);
        require(to->context == what.queue->context, CL_INVALID_CONTEXT);
        require(offset <= to->size && size <= to->size - offset, CL_INVALID_VALUE);
        constexpr std::size_t largest = 128;
        require(pattern != nullptr && pattern_size != 0 && pattern_size <= largest &&
                    (pattern_size & (pattern_size - 1)) == 0,
                CL_INVALID_VALUE);
        require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
        what.type = CL_COMMAND_FILL_BUFFER;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        const auto* const bytes = static_cast<const std::byte*>(pattern);
        runtime::fill_request fill{{to->address + static_cast<std::uint32_t>(offset), 0, 0},
                                   {size, 1, 1},
                                   {bytes, bytes + pattern_size}};
        enqueue(std::move(what), [to, fill = std::move(fill)](device_session& device, _cl_event&) {
            if (fill.extent.bytes != 0) device.call(fill);
        });
    });
}

}  // namespace heddle::opencl
