// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/miss_table.h"

namespace heddle {

miss_table::miss_table(std::uint32_t entries, std::uint32_t targets)
    : entries_(entries), free_(entries), to_fetch_(entries), ready_(entries) {
    for (entry& each : entries_) each.targets = ring<tlm::tlm_generic_payload*>(targets);
}

miss_table::index miss_table::allocate(line_store::index way) {
    const index at = free_.take();
    ++used_;
    entries_[at].way = way;
    entries_[at].status = tlm::TLM_OK_RESPONSE;
    return at;
}

void miss_table::free(index at) {
    free_.give_back(at);
    --used_;
}

}  // namespace heddle
