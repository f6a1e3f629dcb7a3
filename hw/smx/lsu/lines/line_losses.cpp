// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/lines/line_losses.h"

#include <cstring>

namespace heddle {

void line_losses::send_evicted(const memory_source& source) {
    const l1_data_cache::eviction* const lost = cache_.evicted();
    if (lost == nullptr) return;
    const unsigned low = lost->dirty.first() & ~3u;
    const unsigned high = (lost->dirty.end() + 3u) & ~3u;
    memory_request& request = requests_.make(
        source, lost->by.warp, protocol::memory_kind::write_back, lost->address + low, high - low);
    request.access().byte_mask = lost->dirty.moved_down(low).word;
    std::memcpy(request.data(), lost->data.data() + low, high - low);
    const write_back_record record = under_way_.take();
    under_way_[record] = lost->writers;
    if (lost->is_private) {
        under_way_[record] = owner_set(lost->by.owner);
        outstanding_.start_write(lost->by.owner);
    }
    expect_answer(request, record);
    requests_.send(request);
}

/// Memory has written the bytes.
void line_losses::responded(memory_request& answer) {
    const write_back_record record = name_of(answer);
    const owner_set writers = under_way_[record];
    under_way_.give_back(record);
    writers.for_each([&](access_owner owner) { outstanding_.end_write(owner); });
}

access_refusal line_losses::clean(const memory_instruction& m, const line_access& a) {
    if (!cache_.writes_back() || a.is_private) return {};
    const auto got = cache_.clean_global(a.line, requests_.room());
    if (got.what == l1_data_cache::outcome::failed) return got.cause;
    send_evicted(m);
    return {};
}

}  // namespace heddle
