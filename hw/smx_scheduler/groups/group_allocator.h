// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>

#include "hw/base/slot_registry.h"
#include "hw/protocol/group_index.h"
#include "hw/smx_scheduler/smx_scheduler_configuration.h"

namespace heddle {

enum class group_operation : std::uint8_t {
    none,
    allocate,     ///< an entry for a group that `thread` has launched
    start_block,  ///< a block of the group in `entry` was distributed: ExeBL + 1
    exhaust,      ///< its last block was distributed
    end_block,    ///< a block of it has ended: ExeBL - 1
};

struct group_request {
    group_operation what = group_operation::none;
    std::uint32_t thread = 0;  ///< hardware thread in its SMX
    agt_entry entry{};         ///< unless it is allocate
};
struct group_answer {
    bool granted = false;         ///< allocate: the thread's entry was free
    agt_entry entry{};            ///< that of the request; allocate: that of the thread
    bool released = false;        ///< exhaust, end_block: the entry is free from now on
    std::uint32_t executing = 0;  ///< ExeBL of the entry
};

/// The slot of the allocator of the Aggregated Group Table (hw/base/slot.h), key
/// `slot.group_allocator`: which of its entries are in use. Wang et al., "Dynamic Thread Block
/// Launch", ISCA 2015, 4.2, steps 6 and 12.
///
/// A group may have one entry only, which the hardware thread that launches it gives: its number
/// mod the size. It has the entry until all its blocks have been distributed and have ended. One
/// clock each request.
struct group_allocator_traits {
    static constexpr const char* name = "group_allocator";
    using interface = slot<group_allocator_traits>;
    using setting = group_table_configuration;
    using inputs = group_request;
    using outputs = group_answer;
    static constexpr slot_field<group_answer> fields[] = {
        {"granted", [](const group_answer& a, std::uint32_t) { return std::uint64_t{a.granted}; }},
        {"entry",
         [](const group_answer& a, std::uint32_t) { return std::uint64_t{a.entry.value()}; }},
        {"released",
         [](const group_answer& a, std::uint32_t) { return std::uint64_t{a.released}; }},
        {"executing",
         [](const group_answer& a, std::uint32_t) { return std::uint64_t{a.executing}; }}};

    [[nodiscard]] static slot_registry<group_allocator_traits> implementations();
};
using group_allocator = slot<group_allocator_traits>;

/// The `tlm` implementation.
[[nodiscard]] std::unique_ptr<group_allocator> make_group_allocator(
    const group_table_configuration& configuration);

std::ostream& operator<<(std::ostream& to, const group_request& request);

}  // namespace heddle
