// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/launch_storage.h"

#include <fmt/format.h>

namespace heddle::analytic {

std::vector<storage> launch_storage(const launch_geometry& geometry) {
    const std::uint64_t blocks = std::uint64_t{geometry.smx_count} * geometry.blocks;
    std::vector<storage> all{
        {"kernel distributor", "NAGEI 32, LAGEI 32", geometry.distributor_entries, 64, {}, {}},
        {"FCFS controller", "dispatched before 1", geometry.distributor_entries, 1, {}, {}},
        {"SSCR", "AGEI 32", 1, 32, {}, {}},
        {"TBCR", "AGEI 32", blocks, 32, {}, {}},
        {"AGT", "AggDim 64, Param 32, Next 32, ExeBL 32", geometry.table_entries, 160, {}, {}}};
    if (geometry == launch_geometry{}) all.back().printed_bits = 20 * 1024 * 8;
    return all;
}

std::vector<storage> further_chain_storage(const launch_geometry& geometry) {
    if (geometry.chains == 1) return {};
    std::uint32_t turn_bits = 0;
    while ((1U << turn_bits) < geometry.chains) ++turn_bits;
    return {{"further chains",
             fmt::format("NAGEI 32, LAGEI 32 x {}, turns 2 x {}", geometry.chains - 1, turn_bits),
             geometry.distributor_entries,
             64 * (geometry.chains - 1) + 2 * turn_bits,
             {},
             {}},
            {"record buffers",
             "AGEI 32, PC 32, AggDim 64, Param 32, Next 32",
             geometry.chains,
             192,
             {},
             {}}};
}

std::uint64_t launch_field_bytes(const launch_geometry& geometry) {
    std::uint64_t bytes = 0;
    const std::vector<storage> all = launch_storage(geometry);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) bytes += all[i].bytes();
    return bytes;
}

}  // namespace heddle::analytic
