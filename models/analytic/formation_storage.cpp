// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/formation_storage.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::analytic {
namespace {

// Widths that the thesis chooses.
constexpr std::uint32_t pc_bits = 24;
constexpr std::uint32_t scheduler_data_bits = 10;

/// Bits of a number from 0 to `most`.
constexpr std::uint32_t bits_to_count(std::uint64_t most) noexcept {
    std::uint32_t bits = 0;
    for (; most != 0; most /= 2) ++bits;
    return bits;
}

/// Bits of an index of `entries` entries.
constexpr std::uint32_t bits_of_index(std::uint64_t entries) noexcept {
    return entries < 2 ? 1 : bits_to_count(entries - 1);
}

struct field {
    const char* name;
    std::uint32_t bits;
    std::uint32_t count = 1;
};

storage made_of(const char* name, std::uint64_t entries, const std::vector<field>& fields) {
    storage made;
    made.name = name;
    made.entries = entries;
    for (const field& one : fields) {
        if (!made.content.empty()) made.content += ", ";
        made.content += fmt::format("{} {}", one.name, one.bits);
        if (one.count != 1) made.content += fmt::format(" x {}", one.count);
        made.entry_bits += one.bits * one.count;
    }
    return made;
}

/// Table 7.1 as it is printed: bits and mm2 of each structure.
constexpr std::pair<std::uint64_t, double> printed[] = {
    {752, 0.0080}, {4032, 0.2633}, {44928, 0.6194}, {896, 0.0342}, {4992, 0.4945}, {3712, 0.2159}};

}  // namespace

std::vector<storage> formation_storage(const formation_geometry& geometry) {
    const std::uint32_t lanes = geometry.warp_size;
    const std::uint32_t thread = bits_of_index(geometry.threads);
    const std::uint32_t warp = bits_of_index(geometry.pool_entries);
    std::vector<storage> all{
        made_of("warp update registers", 2,
                {{"TID", thread, lanes}, {"PC", pc_bits}, {"REQ", lanes}}),
        made_of("PC-warp LUT", geometry.lookup_entries,
                {{"PC", pc_bits}, {"OCC", lanes}, {"IDX", warp}}),
        made_of("warp pool", geometry.pool_entries,
                {{"TID", thread, lanes}, {"PC", pc_bits}, {"scheduler data", scheduler_data_bits}}),
        made_of("warp allocator", geometry.pool_entries, {{"IDX", warp}}),
        made_of("MHeap LUT", geometry.heap_lookup_entries,
                {{"PC", pc_bits}, {"MH#", bits_of_index(geometry.heap_entries) + 1}}),
        made_of("max-heap", geometry.heap_entries,
                {{"PC", pc_bits},
                 {"CNT", bits_to_count(geometry.threads)},
                 {"WPH", warp + 1},
                 {"WPT", warp + 1},
                 {"LUT#", bits_of_index(geometry.heap_lookup_entries) + 1}})};
    if (geometry == formation_geometry{}) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].printed_bits = printed[i].first;
            all[i].printed_area = printed[i].second;
        }
    }
    return all;
}

std::vector<cacti_memory> cacti_memories() {
    const formation_geometry thesis;
    const std::uint32_t warp = bits_of_index(thesis.pool_entries);
    const std::uint32_t thread = bits_of_index(thesis.threads);
    const std::uint32_t entry_of_heap = formation_storage(thesis).back().entry_bits;
    std::vector<cacti_memory> all{
        {"PC-warp LUT", thesis.lookup_entries, thesis.warp_size + warp, 512, 48, 2, 1},
        {"warp pool, TID bank", thesis.pool_entries, thread, 160, 10, 1, 1},
        {"warp pool, PC bank", thesis.pool_entries, pc_bits + scheduler_data_bits, 704, 42, 1, 2},
        {"warp allocator", thesis.pool_entries, warp, 128, 14, 1, 1},
        {"MHeap LUT", thesis.heap_lookup_entries, bits_of_index(thesis.heap_entries) + 1, 1024, 10,
         2, 2},
        {"max-heap", thesis.heap_entries, entry_of_heap, 512, 64, 2, 2}};
    for (cacti_memory& one : all) one.bytes = (one.bytes * one.output_bits + 7) / 8;
    return all;
}

formation_area thesis_formation_area() {
    formation_area area;
    for (const storage& one : formation_storage({})) area.scheduler += *one.printed_area;
    constexpr double bank = 0.5731;  // 1024 registers of 32 bits
    constexpr double whole = 3.863;  // 8192 of them behind one decoder
    area.register_decoders = 8 * bank - whole;
    return area;
}

}  // namespace heddle::analytic
