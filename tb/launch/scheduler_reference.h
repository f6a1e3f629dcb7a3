// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "models/base/machine_configuration.h"
#include "models/base/warp_slots.h"
#include "tb/launch/event_log.h"

namespace heddle::launch_tb {

/// What passed the SMX scheduler's sockets.
struct scheduler_log {
    event_log ready;       ///< edge, launch
    event_log starts;      ///< edge, SMX
    event_log dones;       ///< edge, SMX, slot
    event_log dispatches;  ///< edge, launch, block, SMX and slot, context, invalidate_l1
    event_log updates;     ///< edge, event, launch, block
};

inline std::uint64_t place(std::uint64_t sm, std::uint64_t slot) {
    return sm * 1000 + slot;
}

/// What the SMX scheduler has to do, from what its neighbours did.
class scheduler_reference {
public:
    scheduler_reference(const machine_configuration& machine, unsigned blocks_per_cycle,
                        const std::vector<pool_ptr<protocol::kernel_launch>>& launches,
                        const scheduler_log& log)
        : machine_(machine),
          blocks_per_cycle_(blocks_per_cycle),
          launches_(launches),
          ready_(log.ready),
          starts_(log.starts),
          dones_(log.dones),
          smxs_(machine.smx_count),
          regions_(resident_warps(machine)) {
        for (smx& s : smxs_) {
            s.slots.resize(machine.smx.max_blocks);
        }
    }

    scheduler_log run(std::uint64_t edges) {
        for (std::uint64_t t = 0; t < edges; ++t) {
            step(t);
        }
        return expected_;
    }
    [[nodiscard]] std::uint64_t stalls() const { return stalls_; }

private:
    struct resident {
        std::uint64_t launch = 0, block = 0;  ///< launch 0: free
        std::uint64_t threads = 0, registers = 0, shared = 0, region = 0;
    };
    struct smx {
        bool ready = true;
        std::vector<resident> slots;
        std::deque<std::uint64_t> dones;
        std::vector<std::uint64_t> visitors;  ///< launches that have had a block here
    };

    void step(std::uint64_t t) {
        if (t != 0) {
            take_answers(t);
        }
        bool stalled = false;
        unsigned placed = 0;
        while (placed < blocks_per_cycle_ && !order_.empty()) {
            if (!place_block(t)) {
                stalled = placed == 0;
                break;
            }
            ++placed;
        }
        stalls_ += stalled ? 1 : 0;
    }
    void take_answers(std::uint64_t t) {
        while (const event* ready = ready_.next(t - 1)) {
            order_.push_back((*ready)[1]);
        }
        while (const event* start = starts_.next(t - 1)) {
            smxs_[(*start)[1]].ready = true;
        }
        while (const event* done = dones_.next(t - 1)) {
            smxs_[(*done)[1]].dones.push_back((*done)[2]);
        }
        for (smx& s : smxs_) {
            if (s.dones.empty()) continue;
            resident& ended = s.slots[s.dones.front()];
            s.dones.pop_front();
            tell(t, protocol::kde_event::block_finished, ended.launch, ended.block);
            for (std::uint64_t i = 0; i < ended.threads / machine_.warp_size; ++i) {
                regions_[ended.region + i] = false;
            }
            ended = {};
        }
    }
    [[nodiscard]] bool fits(const smx& s, const resident& need) const {
        resident used;
        std::uint64_t blocks = 0;
        for (const resident& r : s.slots) {
            blocks += r.launch != 0 ? 1 : 0;
            used.threads += r.threads;
            used.registers += r.registers;
            used.shared += r.shared;
        }
        const smx_limits& limits = machine_.smx;
        return blocks < limits.max_blocks && used.threads + need.threads <= limits.max_threads &&
               used.registers + need.registers <= limits.registers &&
               used.shared + need.shared <= limits.shared_bytes;
    }
    [[nodiscard]] bool find_region(resident& need) const {
        const std::uint64_t warps = need.threads / machine_.warp_size;
        std::uint64_t run = 0;
        for (std::uint64_t region = 0; region < regions_.size(); ++region) {
            run = regions_[region] ? 0 : run + 1;
            if (run == warps) {
                need.region = region + 1 - warps;
                return true;
            }
        }
        return false;
    }
    bool place_block(std::uint64_t t) {
        const protocol::kernel_launch& launch = *launches_[order_.front() - 1];
        resident need;
        need.launch = order_.front();
        need.block = next_block_;
        need.threads = launch.per_block.threads;
        need.registers = launch.per_block.registers;
        need.shared = launch.per_block.charged_bytes();
        for (std::size_t step = 0; step < smxs_.size(); ++step) {
            const std::size_t at = (turn_ + step) % smxs_.size();
            smx& s = smxs_[at];
            if (!s.ready || !fits(s, need)) continue;
            if (!find_region(need)) return false;
            place_on(t, at, need);
            if (++next_block_ == launch.grid.count()) {
                tell(t, protocol::kde_event::blocks_exhausted, need.launch, need.block);
                order_.pop_front();
                next_block_ = 0;
            }
            return true;
        }
        return false;
    }
    void place_on(std::uint64_t t, std::size_t at, const resident& need) {
        smx& s = smxs_[at];
        s.ready = false;
        turn_ = at + 1;
        std::size_t slot = 0;
        while (s.slots[slot].launch != 0) {
            ++slot;
        }
        s.slots[slot] = need;
        for (std::uint64_t i = 0; i < need.threads / machine_.warp_size; ++i) {
            regions_[need.region + i] = true;
        }
        const bool first =
            std::find(s.visitors.begin(), s.visitors.end(), need.launch) == s.visitors.end();
        if (first) {
            s.visitors.push_back(need.launch);
        }
        tell(t, protocol::kde_event::block_started, need.launch, need.block);
        expected_.dispatches.push_back(
            {t, need.launch, need.block, place(at, slot), need.region, first ? 1U : 0U});
    }
    void tell(std::uint64_t t, protocol::kde_event event, std::uint64_t launch,
              std::uint64_t block) {
        expected_.updates.push_back({t, static_cast<std::uint64_t>(event), launch, block});
    }

    machine_configuration machine_;
    unsigned blocks_per_cycle_;
    const std::vector<pool_ptr<protocol::kernel_launch>>& launches_;
    event_reader ready_, starts_, dones_;
    std::vector<smx> smxs_;
    std::vector<bool> regions_;
    std::deque<std::uint64_t> order_;
    std::uint64_t next_block_ = 0;
    std::size_t turn_ = 0;
    std::uint64_t stalls_ = 0;
    scheduler_log expected_;
};

}  // namespace heddle::launch_tb
