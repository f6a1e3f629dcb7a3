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
#include "hw/smx/launch/launch_commands.h"
#include "models/device/device_runtime.h"
#include "models/program/image.h"
#include "tb/kit/testbench.h"
#include "tb/launch/saved_states.h"

namespace heddle::launch_tb {

/// How wildly blocks launch.
struct storm {
    double launches = 0.6;         ///< a block launches at all
    double groups = 0.7;           ///< it launches groups, else kernels
    unsigned most_lanes = 8;       ///< threads of a warp that launch together
    std::uint32_t most_depth = 3;  ///< levels below the host's launches
    std::uint64_t longest_run = 200;
    double waits = 0.4;        ///< a block that could launch waits for its launches
    unsigned most_rounds = 2;  ///< times that a block waits; then it may launch again, less often
};

/// An SMX whose blocks execute nothing: each runs for a random time, and may launch kernels or
/// groups in it, as a warp does. A block may wait for what it has launched. Unless that has ended,
/// the block is suspended, comes back here or elsewhere, and may launch again. It ends when all its
/// commands have been accepted. All that is random depends on the block only.
class storm_smx final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<storm_smx, protocol::block_link> block_socket;
    protocol::initiator_socket_of<storm_smx, protocol::launch_link> launch_socket;
    protocol::initiator_socket_of<storm_smx, protocol::aggregation_link> aggregation_socket;

    std::function<void(const protocol::block_dispatch&)> on_dispatch, on_start, on_suspend, on_done;

    storm_smx(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench, sm_id sm,
              unsigned max_blocks, device_runtime& runtime, launch_table& launches,
              saved_states& states, const program::image& image, const storm& how)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          block_socket("block_socket"),
          launch_socket("launch_socket"),
          aggregation_socket("aggregation_socket"),
          bench_(bench),
          sm_(sm),
          runtime_(runtime),
          launches_(launches),
          states_(states),
          image_(image),
          storm_(how),
          arrivals_(*this, 2),
          commands_(*this, {launch_socket, aggregation_socket}),
          running_(max_blocks) {
        block_socket.register_nb_transport_fw(this, &storm_smx::take_block);
        launch_socket.register_nb_transport_bw(this, &storm_smx::take_kernel_answer);
        aggregation_socket.register_nb_transport_bw(this, &storm_smx::take_group_answer);
    }

    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
    [[nodiscard]] std::string waiting_for() const override { return commands_.waiting_for(); }

    void evaluate() override {
        (void)commands_.cycle([&](unsigned slot) { --running_[slot].unaccepted; });
        if (arrivals_.ready() != nullptr) start(arrivals_.pop());
        const std::uint64_t now = clocked::domain().edge();
        for (unsigned slot = 0; slot < running_.size(); ++slot) {
            run& r = running_[slot];
            if (r.block && !r.launched && r.launch_at <= now) make_launches(slot, r);
            if (r.block && r.launched && r.unaccepted == 0 && r.end_at <= now) end_of_round(r);
        }
        (void)commands_.cycle([&](unsigned slot) { --running_[slot].unaccepted; });
    }
    [[nodiscard]] activity update() override {
        const bool any = std::any_of(running_.begin(), running_.end(),
                                     [](const run& r) { return static_cast<bool>(r.block); });
        return any || !arrivals_.empty() ? activity::busy : activity::idle;
    }

private:
    static constexpr std::uint32_t state_bytes = 1500;
    using block_ptr = pool_ptr<protocol::block_dispatch>;
    struct run {
        block_ptr block;
        std::uint64_t launch_at = 0;
        std::uint64_t end_at = 0;
        bool launched = false;
        bool leaves = false;  ///< at end_at: its state is being saved
        unsigned round = 0;   ///< times that it has waited for its launches
        unsigned unaccepted = 0;
    };

    [[nodiscard]] random_stream random_of(const run& r, const std::string& what) const {
        return bench_.random(what + "." + std::to_string(r.block->launch.value()) + "." +
                             std::to_string(r.block->block) + "." + std::to_string(r.round));
    }
    tlm::tlm_sync_enum take_block(protocol::block_dispatch& block, protocol::block_phase&,
                                  sc_core::sc_time&) {
        on_dispatch(block);
        bench_.check(arrivals_.push(block_ptr(&block)), "a block came before the last one started");
        return tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum take_kernel_answer(protocol::kernel_launch& launch,
                                          protocol::launch_phase& phase, sc_core::sc_time&) {
        return commands_.kernel_answer(launch, phase);
    }
    tlm::tlm_sync_enum take_group_answer(protocol::aggregation& groups,
                                         protocol::aggregation_phase& phase, sc_core::sc_time&) {
        return commands_.group_answer(groups, phase);
    }
    void start(const block_ptr& block) {
        run& r = running_[block->slot.value()];
        bench_.check(!r.block, "a block came to a slot that is in use");
        r = {};
        r.block = block;
        if (block->resumed) r.round = states_.restore(*block);
        begin_round(r);
        on_start(*block);
        protocol::block_phase phase = protocol::block_phase::started;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        block_socket->nb_transport_bw(*block, phase, delay);
    }
    void begin_round(run& r) {
        random_stream random = random_of(r, "times");
        r.launch_at = clocked::domain().edge() + random.below(storm_.longest_run);
        r.end_at = r.launch_at + random.below(storm_.longest_run);
        r.launched = false;
    }
    /// The block ends, or waits for its launches: suspended, unless they have ended.
    void end_of_round(run& r) {
        if (r.leaves) return suspend(r);
        random_stream random = random_of(r, "wait");
        if (r.round == storm_.most_rounds || !random.chance(storm_.waits)) return finish(r);
        ++r.round;
        if (commands_.open_children(r.block->launch, r.block->block) == 0) return begin_round(r);
        // They may all have ended when the state is saved.
        r.leaves = true;
        r.end_at = clocked::domain().edge() + random.below(storm_.longest_run);
    }
    void suspend(run& r) {
        const block_ptr block = std::move(r.block);
        states_.save(*block, r.round, state_bytes * r.round);
        r = {};
        block->outcome = protocol::block_outcome::suspended;
        on_suspend(*block);
        send_done(*block);
    }
    void make_launches(unsigned slot, run& r) {
        r.launched = true;
        random_stream random = random_of(r, "launches");
        if (launches_.find(r.block->launch)->depth >= storm_.most_depth) return;
        if (!random.chance(storm_.launches / (1 + 5 * r.round))) return;
        const bool groups = random.chance(storm_.groups);
        const auto lanes = static_cast<unsigned>(1 + random.below(storm_.most_lanes));
        const std::uint32_t stream =
            !groups && random.chance(0.7) ? runtime_.create_stream(sm_) : 0;
        pool_ptr<protocol::aggregation> command;
        if (groups) {
            command = commands_.make_aggregation();
            command->sm = sm_;
            command->warp = warp_slot(slot);
            command->parent = r.block->launch;
        }
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const program::kernel& kernel =
                image_.get_kernel(random.chance(0.8) ? "add" : "append");
            const std::uint32_t buffer = runtime_.allocate_buffer(
                sm_, launch_request::parameters_offset + kernel.parameter_bytes);
            if (buffer == 0) {
                ++refused_;
                continue;
            }
            launch_request request;
            request.function = kernel.function;
            request.parameters = buffer + launch_request::parameters_offset;
            request.grid = {static_cast<std::uint32_t>(1 + random.below(3)), 1, 1};
            request.block = {random.chance(0.8) ? 32U : 64U, 1, 1};
            const launch_answer answer = runtime_.launch(
                {sm_, r.block->launch, r.block->block},
                groups ? launch_kind::group : launch_kind::kernel, buffer, request, stream);
            if (answer.launch == nullptr) {
                ++refused_;
                continue;
            }
            pool_ptr<protocol::kernel_launch> launch = commands_.make_launch();
            launch->carry(*answer.launch);
            launch->launched_at = sc_core::sc_time_stamp();
            if (groups) {
                command->groups[command->count++] = {std::move(launch), 32 * slot + lane,
                                                     record_address(buffer)};
            } else {
                ++r.unaccepted;
                commands_.send(slot, std::move(launch));
            }
        }
        if (!command || command->count == 0) return;
        ++r.unaccepted;
        commands_.send(std::move(command));
    }
    void finish(run& r) {
        const block_ptr block = std::move(r.block);
        r = {};
        bench_.progress();
        block->outcome = protocol::block_outcome::completed;
        on_done(*block);
        send_done(*block);
    }
    void send_done(protocol::block_dispatch& block) {
        protocol::block_phase phase = protocol::block_phase::done;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        block_socket->nb_transport_bw(block, phase, delay);
    }

    testbench& bench_;
    const sm_id sm_;
    device_runtime& runtime_;
    launch_table& launches_;
    saved_states& states_;
    const program::image& image_;
    const storm storm_;
    inbox<block_ptr> arrivals_;
    launch_commands commands_;
    std::vector<run> running_;  ///< by slot
    std::uint64_t refused_ = 0;
};

}  // namespace heddle::launch_tb
