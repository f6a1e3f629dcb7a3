// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/access_table.h"

#include <algorithm>
#include <utility>

namespace heddle {

access_table::access_table(std::size_t capacity) : entries_(capacity), free_(capacity) {}

access_table::index access_table::begin(payload& request) {
    const index at = free_.take();
    entries_[at] = {};
    entries_[at].what.request = &request;
    return at;
}

void access_table::put_in_order(index at) {
    entries_[at].before = youngest_;
    (youngest_ == none ? oldest_ : entries_[youngest_].after) = at;
    youngest_ = at;
}

access_table::index access_table::find(const payload& request) const noexcept {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const entry& each) {
        return each.what.request == &request;
    });
    return found == entries_.end() ? none : static_cast<index>(found - entries_.begin());
}

bool access_table::has_to_wait(index at) const {
    const payload& younger = *entries_[at].what.request;
    const std::uint64_t first = younger.get_address();
    for (index older = oldest_; older != at; older = entries_[older].after) {
        const payload& each = *entries_[older].what.request;
        if ((each.is_write() || younger.is_write()) &&
            each.get_address() < first + younger.get_data_length() &&
            first < each.get_address() + each.get_data_length()) {
            return true;
        }
    }
    return false;
}

bool access_table::may_perform(index at) {
    if (!has_to_wait(at)) return true;
    entries_[at].waits = true;
    ++waiting_;
    return false;
}

void access_table::unlink(index at) {
    const entry& gone = entries_[at];
    (gone.before == none ? oldest_ : entries_[gone.before].after) = gone.after;
    (gone.after == none ? youngest_ : entries_[gone.after].before) = gone.before;
}

access_table::payload& access_table::end(index at) {
    free_.give_back(at);
    return *std::exchange(entries_[at].what.request, nullptr);
}

void access_table::overlay(payload& read) const {
    const std::uint64_t first = read.get_address();
    const std::uint64_t end = first + read.get_data_length();
    for (index each = oldest_; each != none; each = entries_[each].after) {
        const payload& write = *entries_[each].what.request;
        if (!write.is_write()) continue;
        const std::uint64_t base = write.get_address();
        const std::uint8_t* const enables = write.get_byte_enable_ptr();
        for (std::uint64_t at = std::max(first, base);
             at < std::min(end, base + write.get_data_length()); ++at) {
            if (enables == nullptr ||
                enables[(at - base) % write.get_byte_enable_length()] == TLM_BYTE_ENABLED) {
                read.get_data_ptr()[at - first] = write.get_data_ptr()[at - base];
            }
        }
    }
}

}  // namespace heddle
