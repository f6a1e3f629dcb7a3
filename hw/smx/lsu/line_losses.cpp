// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/line_losses.h"

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
    request.back.tag = lost->by.owner.value();
    outstanding_.start_write(lost->by.owner);
    requests_.send(request);
}

}  // namespace heddle
