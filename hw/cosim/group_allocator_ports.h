// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/cosim/port_table.h"
#include "hw/smx_scheduler/groups/group_allocator.h"

namespace heddle::cosim {

/// Ports of slot.group_allocator: a request (hw/smx_scheduler/groups/group_allocator.h has the
/// rules). The outputs answer it, before its clock edge; `index` is the entry that it is for.
/// `mask` is the table's size - 1. One clock a request.
struct group_allocator_call {
    static constexpr unsigned most_entries = 4096;  ///< no SMX has more threads

    std::uint16_t mask = 0;
    group_operation operation = group_operation::none;
    std::uint16_t thread = 0;
    std::uint16_t entry = 0;
    bool granted = false;
    std::uint16_t index = 0;
    bool released = false;
    std::uint32_t executing = 0;
};

inline constexpr port_field<group_allocator_call> group_allocator_ports[] = {
    port_of<&group_allocator_call::mask>(port_direction::input, "mask", 12),
    port_of<&group_allocator_call::operation>(port_direction::input, "op", 3),
    port_of<&group_allocator_call::thread>(port_direction::input, "thread", 12),
    port_of<&group_allocator_call::entry>(port_direction::input, "entry", 12),
    port_of<&group_allocator_call::granted>(port_direction::output, "granted", 1),
    port_of<&group_allocator_call::index>(port_direction::output, "index", 12),
    port_of<&group_allocator_call::released>(port_direction::output, "released", 1),
    port_of<&group_allocator_call::executing>(port_direction::output, "executing", 32),
};

}  // namespace heddle::cosim
