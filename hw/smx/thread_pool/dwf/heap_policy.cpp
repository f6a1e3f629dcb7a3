// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/dwf/heap_policy.h"

#include <algorithm>

#include "hw/smx/thread_pool/dwf/heap_waves.h"

namespace heddle {

void heap_configuration::declare(parameter_list& p) {
    p.add("dwf.heap_entries", heap_entries, range(2, 4096), "entry",
          "PCs that the heap of the policies majority and minority holds")
        .larger_is_better();
    p.add("dwf.heap_lut_entries", heap_lut_entries, range(1, 4096), "entry",
          "Entries of the MHeap LUT, which finds the heap's entry of a PC")
        .larger_is_better();
    p.add("dwf.heap_lut_ways", heap_lut_ways, range(1, 64), "entry",
          "Entries in a set of the MHeap LUT")
        .larger_is_better();
    p.require({"dwf.heap_lut_entries", "dwf.heap_lut_ways"},
              "dwf.heap_lut_entries is dwf.heap_lut_ways * a power of two",
              [this] { return pc_table_sets_fit(heap_lut_entries, heap_lut_ways); });
}

heap_policy::heap_policy(const warp_policy_setting& setting, const heap_configuration& heap,
                         pc_heap::root order)
    : pool_(setting.pool),
      warp_lut_(setting.lut),
      unlimited_(setting.configuration.infinite_resources),
      lut_(heap.heap_lut_entries, heap.heap_lut_ways,
           unlimited_ ? full_set::grows : full_set::replaces),
      heap_(order, unlimited_ ? setting.threads : heap.heap_entries, lut_) {}

heap_policy::~heap_policy() = default;

warp_policy::room heap_policy::room_for(std::uint32_t pc, unsigned kept) {
    if (majority_.threads != 0 && majority_.pc == pc) return room::now;
    if (!accepts_) return room::later;
    const heap_lut::place at = lut_.find({pc, 0});
    if (at != heap_lut::none) {
        return !unlimited_ && lut_.last_use(at) == clock_ ? room::later : room::now;
    }
    if (heap_.free() <= kept) return room::none;
    return lut_.room({pc, 0}, clock_) == heap_lut::none ? room::later : room::now;
}

void heap_policy::takes(pool_index w, isa::lane_mask lanes, bool opens) {
    const std::uint32_t pc = pool_[w].tag.pc;
    const unsigned threads = bits::count(lanes);
    if (majority_.threads != 0 && majority_.pc == pc) return append(majority_, w, threads, opens);
    const heap_lut::place at = lut_.find({pc, 0});
    if (at == heap_lut::none) {
        insert(w, threads);
    } else {
        lut_.use(at, clock_);
        append(heap_[lut_[at]].warps, w, threads, opens);
        heap_.changed(lut_[at]);
    }
    settle_unlimited();
}

void heap_policy::append(pc_warps& to, pool_index w, unsigned threads, bool opens) noexcept {
    to.threads += threads;
    if (!opens) return;
    pool_[to.tail].next = w;
    to.tail = w;
}

void heap_policy::insert(pool_index w, unsigned threads) {
    const std::uint32_t pc = pool_[w].tag.pc;
    const heap_lut::place at = lut_.room({pc, 0}, clock_);
    if (lut_.valid(at)) {
        heap_[lut_[at]].lut = heap_lut::none;
        warp_lut_.close(lut_.tag(at).pc);
        ++counts_.heap_replacements;
    }
    lut_.insert(at, {pc, 0}, heap_.size(), clock_);
    heap_.add({{pc, threads, w, w}, at});
    counts_.heap_maximum = std::max<std::uint64_t>(counts_.heap_maximum, heap_.size());
}

void heap_policy::leaves(pool_index w) {
    const unsigned threads = bits::count(pool_[w].lanes);
    if (majority_.threads != 0 && majority_.head == w) {
        majority_.threads -= threads;
        majority_.head = pool_[w].next;
        return;
    }
    const pc_heap::position at = entry_of(w);
    pc_warps& warps = heap_[at].warps;
    warps.threads -= threads;
    warps.head = pool_[w].next;
    if (warps.threads == 0) {
        remove(at);
    } else {
        heap_.changed(at);
    }
    settle_unlimited();
}

pc_heap::position heap_policy::entry_of(pool_index head) const noexcept {
    const heap_lut::place place = lut_.find({pool_[head].tag.pc, 0});
    if (place != heap_lut::none && heap_[lut_[place]].warps.head == head) return lut_[place];
    pc_heap::position at = 0;
    while (heap_[at].warps.head != head) ++at;
    return at;
}

void heap_policy::remove(pc_heap::position at) noexcept {
    if (heap_[at].lut != heap_lut::none) lut_.remove(heap_[at].lut);
    heap_.remove(at);
}

void heap_policy::settle_unlimited() noexcept {
    while (unlimited_ && !heap_.balanced()) heap_.swap_once();
}

void heap_policy::clock_begins() {
    ++clock_;
    heap_.swap_once();
    accepts_ = heap_.balanced();
}

void heap_policy::clock_ends() {
    if (majority_.threads != 0 || heap_.size() == 0 || !heap_.balanced()) return;
    majority_ = heap_[0].warps;
    if (heap_[0].lut == heap_lut::none) warp_lut_.close(majority_.pc);
    remove(0);
    settle_unlimited();
}

warp_policy_counts heap_policy::counts() const {
    warp_policy_counts counts = counts_;
    counts.heap_swaps = heap_.swaps();
    return counts;
}

}  // namespace heddle
