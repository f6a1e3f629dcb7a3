// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "models/base/strong_index.h"

namespace heddle {

/// An entry of the Aggregated Group Table (AGT).
using agt_entry = strong_index<struct agt_entry_tag>;
/// Where the launch record of a group lies in memory.
using record_address = strong_index<struct record_address_tag>;

/// AGEI: names an aggregated group that has joined a Kernel Distributor Entry, by its entry in the
/// AGT, or by the address of its record if it has no entry there (it is spilled); or names none.
/// Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.2.
///
/// 32 bits, as the registers of the chains and the word Next of a record: records lie in the
/// runtime reserve, so that from its first address on the bits are an address.
class group_index {
public:
    /// Names no group; as a source of blocks: the entry's own kernel.
    constexpr group_index() noexcept = default;
    explicit constexpr group_index(agt_entry entry) noexcept : bits_(entry.value()) {}
    explicit constexpr group_index(record_address record) noexcept : bits_(record.value()) {}
    /// What bits() has told.
    [[nodiscard]] static constexpr group_index of_bits(std::uint32_t bits) noexcept {
        group_index group;
        group.bits_ = bits;
        return group;
    }

    [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
    /// Whether the group, which is one, has no entry in the AGT.
    [[nodiscard]] constexpr bool is_spilled() const noexcept {
        return bits_ >= first_record_address;
    }
    /// Precondition: it is a group and not spilled.
    [[nodiscard]] constexpr agt_entry entry() const noexcept { return agt_entry(bits_); }
    /// Precondition: it is spilled.
    [[nodiscard]] constexpr record_address record() const noexcept { return record_address(bits_); }

    friend constexpr bool operator==(group_index a, group_index b) noexcept {
        return a.bits_ == b.bits_;
    }
    friend constexpr bool operator!=(group_index a, group_index b) noexcept { return !(a == b); }

private:
    static constexpr std::uint32_t first_record_address = 0x8000'0000;

    std::uint32_t bits_ = 0xffff'ffff;
};

inline constexpr group_index null_group{};

/// As the waveform shows an AGEI: null is -1, an address a negative number.
constexpr std::int64_t show_group(group_index group) noexcept {
    return static_cast<std::int32_t>(group.bits());
}

}  // namespace heddle

template <>
struct std::hash<heddle::record_address> {
    std::size_t operator()(heddle::record_address record) const noexcept { return record.value(); }
};
