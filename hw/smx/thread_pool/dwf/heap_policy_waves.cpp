// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Majority Entry, Max-Heap and MHeap LUT in the waveform.
#include "hw/smx/thread_pool/dwf/heap_policy.h"
#include "hw/smx/thread_pool/dwf/heap_waves.h"

namespace heddle {

void heap_policy::trace(waveform& waves, const std::string& scope) {
    waves_ = std::make_unique<heap_waves>(waves, scope, heap_.free(), lut_.size());
}

void heap_policy::publish() {
    if (waves_ == nullptr) return;
    waves_->majority.set(majority_);
    waves_->entries.set(heap_.size());
    waves_->balanced.set(heap_.balanced() ? 1 : 0);
    for (pc_heap::position at = 0; at < waves_->heap.size(); ++at) {
        heap_waves::heap_entry& shown = waves_->heap[at];
        const bool used = at < heap_.size();
        shown.of.set(used ? heap_[at].warps : pc_warps());
        if (!used) continue;
        shown.lut.set(heap_[at].lut == heap_lut::none ? -1 : std::int64_t{heap_[at].lut});
    }
    for (heap_lut::place at = 0; at < waves_->lut.size(); ++at) {
        heap_waves::lut_entry& shown = waves_->lut[at];
        shown.valid.set(lut_.valid(at) ? 1 : 0);
        if (!lut_.valid(at)) continue;
        shown.pc.set(lut_.tag(at).pc);
        shown.position.set(lut_[at]);
    }
}

}  // namespace heddle
