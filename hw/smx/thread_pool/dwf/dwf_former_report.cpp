// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What dynamic warp formation shows: waveform and statistics.
#include <algorithm>

#include "hw/smx/thread_pool/dwf/dwf_former.h"
#include "hw/smx/thread_pool/dwf/dwf_statistics.h"
#include "hw/smx/thread_pool/dwf/dwf_waves.h"
#include "hw/smx/thread_pool/dwf/wave_index.h"

namespace heddle {

void dwf_former::collect(statistics& into, const std::string& scope) const {
    into.declare(scope, dwf_statistics);
    const warp_policy_counts logic = policy_->counts();
    const std::uint64_t values[] = {
        counts_.opened,       counts_.joined,     counts_.conflicts, counts_.lut_replacements,
        counts_.waits,        counts_.overflows,  counts_.rescues,   counts_.conflict_clocks,
        counts_.pool_maximum, logic.heap_maximum, logic.heap_swaps,  logic.heap_replacements};
    static_assert(std::size(values) == std::size(dwf_statistics));
    for (std::size_t i = 0; i < std::size(values); ++i) {
        into.set(scope + "." + dwf_statistics[i].name, values[i]);
    }
}

void dwf_former::trace(waveform& waves, const std::string& scope) {
    // With infinite resources the waveform shows as many entries as there are to begin with.
    constexpr unsigned most = 4096;
    waves_ = std::make_unique<dwf_waves>(waves, scope, pool_.warp_size(), lut_.contents().size(),
                                         std::min(pool_.entries(), most));
    policy_->trace(waves, scope);
}

void dwf_former::publish() {
    if (waves_ == nullptr) return;
    waves_->arrivals.set(static_cast<std::int64_t>(arrivals_.size()));
    waves_->free.set(pool_.free());
    waves_->overflow.set(overflow_.threads());
    for (std::size_t i = 0; i < registers_.size(); ++i) {
        waves_->registers[i].pc.set(registers_[i].tag.pc);
        waves_->registers[i].req.set(registers_[i].requested);
    }
    const pc_warp_lut::table& lut = lut_.contents();
    for (pc_warp_lut::place at = 0; at < waves_->lut.size(); ++at) {
        dwf_waves::lut_entry& shown = waves_->lut[at];
        shown.valid.set(lut.valid(at) ? 1 : 0);
        if (!lut.valid(at)) continue;
        shown.pc.set(lut.tag(at).pc);
        shown.occ.set(lut[at].occupied);
        shown.idx.set(shown_index(lut[at].warp));
    }
    for (std::size_t w = 0; w < waves_->pool.size(); ++w) {
        const warp_pool::warp& warp = pool_[pool_index(w)];
        dwf_waves::warp& shown = waves_->pool[w];
        shown.lanes.set(warp.lanes);
        if (warp.lanes == 0) continue;
        shown.pc.set(warp.tag.pc);
        shown.next.set(shown_index(warp.next));
        std::uint64_t words[protocol::maximum_lanes / 4] = {};
        bits::for_each(warp.lanes, [&](unsigned lane) {
            words[lane / 4] |= std::uint64_t{pool_.threads(pool_index(w))[lane]} << lane % 4 * 16;
        });
        shown.threads.set(words);
    }
    policy_->publish();
}

}  // namespace heddle
