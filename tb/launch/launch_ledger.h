// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "models/base/machine_configuration.h"
#include "models/base/warp_slots.h"
#include "tb/kit/testbench.h"

namespace heddle::launch_tb {

/// What has to hold of every launch and block, whoever carries it: kept by the ends of the launch
/// path, with accounts of its own.
///  - a queue's kernels follow one another, each when the one before it has finished;
///  - blocks are distributed first come, first served, in linear order, each exactly once;
///  - no SMX holds more than it has, no private memory has two owners;
///  - a launch completes once, when all of its blocks have run.
class launch_ledger {
public:
    launch_ledger(testbench& bench, const machine_configuration& machine, unsigned queues)
        : bench_(&bench),
          machine_(machine),
          queues_(queues),
          smxs_(machine.smx_count),
          regions_(resident_warps(machine)) {
        for (smx& s : smxs_) {
            s.slots.resize(machine.smx.max_blocks);
        }
    }

    /// The KMU has accepted a launch.
    void accepted(const protocol::kernel_launch& launch) {
        record& r = records_[launch.launch];
        check(!r.accepted, launch, "was accepted twice");
        r.accepted = true;
        r.blocks = launch.grid.count();
        r.done.resize(r.blocks);
        r.visited.resize(machine_.smx_count);
        queues_[launch.queue.value()].push_back(launch.launch);
    }
    /// The Kernel Distributor has told the SMX scheduler of a launch.
    void ready(const protocol::kde_update& update) {
        const protocol::kernel_launch& launch = *update.kernel;
        record& r = records_[launch.launch];
        const auto& queue = queues_[launch.queue.value()];
        check(!queue.empty() && queue.front() == launch.launch, launch,
              "overtook a launch of its queue");
        check(!r.ready, launch, "was made ready twice");
        r.ready = true;
        r.entry = update.kde;
        order_.push_back(launch.launch);
    }
    void dispatched(const protocol::block_dispatch& block) {
        const protocol::kernel_launch& launch = *block.kernel;
        record& r = records_[block.launch];
        if (!check(!order_.empty() && order_.front() == block.launch, launch,
                   "is not the first kernel with blocks to distribute")) {
            return;
        }
        check(block.block == r.next, launch, "had its blocks distributed out of order");
        check(block.kde == r.entry, launch, "has a block with another entry");
        check(block.invalidate_l1 != r.visited[block.sm.value()], launch,
              "has a wrong invalidate_l1");
        r.visited[block.sm.value()] = true;
        if (++r.next == r.blocks) {
            order_.pop_front();
        }
        take(block);
    }
    void finished(const protocol::block_dispatch& block) {
        record& r = records_[block.launch];
        check(!r.done[block.block], *block.kernel, "has a block that ran twice");
        r.done[block.block] = true;
        ++r.finished;
        ++blocks_;
        give_back(block);
    }
    void completed(const protocol::kernel_launch& launch) {
        record& r = records_[launch.launch];
        check(!r.completed, launch, "completed twice");
        check(r.finished == r.blocks, launch, "completed before all of its blocks had run");
        check(launch.outcome == protocol::launch_outcome::completed, launch,
              "completed without an outcome");
        r.completed = true;
        r.done = {};
        auto& queue = queues_[launch.queue.value()];
        check(!queue.empty() && queue.front() == launch.launch, launch,
              "completed out of its queue's order");
        queue.pop_front();
        ++completed_;
    }

    [[nodiscard]] std::uint64_t completed_launches() const { return completed_; }
    [[nodiscard]] std::uint64_t finished_blocks() const { return blocks_; }

private:
    struct record {
        bool accepted = false, ready = false, completed = false;
        kde_index entry{};
        std::uint64_t blocks = 0, next = 0, finished = 0;
        std::vector<bool> done, visited;
    };
    struct smx {
        std::uint64_t blocks = 0, threads = 0, registers = 0, shared = 0;
        std::vector<bool> slots;
    };

    bool check(bool good, const protocol::kernel_launch& launch, const std::string& what) {
        if (good) return true;
        return bench_->check(false, "launch " + to_text(launch.launch) + " " + what);
    }
    void take(const protocol::block_dispatch& block) {
        const protocol::kernel_launch& launch = *block.kernel;
        smx& s = smxs_[block.sm.value()];
        s.threads += launch.per_block.threads;
        s.registers += launch.per_block.registers;
        s.shared += launch.per_block.shared_bytes;
        ++s.blocks;
        const smx_limits& limits = machine_.smx;
        check(s.blocks <= limits.max_blocks && s.threads <= limits.max_threads &&
                  s.registers <= limits.registers && s.shared <= limits.shared_bytes,
              launch, "has a block on an SMX without room for it");
        if (check(block.slot.value() < s.slots.size() && !s.slots[block.slot.value()], launch,
                  "has a block in a slot that is not free")) {
            s.slots[block.slot.value()] = true;
        }
        mark_regions(block, true);
    }
    void give_back(const protocol::block_dispatch& block) {
        const protocol::kernel_launch& launch = *block.kernel;
        smx& s = smxs_[block.sm.value()];
        s.threads -= launch.per_block.threads;
        s.registers -= launch.per_block.registers;
        s.shared -= launch.per_block.shared_bytes;
        --s.blocks;
        s.slots[block.slot.value()] = false;
        mark_regions(block, false);
    }
    void mark_regions(const protocol::block_dispatch& block, bool owned) {
        const std::uint64_t first = block.context.value();
        const std::uint64_t count = block.kernel->per_block.threads / machine_.warp_size;
        for (std::uint64_t region = first; region < first + count; ++region) {
            if (!check(region < regions_.size() && regions_[region] != owned, *block.kernel,
                       "has a block with private memory that is not its own")) {
                return;
            }
            regions_[region] = owned;
        }
    }

    testbench* bench_;
    machine_configuration machine_;
    std::vector<std::deque<launch_id>> queues_;  ///< accepted, not completed
    std::deque<launch_id> order_;                ///< ready, with blocks to distribute
    std::unordered_map<launch_id, record> records_;
    std::vector<smx> smxs_;
    std::vector<bool> regions_;
    std::uint64_t completed_ = 0;
    std::uint64_t blocks_ = 0;
};

}  // namespace heddle::launch_tb
