// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/strong_index.h"

namespace heddle {

/// AGEI: names an aggregated group that has joined a Kernel Distributor Entry, by its entry in the
/// Aggregated Group Table (AGT), or by the address of its record in memory if it has no entry
/// there. Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.2.
using group_index = strong_index<struct group_index_tag>;
/// From here on an AGEI is an address: records lie in the runtime reserve.
inline constexpr std::uint32_t first_record_address = 0x8000'0000;
/// Whether a group (not null_group) has no entry in the AGT.
constexpr bool is_spilled(group_index group) noexcept {
    return group.value() >= first_record_address;
}
/// Names no group; as a source of blocks: the entry's own kernel.
inline constexpr group_index null_group{0xffffffff};

/// As the waveform shows an AGEI: null is -1, an address a negative number.
constexpr std::int64_t show_group(group_index group) noexcept {
    return static_cast<std::int32_t>(group.value());
}

}  // namespace heddle
