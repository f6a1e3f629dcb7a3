// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/smx/thread_pool/dwf/pc_heap.h"
#include "hw/smx/thread_pool/dwf/pc_warp_lut.h"
#include "hw/smx/thread_pool/dwf/warp_policy.h"

namespace heddle {

struct heap_waves;

/// What `majority` and `minority` add to `dwf.`; the defaults are those of the thesis's table 7.1.
struct heap_configuration {
    std::uint32_t heap_entries = 64;
    std::uint32_t heap_lut_entries = 128;
    std::uint32_t heap_lut_ways = 8;

    void declare(parameter_list& p);
};

/// The hardware of the policies `majority` and `minority` (Fung 2008, 4.4): Majority Entry,
/// Max-Heap and MHeap LUT. The warps of the Majority Entry's PC issue in the order of their
/// opening; when there are none left and the heap is balanced, the heap's root becomes the Majority
/// Entry.
///
/// Threads at the Majority Entry's PC come at any time, those at another PC only while the heap is
/// balanced; two arrivals may change it in one clock. Each of them moves its entry by one swap a
/// clock. The heap has no room for a PC if all its entries are in use.
///
/// The thesis does not say what happens when the MHeap LUT replaces an entry. Here the heap's entry
/// stays, without LUT#, but no thread finds it any more: the PC-warp LUT forgets its warp, too, and
/// threads at this PC get a new heap entry. When an entry without LUT# becomes the Majority Entry,
/// the PC-warp LUT forgets the PC once more, as its warp may be that of the new entry.
class heap_policy : public warp_policy {
public:
    using configuration = heap_configuration;

    heap_policy(const warp_policy_setting& setting, pc_heap::root order)
        : heap_policy(setting, setting.configuration.policies.of<configuration>(), order) {}
    ~heap_policy() override;

    [[nodiscard]] room room_for(std::uint32_t pc, unsigned kept) override;
    void takes(pool_index w, isa::lane_mask lanes, bool opens) override;
    [[nodiscard]] pool_index choose() const override {
        return majority_.threads != 0 ? majority_.head : no_pool_index;
    }
    [[nodiscard]] bool lets_others_go() const override { return heap_.balanced(); }
    void leaves(pool_index w) override;

    void clock_begins() override;
    void clock_ends() override;
    [[nodiscard]] bool busy() const override {
        return !heap_.balanced() || (majority_.threads == 0 && heap_.size() != 0);
    }
    [[nodiscard]] unsigned free_entries() const override { return heap_.free(); }
    [[nodiscard]] unsigned heap_entries() const override { return heap_.size(); }
    [[nodiscard]] warp_policy_counts counts() const override;
    void trace(waveform& waves, const std::string& scope) override;
    void publish() override;

    [[nodiscard]] const pc_warps& majority_entry() const noexcept { return majority_; }
    [[nodiscard]] const pc_heap& heap() const noexcept { return heap_; }
    [[nodiscard]] const heap_lut& lut() const noexcept { return lut_; }

private:
    heap_policy(const warp_policy_setting& setting, const heap_configuration& heap,
                pc_heap::root order);
    void append(pc_warps& to, pool_index w, unsigned threads, bool opens) noexcept;
    void insert(pool_index w, unsigned threads);
    [[nodiscard]] pc_heap::position entry_of(pool_index head) const noexcept;
    void remove(pc_heap::position at) noexcept;
    void settle_unlimited() noexcept;

    warp_pool& pool_;
    pc_warp_lut& warp_lut_;
    const bool unlimited_;
    heap_lut lut_;
    pc_heap heap_;
    pc_warps majority_;        ///< the Majority Entry: empty if it has no threads
    bool accepts_ = true;      ///< the heap was balanced when this clock began
    std::uint64_t clock_ = 1;  ///< of the MHeap LUT's ports
    warp_policy_counts counts_;
    std::unique_ptr<heap_waves> waves_;  ///< null without a waveform
};

}  // namespace heddle
