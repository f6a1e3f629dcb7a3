// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/loads/load_path.h"

namespace heddle {

load_path::load_path(const load_cache_configuration& shape, std::uint32_t granule,
                     reservation_fail cause, const load_environment& environment)
    : lanes_(environment.lanes),
      granule_(granule),
      line_bytes_(shape.line),
      cause_(cause),
      ports_(shape.ports),
      cache_(shape.as_data_cache()),
      targets_(shape.mshrs, environment),
      loads_(shape.as_data_cache(), cache_, environment, targets_, nullptr) {}

access_refusal load_path::access(const queued_instruction& m, isa::lane_mask& left,
                                 std::uint64_t edge) {
    const line_access a = next_of(m, left);
    if (loads_.access(m, a, edge)) return cause_;
    if (profile_ != nullptr) profile_->accessed(m.flight.position);
    left &= ~a.lanes;
    made_ = edge == last_ ? made_ + 1 : 1;
    last_ = edge;
    return {};
}

access_refusal load_path::access_all(const queued_instruction& m, isa::lane_mask& left,
                                     std::uint64_t edge) {
    const isa::lane_mask all = left;
    while (left != 0 && is_free(edge)) {
        const access_refusal refused = access(m, left, edge);
        if (!refused) continue;
        if (left == all) return refused;
        break;
    }
    return {};
}

line_access load_path::next_of(const queued_instruction& m, isa::lane_mask left) const noexcept {
    const std::uint32_t granule = m.address[bits::first(left)] & ~(granule_ - 1);
    const isa::lane_mask together =
        coalescer::lanes_within(m.address, left, granule, granule_, lanes_);
    const auto access = coalescer::next_access(
        m.address, together, m.flight.instruction->access_bytes(), line_bytes_, lanes_);
    return {access, false, home_warp(m, together, lanes_)};
}

}  // namespace heddle
