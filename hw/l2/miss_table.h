// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "hw/base/ring.h"
#include "hw/l2/line_store.h"
#include "hw/protocol/byte_mask.h"
#include "hw/protocol/memory_access.h"
#include "models/base/free_list.h"

namespace heddle {

/// Miss status holding registers of one L2 bank: the lines that are being fetched, each with the
/// accesses that wait for it, in the order of their arrival.
///
/// An entry goes through: wants a fetch -> fetching -> ready (its accesses are replayed) -> free,
/// or back to wanting a fetch if an access needs bytes that have not been fetched.
class miss_table {
public:
    using index = line_store::miss;

    struct entry {
        line_store::index way = line_store::none;  ///< of its line, which names the entry
        unsigned first = 0, length = 0;            ///< bytes of the line that are fetched
        ring<tlm::tlm_generic_payload*> targets;
        tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;  ///< of the last fetch
        protocol::fetch_times times;                             ///< of the last fetch
        std::uint8_t data[protocol::maximum_line_bytes];         ///< where the fetch puts it
    };

    miss_table(std::uint32_t entries, std::uint32_t targets);

    [[nodiscard]] bool full() const noexcept { return free_.empty(); }
    [[nodiscard]] std::uint32_t used() const noexcept { return used_; }
    /// Call only if not full().
    index allocate(line_store::index way);
    void free(index at);

    [[nodiscard]] entry& at(index at) { return entries_[at]; }
    [[nodiscard]] const entry& at(index at) const { return entries_[at]; }

    /// Entries that want a fetch, and entries that are ready, each oldest first.
    [[nodiscard]] ring<index>& to_fetch() noexcept { return to_fetch_; }
    [[nodiscard]] const ring<index>& to_fetch() const noexcept { return to_fetch_; }
    [[nodiscard]] ring<index>& ready() noexcept { return ready_; }
    [[nodiscard]] const ring<index>& ready() const noexcept { return ready_; }

private:
    std::vector<entry> entries_;
    free_list<index> free_;
    ring<index> to_fetch_;
    ring<index> ready_;
    std::uint32_t used_ = 0;
};

}  // namespace heddle
