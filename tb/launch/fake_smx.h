// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/link.h"
#include "tb/kit/testbench.h"

namespace heddle::launch_tb {

/// An SMX whose blocks run for a random time that depends on the block only, so that the order of
/// modules changes nothing. Takes some blocks in the call that brings them, others later.
class fake_smx final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<fake_smx, protocol::block_link> block_socket;

    /// Called when a block is dispatched, started, and done.
    std::function<void(const protocol::block_dispatch&)> on_dispatch, on_start, on_done;

    fake_smx(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
             unsigned max_blocks, std::uint64_t longest_run)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          block_socket("block_socket"),
          bench_(&bench),
          start_stalls_(bench.stalls(std::string(sc_module::name()) + ".start")),
          done_stalls_(bench.stalls(std::string(sc_module::name()) + ".done")),
          longest_run_(longest_run),
          arrivals_(*this, 2) {
        running_.reserve(max_blocks);
        block_socket.register_nb_transport_fw(this, &fake_smx::take_block);
    }

    void evaluate() override {
        const std::uint64_t now = clocked::domain().edge();
        if (arrivals_.ready() != nullptr &&
            (arrivals_.ready()->started || !start_stalls_.stalled(now))) {
            start(arrivals_.pop());
        }
        if (!done_stalls_.stalled(now)) {
            finish();
        }
    }
    activity update() override {
        if (!arrivals_.empty()) {
            return activity::busy;
        }
        std::uint64_t due = ~std::uint64_t{0};
        for (const run& r : running_) {
            due = std::min(due, r.due);
        }
        if (due <= clocked::domain().edge()) {
            return activity::busy;
        }
        if (!running_.empty()) {
            wake_at(due);
        }
        return activity::idle;
    }
    std::string waiting_for() const override {
        return running_.empty() ? "" : std::to_string(running_.size()) + " blocks to run";
    }

private:
    using block_ptr = pool_ptr<protocol::block_dispatch>;
    struct arrival {
        block_ptr block;
        bool started = false;  ///< in the call that brought it
    };
    struct run {
        block_ptr block;
        std::uint64_t due = 0;
    };

    [[nodiscard]] random_stream random_of(const protocol::block_dispatch& block) const {
        return bench_->random("block." + std::to_string(block.launch.value()) + "." +
                              std::to_string(block.block));
    }
    tlm::tlm_sync_enum take_block(protocol::block_dispatch& block, protocol::block_phase& phase,
                                  sc_core::sc_time&) {
        on_dispatch(block);
        const bool at_once = random_of(block).chance(0.3);
        bench_->check(arrivals_.push({block_ptr(&block), at_once}),
                      part_name() + ": a block came before the last one had started");
        if (!at_once) {
            return tlm::TLM_ACCEPTED;
        }
        on_start(block);
        phase = protocol::block_phase::started;
        return tlm::TLM_UPDATED;
    }
    void start(arrival taken) {
        random_stream random = random_of(*taken.block);
        (void)random.next();
        const bool is_long = random.chance(0.05);
        const std::uint64_t run_time = random.below(is_long ? longest_run_ * 8 : longest_run_);
        running_.push_back({taken.block, clocked::domain().edge() + 1 + run_time});
        if (!taken.started) {
            on_start(*taken.block);
            protocol::block_phase phase = protocol::block_phase::started;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            block_socket->nb_transport_bw(*taken.block, phase, delay);
        }
    }
    void finish() {
        for (std::size_t i = 0; i < running_.size();) {
            if (running_[i].due > clocked::domain().edge()) {
                ++i;
                continue;
            }
            const block_ptr block = running_[i].block;
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            block->outcome = protocol::block_outcome::completed;
            on_done(*block);
            bench_->progress();
            protocol::block_phase phase = protocol::block_phase::done;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            block_socket->nb_transport_bw(*block, phase, delay);
        }
    }

    testbench* bench_;
    stall_source start_stalls_;
    stall_source done_stalls_;
    std::uint64_t longest_run_;
    inbox<arrival> arrivals_;
    std::vector<run> running_;
};

}  // namespace heddle::launch_tb
