// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// What a chain does at a clock edge.
enum class chain_operation : std::uint8_t {
    none,
    start,    ///< a kernel has come into `entry`, with `rank`; the head keeps its place if `stays`
    append,   ///< `group` joins `entry`
    advance,  ///< the last block of the head was distributed; `group` is the Next of its group
};

/// Ports of slot.kde_chain: which entries of the Kernel Distributor have something to distribute,
/// in which order, and the groups of each (hw/smx_scheduler/chain/kde_chain.h has the rules).
/// `accepted` and `linked` answer the operation, before its clock edge: the kernel may start, and
/// the group whose Next must now name `group`. The others show the registers, the last three those
/// of `entry`. A group of all ones is null; when nothing is left, `head` is 0 and `head_group`
/// null. One clock an operation.
struct kde_chain_call {
    static constexpr unsigned most_entries = 64;

    std::uint8_t entries = 0;  ///< that there are
    chain_operation operation = chain_operation::none;
    std::uint8_t entry = 0;
    std::uint32_t rank = 0;
    bool stays = false;
    std::uint32_t group = 0;

    bool accepted = false;
    std::uint32_t linked = 0;
    bool empty = false;
    std::uint8_t head = 0;
    std::uint32_t head_group = 0;
    std::uint64_t marks = 0;  ///< a bit for each entry
    bool first_time = false;
    std::uint32_t next_group = 0;
    std::uint32_t last_group = 0;
};

inline constexpr port_field<kde_chain_call> kde_chain_ports[] = {
    port_of<&kde_chain_call::entries>(port_direction::input, "entries", 7),
    port_of<&kde_chain_call::operation>(port_direction::input, "op", 2),
    port_of<&kde_chain_call::entry>(port_direction::input, "entry", 6),
    port_of<&kde_chain_call::rank>(port_direction::input, "rank", 32),
    port_of<&kde_chain_call::stays>(port_direction::input, "stays", 1),
    port_of<&kde_chain_call::group>(port_direction::input, "group", 32),
    port_of<&kde_chain_call::accepted>(port_direction::output, "accepted", 1),
    port_of<&kde_chain_call::linked>(port_direction::output, "linked", 32),
    port_of<&kde_chain_call::empty>(port_direction::output, "empty", 1),
    port_of<&kde_chain_call::head>(port_direction::output, "head", 6),
    port_of<&kde_chain_call::head_group>(port_direction::output, "head_group", 32),
    port_of<&kde_chain_call::marks>(port_direction::output, "marks", 64),
    port_of<&kde_chain_call::first_time>(port_direction::output, "first_time", 1),
    port_of<&kde_chain_call::next_group>(port_direction::output, "next_group", 32),
    port_of<&kde_chain_call::last_group>(port_direction::output, "last_group", 32),
};

}  // namespace heddle::cosim
