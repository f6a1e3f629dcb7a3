// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/copies.h"

#include <cstring>
#include <memory>
#include <vector>

namespace heddle::cuda {
namespace {

runtime::memory_box box_of(const copy_end& end) {
    return {end.address, end.row_pitch, end.slice_pitch};
}

void copy_on_host(const copy_end& to, const copy_end& from, const runtime::box_extent& extent) {
    for (std::uint64_t z = 0; z < extent.slices; ++z) {
        for (std::uint64_t y = 0; y < extent.rows; ++y) {
            std::memmove(
                static_cast<char*>(to.pointer) + z * to.slice_pitch + y * to.row_pitch,
                static_cast<const char*>(from.pointer) + z * from.slice_pitch + y * from.row_pitch,
                extent.bytes);
        }
    }
}

/// The bytes as they are now, packed.
std::shared_ptr<std::vector<std::byte>> snapshot(const copy_end& from,
                                                 const runtime::box_extent& extent) {
    auto taken =
        std::make_shared<std::vector<std::byte>>(extent.bytes * extent.rows * extent.slices);
    runtime::for_rows(extent, from.row_pitch, from.slice_pitch,
                      [&](std::uint64_t at, std::uint64_t packed, std::uint64_t bytes) {
                          std::memcpy(taken->data() + packed,
                                      static_cast<const char*>(from.pointer) + at, bytes);
                      });
    return taken;
}

void to_device(device_objects& device, const stream_ptr& in, const copy_end& to,
               const copy_end& from, const runtime::box_extent& extent, bool now) {
    if (now) {
        device.session.enqueue(in, [&device, to, from, extent] {
            device.session.write({from.pointer, from.row_pitch, from.slice_pitch}, box_of(to),
                                 extent);
        });
        return;
    }
    const auto taken = snapshot(from, extent);
    device.session.enqueue(
        in,
        [&device, to, taken, extent] {
            device.session.write({taken->data(), extent.bytes, extent.bytes * extent.rows},
                                 box_of(to), extent);
        },
        taken->size());
}

}  // namespace

std::uint64_t span_of(std::uint64_t row_pitch, std::uint64_t slice_pitch,
                      const runtime::box_extent& extent) {
    if (extent.bytes == 0 || extent.rows == 0 || extent.slices == 0) return 0;
    return (extent.slices - 1) * slice_pitch + (extent.rows - 1) * row_pitch + extent.bytes;
}

copy_end end_of(const device_objects& device, const void* pointer, copy_side side,
                cudaMemcpyKind kind, std::uint64_t row_pitch, std::uint64_t slice_pitch,
                const runtime::box_extent& extent) {
    require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
    const std::uint64_t bytes = span_of(row_pitch, slice_pitch, extent);
    const std::uint32_t address = address_of(pointer);
    const bool source = side == copy_side::source;
    const bool said = kind == cudaMemcpyDeviceToDevice ||
                      kind == (source ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
    const device_block* const block = device.memory.find(address, 1);
    bool on_device = said;
    // The program may name memory that both have by either kind.
    if (kind == cudaMemcpyDefault) on_device = device.owns(address, 1);
    if (block != nullptr && block->is_shared()) on_device = true;
    if (!on_device) {
        require(pointer != nullptr || bytes == 0, cudaErrorInvalidValue);
        require(block == nullptr, cudaErrorInvalidValue);
    } else if (bytes != 0) {
        require(device.owns(address, bytes), cudaErrorInvalidValue);
    }
    return {on_device, address, const_cast<void*>(pointer), row_pitch, slice_pitch};
}

void copy_box(device_objects& device, const copy_end& to, const copy_end& from,
              const runtime::box_extent& extent, const copy_order& order) {
    const stream_ptr in = device.session.streams().find(order.stream);
    if (extent.bytes == 0 || extent.rows == 0 || extent.slices == 0) {
        if (order.waits) device.session.wait(in);
        return;
    }
    const std::uint64_t bytes_here =
        span_of(from.on_device ? to.row_pitch : from.row_pitch,
                from.on_device ? to.slice_pitch : from.slice_pitch, extent);
    bool waits = order.waits;
    if (to.on_device && from.on_device) {
        device.session.enqueue(in, [&device, to, from, extent] {
            device.session.call(runtime::copy_request{box_of(from), box_of(to), extent});
        });
        // The program sees what it changes in managed memory only.
        waits = waits && !device.session.managed().empty();
    } else if (to.on_device) {
        to_device(device, in, to, from, extent,
                  waits || the_library().host.holds(from.pointer, bytes_here));
    } else if (from.on_device) {
        device.session.enqueue(in, [&device, to, from, extent] {
            device.session.read({to.pointer, to.row_pitch, to.slice_pitch}, box_of(from), extent);
        });
        waits = waits || !the_library().host.holds(to.pointer, bytes_here);
    } else {
        device.session.wait(in);
        copy_on_host(to, from, extent);
        return;
    }
    if (waits) device.session.wait(in);
}

void fill_box(device_objects& device, const void* pointer, std::uint64_t row_pitch,
              std::uint64_t slice_pitch, const std::vector<std::byte>& pattern,
              const runtime::box_extent& extent, const copy_order& order) {
    const stream_ptr in = device.session.streams().find(order.stream);
    if (extent.bytes == 0 || extent.rows == 0 || extent.slices == 0) return;
    const std::uint32_t address = address_of(pointer);
    require(device.owns(address, span_of(row_pitch, slice_pitch, extent)), cudaErrorInvalidValue);
    device.session.enqueue(in, [=, &device] {
        device.session.call(
            runtime::fill_request{{address, row_pitch, slice_pitch}, extent, pattern});
    });
    if (order.waits && !device.session.managed().empty()) device.session.wait(in);
}

void require_to_device(cudaMemcpyKind kind) {
    require(kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                kind == cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
}

void require_from_device(cudaMemcpyKind kind) {
    require(kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                kind == cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
}

}  // namespace heddle::cuda
