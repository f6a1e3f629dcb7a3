// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/byte_mask.h"
#include "hw/protocol/link.h"
#include "hw/smx/lsu/queue/memory_instruction.h"
#include "models/isa/instruction.h"
#include "models/simt/private_layout.h"

/// How the lanes of a warp become accesses to lines: stateless functions over lane arrays.
///
/// `addresses` and `values` have an entry for each of the `lanes` of a warp, and 32 at least; they
/// are aligned to 64 bytes, and entries of inactive lanes may hold anything. Accesses are naturally
/// aligned, so that none crosses a line. Costs: some 10 ns a call for 32 lanes, for sub-word
/// accesses about 1 ns per active lane more.
namespace heddle::coalescer {

using isa::lane_mask;

/// Lowest and highest address of the active lanes, and all their address bits or-ed.
struct address_span {
    std::uint32_t low, high, bits;
};
[[nodiscard]] address_span span_of(const std::uint32_t* addresses, lane_mask active,
                                   unsigned lanes) noexcept;

/// Active lanes whose address lies in [base, base + size), which is a power of two wide and
/// aligned.
[[nodiscard]] lane_mask lanes_within(const std::uint32_t* addresses, lane_mask active,
                                     std::uint32_t base, std::uint32_t size,
                                     unsigned lanes) noexcept;

/// Replaces the addresses of the private window by those of the region's device memory.
void to_device(std::uint32_t* addresses, lane_mask active, const simt::private_layout& layout,
               std::uint32_t region) noexcept;
/// The same for lanes that hold threads of other lanes and warps. About 1 ns a lane.
void to_device(std::uint32_t* addresses, lane_mask active, const simt::private_layout& layout,
               const gathered_thread* threads) noexcept;

/// One access: the lanes that fall into one line.
struct coalesced_access {
    std::uint32_t line;  ///< address
    lane_mask lanes;
    byte_mask bytes;
};
/// The line of the lowest of the (non-empty) active lanes, with all lanes that share it.
[[nodiscard]] coalesced_access next_access(const std::uint32_t* addresses, lane_mask active,
                                           unsigned access_bytes, std::uint32_t line_bytes,
                                           unsigned lanes) noexcept;

/// Where in a line, or in a part of it, each lane's access begins: what a load under way keeps of
/// its addresses.
using lane_offsets = std::array<std::uint8_t, protocol::maximum_lanes>;
/// From device address `base` on; offsets of lanes that access another line mean nothing.
void find_offsets(const std::uint32_t* addresses, std::uint32_t base, unsigned lanes,
                  lane_offsets& offsets) noexcept;

/// values[lane] = what the load reads from `data`, true extension as the instruction says. Lanes
/// that are not active keep their value.
void gather(const isa::instruction& load, const lane_offsets& offsets, lane_mask active,
            const std::uint8_t* data, unsigned lanes, std::uint32_t* values) noexcept;
/// The other way round; of several lanes that write one byte the highest wins.
void scatter(unsigned access_bytes, const lane_offsets& offsets, lane_mask active,
             const std::uint32_t* values, unsigned lanes, std::uint8_t* data) noexcept;

}  // namespace heddle::coalescer
