// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/find.h"
#include "runtime/opencl/memory_flags.h"
#include "runtime/opencl/pixel_rectangle.h"

namespace heddle::opencl {
namespace {

using sizes = const std::size_t*;

/// The queue of a command on images.
enqueued begin(cl_command_queue queue, cl_command_type type, cl_uint count, const cl_event* list,
               cl_event* event) {
    enqueued what;
    what.queue = find(queue);
    what.type = type;
    what.after = find_wait_list(*what.queue->context, count, list);
    what.event = event;
    return what;
}

void check_context(const enqueued& what, const _cl_mem& memory) {
    require(memory.context == what.queue->context, CL_INVALID_CONTEXT);
}

std::size_t checked_pitch(const pixel_rectangle& part, std::size_t row_pitch,
                          std::size_t slice_pitch) {
    require(row_pitch == 0 || row_pitch >= part.row, CL_INVALID_VALUE);
    require(slice_pitch == 0, CL_INVALID_VALUE);
    return row_pitch != 0 ? row_pitch : part.row;
}

bool overlaps(const pixel_rectangle& a, const pixel_rectangle& b) {
    const std::size_t pitch = a.memory->image->row_bytes();
    const auto apart = [](std::size_t x, std::size_t y, std::size_t size) {
        return x + size <= y || y + size <= x;
    };
    return a.memory == b.memory && !apart(a.offset / pitch, b.offset / pitch, a.rows) &&
           !apart(a.offset % pitch, b.offset % pitch, a.row);
}

}  // namespace

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, sizes origin,
                          sizes region, size_t row_pitch, size_t slice_pitch, void* host,
                          cl_uint count, const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what = begin(queue, CL_COMMAND_READ_IMAGE, count, list, event);
        const pixel_rectangle from = pixel_rectangle_of(image, origin, region);
        check_context(what, *from.memory);
        require(host != nullptr, CL_INVALID_VALUE);
        require((from.memory->flags & not_for_reading) == 0, CL_INVALID_OPERATION);
        const std::size_t pitch = checked_pitch(from, row_pitch, slice_pitch);
        what.blocking = blocking != CL_FALSE;
        enqueue(std::move(what), [=](device_session& device, _cl_event&) {
            device.read(host, pitch, 0, from.box(), from.extent());
        });
    });
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, sizes origin,
                           sizes region, size_t row_pitch, size_t slice_pitch, const void* host,
                           cl_uint count, const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what = begin(queue, CL_COMMAND_WRITE_IMAGE, count, list, event);
        const pixel_rectangle to = pixel_rectangle_of(image, origin, region);
        check_context(what, *to.memory);
        require(host != nullptr, CL_INVALID_VALUE);
        require((to.memory->flags & not_for_writing) == 0, CL_INVALID_OPERATION);
        const std::size_t pitch = checked_pitch(to, row_pitch, slice_pitch);
        what.blocking = blocking != CL_FALSE;
        enqueue(std::move(what), [=](device_session& device, _cl_event&) {
            device.write(host, pitch, 0, to.box(), to.extent());
        });
    });
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem target, sizes from_origin,
                          sizes to_origin, sizes region, cl_uint count, const cl_event* list,
                          cl_event* event) {
    return code_of([&] {
        enqueued what = begin(queue, CL_COMMAND_COPY_IMAGE, count, list, event);
        const pixel_rectangle from = pixel_rectangle_of(source, from_origin, region);
        const pixel_rectangle to = pixel_rectangle_of(target, to_origin, region);
        check_context(what, *from.memory);
        check_context(what, *to.memory);
        const auto& a = from.memory->image->format;
        const auto& b = to.memory->image->format;
        require(a.image_channel_order == b.image_channel_order &&
                    a.image_channel_data_type == b.image_channel_data_type,
                CL_IMAGE_FORMAT_MISMATCH);
        require(!overlaps(from, to), CL_MEM_COPY_OVERLAP);
        enqueue(std::move(what), [=](device_session& device, _cl_event&) {
            device.call(runtime::copy_request{from.box(), to.box(), from.extent()});
        });
    });
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
                                  sizes origin, sizes region, size_t offset, cl_uint count,
                                  const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what = begin(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, count, list, event);
        const pixel_rectangle from = pixel_rectangle_of(source, origin, region);
        const auto to = find_buffer(target);
        check_context(what, *from.memory);
        check_context(what, *to);
        const std::size_t bytes = from.row * from.rows;
        require(offset <= to->size && bytes <= to->size - offset, CL_INVALID_VALUE);
        enqueue(std::move(what), [=](device_session& device, _cl_event&) {
            device.call(runtime::copy_request{
                from.box(),
                {to->address + static_cast<std::uint32_t>(offset), from.row, bytes},
                from.extent()});
        });
    });
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem source, cl_mem target,
                                  size_t offset, sizes origin, sizes region, cl_uint count,
                                  const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what = begin(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, count, list, event);
        const auto from = find_buffer(source);
        const pixel_rectangle to = pixel_rectangle_of(target, origin, region);
        check_context(what, *from);
        check_context(what, *to.memory);
        const std::size_t bytes = to.row * to.rows;
        require(offset <= from->size && bytes <= from->size - offset, CL_INVALID_VALUE);
        enqueue(std::move(what), [=](device_session& device, _cl_event&) {
            device.call(runtime::copy_request{
                {from->address + static_cast<std::uint32_t>(offset), to.row, bytes},
                to.box(),
                to.extent()});
        });
    });
}

void* clEnqueueMapImage(cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags,
                        sizes origin, sizes region, size_t* row_pitch, size_t* slice_pitch,
                        cl_uint count, const cl_event* list, cl_event* event, cl_int* code) {
    return made_by(code, [&]() -> void* {
        enqueued what = begin(queue, CL_COMMAND_MAP_IMAGE, count, list, event);
        const pixel_rectangle part = pixel_rectangle_of(handle, origin, region);
        _cl_mem& memory = *part.memory;
        check_context(what, memory);
        require(row_pitch != nullptr, CL_INVALID_VALUE);
        const map_use use = map_use_of(memory, flags);
        const image_shape& image = *memory.image;
        mapping mapped;
        mapped.pointer =
            memory.host_data() + origin[1] * image.host_pitch + origin[0] * image.pixel;
        mapped.host_pitch = image.host_pitch;
        mapped.place = part.box();
        mapped.extent = part.extent();
        mapped.writes = use.writes;
        what.blocking = blocking != CL_FALSE;
        enqueue(std::move(what), [memory = part.memory, mapped, copies = use.copies](
                                     device_session& device, _cl_event&) {
            if (!copies) return;
            device.read(mapped.pointer, mapped.host_pitch, 0, mapped.place, mapped.extent);
        });
        memory.mappings.push_back(mapped);
        *row_pitch = image.host_pitch;
        if (slice_pitch != nullptr) *slice_pitch = 0;
        return mapped.pointer;
    });
}

}  // namespace heddle::opencl
