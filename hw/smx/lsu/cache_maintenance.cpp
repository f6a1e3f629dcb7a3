// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/cache_maintenance.h"

namespace heddle {

void cache_maintenance::begin_launch() {
    parts_.constants.invalidate();
    parts_.read_only.invalidate();
    invalidate_global();
}

void cache_maintenance::invalidate_global() {
    parts_.l1d.invalidate_global();
    parts_.wait.note_change();
}

bool cache_maintenance::write_back(const owner_set& owners) {
    if (!writes_back()) return false;
    owners.for_each([&](access_owner owner) {
        if (parts_.outstanding.writes(owner) != 0) written_for_.add(owner);
    });
    return parts_.l1d.dirty().hold_any_of(written_for_);
}

/// Lines that became dirty earlier go first, whoever has written them.
bool cache_maintenance::write_line_back() {
    if (!parts_.l1d.dirty().hold_any_of(written_for_)) {
        const owner_set owners = written_for_;
        owners.for_each([&](access_owner owner) {
            if (parts_.outstanding.writes(owner) == 0) written_for_.remove(owner);
        });
        return false;
    }
    if (parts_.requests.room() == 0) return false;
    parts_.l1d.clean_oldest();
    parts_.losses.send_evicted(memory_source{});
    parts_.wait.note_change();
    return true;
}

bool cache_maintenance::write_private_back(const memory_source& source, std::uint32_t first,
                                           std::uint32_t count, std::size_t& from) {
    const simt::private_layout& layout = parts_.layout;
    const std::uint64_t low = layout.region_address(first + count - 1);
    const std::uint64_t high = low + std::uint64_t{count} * layout.region_bytes();
    while (parts_.requests.room() != 0) {
        const auto line = parts_.l1d.dirty_private(low, high, from);
        if (!line) return true;
        (void)parts_.l1d.flush_private(*line, parts_.requests.room());
        parts_.losses.send_evicted(source);
        parts_.wait.note_change();
    }
    return false;
}

void cache_maintenance::discard_private(std::uint32_t first, std::uint32_t count) {
    if (count == 0) return;
    const std::uint64_t low = parts_.layout.region_address(first + count - 1);
    parts_.l1d.discard_private(low, low + std::uint64_t{count} * parts_.layout.region_bytes());
    parts_.wait.note_change();
}

}  // namespace heddle
