// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/miss_table.h"

namespace heddle {

miss_table::miss_table(std::uint32_t entries, std::uint32_t targets)
    : lines_(entries, line_store::no_line),
      entries_(entries),
      free_(entries),
      to_fetch_(entries),
      ready_(entries) {
    for (entry& each : entries_) each.targets = ring<tlm::tlm_generic_payload*>(targets);
}

miss_table::index miss_table::find(std::uint64_t line) const {
    if (used_ == 0) {
        return none;
    }
    for (index at = 0; at < lines_.size(); ++at) {
        if (lines_[at] == line) {
            return at;
        }
    }
    return none;
}

miss_table::index miss_table::allocate(std::uint64_t line, line_store::index way) {
    const index at = free_.take();
    ++used_;
    lines_[at] = line;
    entries_[at].way = way;
    entries_[at].status = tlm::TLM_OK_RESPONSE;
    return at;
}

void miss_table::free(index at) {
    lines_[at] = line_store::no_line;
    free_.give_back(at);
    --used_;
}

}  // namespace heddle
