// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx/block_source.h"

#include <algorithm>

#include "models/base/warp_slots.h"
#include "models/program/kernel.h"
#include "models/simt/special_registers.h"

namespace heddle {

using protocol::block_phase;

block_source::block_source(const sc_core::sc_module_name& name, clock_domain& domain,
                           const machine_configuration& machine, stall_source stalls,
                           std::function<void(const std::string&)> wrong,
                           std::function<void()> finished)
    : sc_module(name),
      clocked(domain, this->name()),
      socket("socket"),
      machine_(machine),
      stalls_(stalls),
      wrong_(std::move(wrong)),
      finished_(std::move(finished)),
      slots_(machine.smx.max_blocks),
      regions_(warp_slots(machine)),
      capacity_(machine.smx),
      news_(*this, 2 * std::size_t{machine.smx.max_blocks} + 2) {
    socket.register_nb_transport_bw(this, &block_source::backward);
}

void block_source::add(const prepared_launch& launch) {
    grid g;
    g.launch = launches_.make();
    g.per_block = launch.per_block;
    g.stream = launch.shape.stream.value();
    g.blocks = launch.shape.grid.count();
    g.launch->carry(launch);
    grids_.push_back(std::move(g));
}

tlm::tlm_sync_enum block_source::backward(protocol::block_dispatch& block, block_phase& phase,
                                          sc_core::sc_time&) {
    if (!news_.push({block.slot.value(), phase})) wrong_("too many messages from the SMX");
    return phase == block_phase::done ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void block_source::evaluate() {
    while (news_.ready() != nullptr) receive(news_.pop());
    if (!waiting_for_start_ && !stalls_.stalled(domain().edge())) dispatch_one();
}

activity block_source::update() {
    const bool left =
        std::any_of(grids_.begin(), grids_.end(), [](const grid& g) { return g.next < g.blocks; });
    return left ? activity::busy : activity::idle;
}

void block_source::receive(const news& what) {
    resident& slot = slots_[what.slot];
    if (!slot.dispatch) return wrong_("news of a block that is not resident");
    if (what.phase == block_phase::started) {
        if (slot.started) wrong_("a block started twice");
        slot.started = true;
        waiting_for_start_ = false;
        return;
    }
    if (!slot.started) wrong_("a block ended that had not started");
    if (slot.dispatch->outcome != protocol::block_outcome::completed) wrong_("wrong outcome");
    grid& g = grids_[slot.grid];
    capacity_.give_back(g.per_block);
    for (std::uint32_t r = 0; r < slot.regions; ++r) regions_[slot.first_region + r] = false;
    slot = {};
    ++blocks_done_;
    end_edge_ = domain().edge();
    ++g.done;
    const bool all = std::all_of(grids_.begin(), grids_.end(),
                                 [](const grid& each) { return each.done == each.blocks; });
    if (all) finished_();
}

/// First come first served; a stream's next launch waits until the one before has ended.
void block_source::dispatch_one() {
    std::vector<std::uint32_t> busy;
    for (std::size_t which = 0; which < grids_.size(); ++which) {
        const grid& g = grids_[which];
        if (g.done == g.blocks) continue;
        if (std::find(busy.begin(), busy.end(), g.stream) != busy.end()) continue;
        busy.push_back(g.stream);
        if (g.next < g.blocks) {
            (void)place(which);
            return;
        }
    }
}

std::uint32_t block_source::find_regions(std::uint32_t count) const {
    std::uint32_t first = 0;
    for (std::uint32_t run = 0, r = 0; r < regions_.size() && run < count; ++r) {
        run = regions_[r] ? 0 : run + 1;
        first = r + 1 - run;
    }
    return first;
}

bool block_source::place(std::size_t which) {
    grid& g = grids_[which];
    const auto free =
        std::find_if(slots_.begin(), slots_.end(), [](const resident& s) { return !s.dispatch; });
    if (!capacity_.fits(g.per_block) || free == slots_.end()) return false;
    const auto threads = static_cast<std::uint32_t>(g.launch->block.count());
    const std::uint32_t warps = (threads + machine_.warp_size - 1) / machine_.warp_size;
    const std::uint32_t first = find_regions(warps);
    if (first + warps > regions_.size()) return false;
    capacity_.take(g.per_block);
    std::fill_n(regions_.begin() + first, warps, true);
    *free = {dispatches_.make(), which, false, first, warps};
    protocol::block_dispatch& block = *free->dispatch;
    block.launch = g.launch->launch;
    block.kernel = g.launch;
    block.kde = kde_index(which % 32);
    block.block = static_cast<std::uint32_t>(g.next);
    block.position = simt::unflatten(g.next, g.launch->grid);
    block.slot = block_slot(static_cast<std::size_t>(free - slots_.begin()));
    block.context = protocol::context_id(first);
    block.invalidate_l1 = g.next == 0;
    ++g.next;
    waiting_for_start_ = true;
    auto phase = block_phase::dispatch;
    auto time = sc_core::SC_ZERO_TIME;
    (void)socket->nb_transport_fw(block, phase, time);
    return true;
}

std::string block_source::waiting_for() const {
    std::string text;
    for (const grid& g : grids_) {
        if (g.done == g.blocks) continue;
        text += (text.empty() ? "" : ", ") + std::string(g.launch->kernel_name) + ": " +
                std::to_string(g.done) + " of " + std::to_string(g.blocks) + " blocks done";
    }
    return text;
}

}  // namespace heddle
