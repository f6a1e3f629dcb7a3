// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/smx_scheduler/smx_scheduler.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::returning_bench {

using protocol::block_dispatch;
using protocol::block_outcome;
using protocol::block_phase;
using protocol::cooperation_answer;
using protocol::cooperation_call;
using protocol::cooperation_phase;
using protocol::cooperation_request;
using protocol::kde_event;
using protocol::kde_phase;
using protocol::kde_update;
using protocol::kernel_launch;

/// Two SMXs with 16 warps and 4 blocks each.
inline machine_configuration small_machine(bool preempt) {
    machine_configuration m;
    m.smx_count = 2;
    m.smx.max_blocks = 4;
    m.smx.max_threads = 512;
    m.launch.enabled = true;
    m.coop.preempt = preempt;
    m.coop.latency = 1;
    return m;
}

/// An SMX scheduler whose blocks leave and come back, and all that it talks to.
struct bench {
    static constexpr unsigned smxs = 2;

    explicit bench(bool preempt = false)
        : machine(small_machine(preempt)),
          dut("scheduler", core, {}, machine, 4,
              {tlm_slots<kde_chain_traits>(core, status),
               tlm_slots<group_allocator_traits>(core, status)},
              nullptr, {&runtime, {}}) {
        distributor.socket.bind(dut.kernel_ready_socket);
        dut.block_update_socket.bind(updates.socket);
        updates.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            told.push_back(u.event);
            return tlm::TLM_COMPLETED;
        };
        dut.groups()->group_socket.bind(kmu.socket);
        kmu.on_forward = [this](kde_update& u, kde_phase&, sc_core::sc_time&) {
            if (u.event == kde_event::block_suspended) suspended.emplace_back(&u);
            if (u.event == kde_event::group_finished) finished.push_back(u.launch.value());
            return tlm::TLM_COMPLETED;
        };
        over.socket.bind(dut.groups()->over_socket);
        dut.groups()->memory_socket.bind(memory.socket);
        for (unsigned i = 0; i < smxs; ++i) {
            const std::string number = std::to_string(i);
            smx& s = *smx_.emplace_back(std::make_unique<smx>(number));
            dut.smxs().block_socket.bind(s.blocks.socket);
            s.blocks.on_forward = [this](block_dispatch& b, block_phase& phase, sc_core::sc_time&) {
                blocks.emplace_back(&b);
                if (!starts) return tlm::TLM_ACCEPTED;
                phase = block_phase::started;
                return tlm::TLM_UPDATED;
            };
            s.calls.socket.bind(dut.cooperation().cooperation_socket);
            s.calls.on_backward = [](cooperation_call&, cooperation_phase&, sc_core::sc_time&) {
                return tlm::TLM_COMPLETED;
            };
            s.groups.socket.bind(dut.groups()->aggregation_socket);
            dut.smxs().preempt_socket.bind(s.preempted.socket);
            s.preempted.on_forward = [](kde_update&, kde_phase&, sc_core::sc_time&) {
                return tlm::TLM_COMPLETED;
            };
        }
        sc_core::sc_start(500, sc_core::SC_PS);  // between edge 0 and edge 1
    }
    static void run(double edges) { sc_core::sc_start(edges, sc_core::SC_NS); }

    pool_ptr<kernel_launch> ready(unsigned id, unsigned entry, unsigned grid, unsigned threads,
                                  bool cooperative = false, std::uint32_t priority = 0) {
        pool_ptr<kernel_launch> launch = launches.make();
        launch->launch = launch_id(id);
        entries[launch->launch] = kde_index(entry);
        launch->grid.x = grid;
        launch->block.x = threads;
        launch->per_block.threads = threads;
        launch->cooperative = cooperative;
        launch->priority = priority;
        send(distributor, kde_event::kernel_ready, launch);
        run(10);
        return launch;
    }
    /// Its children have ended.
    void return_block(const kde_update& update) {
        send(over, kde_event::block_returns, update.kernel, update.suspended);
    }
    void send(protocol::testing::scripted_initiator<protocol::kde_link>& from, kde_event event,
              const pool_ptr<kernel_launch>& of, const protocol::launched_block& block = {}) {
        const pool_ptr<kde_update> update = made.make();
        update->launch = of->launch;
        update->kde = entries[of->launch];
        update->event = event;
        update->kernel = of;
        update->suspended = block;
        kde_phase phase = kde_phase::update;
        sc_core::sc_time delay;
        (void)from.socket->nb_transport_fw(*update, phase, delay);
    }
    /// The block leaves its SMX.
    void done(std::size_t block, block_outcome outcome = block_outcome::completed) {
        block_dispatch& b = *blocks[block];
        b.outcome = outcome;
        if (comes_back(outcome)) b.saved = {0xc800'0000, 400};
        answer(b, block_phase::done);
        run(2);
    }
    void answer(block_dispatch& b, block_phase phase) {
        sc_core::sc_time delay;
        (void)smx_[b.sm.value()]->blocks.socket->nb_transport_bw(b, phase, delay);
    }
    /// A block starts that was sent while `starts` was false.
    void start(std::size_t block) { answer(*blocks[block], block_phase::started); }
    pool_ptr<cooperation_call> call(std::size_t block, cooperation_request request) {
        const block_dispatch& b = *blocks[block];
        pool_ptr<cooperation_call> call = calls.make();
        call->launch = b.launch;
        call->block = b.block;
        call->sm = b.sm;
        call->slot = b.slot;
        call->request = request;
        cooperation_phase phase = cooperation_phase::request;
        sc_core::sc_time delay;
        (void)smx_[b.sm.value()]->calls.socket->nb_transport_fw(*call, phase, delay);
        run(5);
        return call;
    }
    /// Launch and number of the blocks that have been sent, from one on.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> sent(
        std::size_t from = 0) const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
        for (std::size_t i = from; i < blocks.size(); ++i) {
            all.emplace_back(blocks[i]->launch.value(), blocks[i]->block);
        }
        return all;
    }
    [[nodiscard]] std::size_t count(kde_event event) const {
        return static_cast<std::size_t>(std::count(told.begin(), told.end(), event));
    }

    struct smx {
        explicit smx(const std::string& number)
            : blocks(("blocks_" + number).c_str()),
              calls(("calls_" + number).c_str()),
              groups(("groups_" + number).c_str()),
              preempted(("preempted_" + number).c_str()) {}
        protocol::testing::scripted_target<protocol::block_link> blocks;
        protocol::testing::scripted_initiator<protocol::cooperation_link> calls;
        protocol::testing::scripted_initiator<protocol::aggregation_link> groups;
        protocol::testing::scripted_target<protocol::kde_link> preempted;
    };

    protocol::testing::report_catcher catcher;
    clock_domain core{"core", frequency::megahertz(1000)};
    machine_configuration machine;
    launch_table table;
    device_runtime runtime{machine, table};
    protocol::testing::scripted_initiator<protocol::kde_link> distributor{"distributor"};
    protocol::testing::scripted_initiator<protocol::kde_link> over{"over"};
    protocol::testing::scripted_target<protocol::kde_link> updates{"updates"};
    protocol::testing::scripted_target<protocol::kde_link> kmu{"kmu"};
    protocol::testing::scripted_target<protocol::memory_link> memory{"memory"};
    std::vector<std::unique_ptr<smx>> smx_;
    run_status status;
    smx_scheduler dut;
    pool<kernel_launch> launches{"launches"};
    pool<kde_update> made{"updates"};
    pool<cooperation_call> calls{"calls"};
    bool starts = true;  ///< blocks start at once
    std::vector<pool_ptr<block_dispatch>> blocks;
    std::vector<pool_ptr<kde_update>> suspended;
    std::map<launch_id, kde_index> entries;  ///< that kernels have joined
    std::vector<std::uint32_t> finished;
    std::vector<kde_event> told;
};

}  // namespace heddle::returning_bench
