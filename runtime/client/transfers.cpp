// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/client/transfers.h"

#include <algorithm>
#include <cstring>

namespace heddle::runtime {
namespace {

/// Calls `each(first slice, first row, first byte, extent)` for boxes that the shared file has room
/// for, which together are the box of this extent.
template <class Call>
void for_pieces(const box_extent& extent, const Call& each) {
    constexpr std::uint64_t room = shared_bytes;
    const std::uint64_t slice = extent.bytes * extent.rows;
    if (slice * extent.slices <= room) return each(0, 0, 0, extent);
    for (std::uint64_t z = 0; z < extent.slices; ++z) {
        const std::uint64_t rows = std::max<std::uint64_t>(1, room / extent.bytes);
        for (std::uint64_t y = 0; y < extent.rows; y += rows) {
            const std::uint64_t height = std::min(rows, extent.rows - y);
            for (std::uint64_t x = 0; x < extent.bytes; x += room) {
                each(z, y, x, box_extent{std::min(room, extent.bytes - x), height, 1});
            }
        }
    }
}

memory_box part_of(const memory_box& box, std::uint64_t z, std::uint64_t y, std::uint64_t x) {
    memory_box part = box;
    part.address += static_cast<std::uint32_t>(z * box.slice_pitch + y * box.row_pitch + x);
    return part;
}

}  // namespace

void write_box(server& device, const host_box<const void*>& from, const memory_box& to,
               const box_extent& extent) {
    const auto* const host = static_cast<const std::byte*>(from.data);
    for_pieces(
        extent, [&](std::uint64_t z, std::uint64_t y, std::uint64_t x, const box_extent& piece) {
            const std::byte* const begin = host + z * from.slice_pitch + y * from.row_pitch + x;
            for_rows(piece, from.row_pitch, from.slice_pitch,
                     [&](std::uint64_t at, std::uint64_t packed, std::uint64_t bytes) {
                         std::memcpy(device.shared() + packed, begin + at, bytes);
                     });
            device.call(write_request{part_of(to, z, y, x), piece});
        });
}

void read_box(server& device, const host_box<void*>& to, const memory_box& from,
              const box_extent& extent) {
    auto* const host = static_cast<std::byte*>(to.data);
    for_pieces(extent,
               [&](std::uint64_t z, std::uint64_t y, std::uint64_t x, const box_extent& piece) {
                   std::byte* const begin = host + z * to.slice_pitch + y * to.row_pitch + x;
                   device.call(read_request{part_of(from, z, y, x), piece});
                   for_rows(piece, to.row_pitch, to.slice_pitch,
                            [&](std::uint64_t at, std::uint64_t packed, std::uint64_t bytes) {
                                std::memcpy(begin + at, device.shared() + packed, bytes);
                            });
               });
}

}  // namespace heddle::runtime
