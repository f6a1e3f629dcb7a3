// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link.h"
#include "tb/kit/testbench.h"
#include "tb/launch/random_launch.h"

namespace heddle::launch_tb {

struct launch_host_options {
    unsigned launches = 200;
    std::uint32_t first_id = 1;
    unsigned streams = 8;
    unsigned queues = 8;  ///< of the KMU; a stream uses queue stream mod queues
    std::uint64_t largest_grid = 2000;
};

/// A host that launches random kernels in random streams, in bursts and with long pauses.
class launch_host final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<launch_host, protocol::launch_link> launch_socket;

    /// Called when a launch is requested, accepted, and when it has completed.
    std::function<void(const protocol::kernel_launch&)> on_request = [](const auto&) {};
    std::function<void(const protocol::kernel_launch&)> on_accepted, on_completed;

    launch_host(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                const machine_configuration& machine, const launch_host_options& options)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          launch_socket("launch_socket"),
          bench_(&bench),
          machine_(machine),
          options_(options),
          random_(bench.random(sc_module::name())),
          stalls_(bench.stalls(sc_module::name())),
          launches_(std::string(sc_module::name()) + ".launches"),
          accepted_(*this, 2),
          completed_(*this, options.launches) {
        launch_socket.register_nb_transport_bw(this, &launch_host::take_answer);
    }

    void evaluate() override {
        if (accepted_.ready() != nullptr) {
            (void)accepted_.pop();
            requested_ = false;
        }
        while (completed_.ready() != nullptr) {
            (void)completed_.pop();
            ++done_;
            bench_->progress();
        }
        const std::uint64_t now = clocked::domain().edge();
        if (!requested_ && made_ < options_.launches && now >= next_launch_ &&
            !stalls_.stalled(now)) {
            launch();
        }
    }
    activity update() override {
        if (requested_ || made_ == options_.launches) {
            return activity::idle;
        }
        if (next_launch_ > clocked::domain().edge() + 1) {
            wake_at(next_launch_);
            return activity::idle;
        }
        return activity::busy;
    }
    std::string waiting_for() const override {
        return done() ? ""
                      : std::to_string(made_ - done_) + " launches to complete" +
                            (requested_ ? ", the last one to be accepted" : "");
    }

    /// All launches have been made and have completed.
    [[nodiscard]] bool done() const { return done_ == options_.launches; }
    [[nodiscard]] std::string leak_report() const { return launches_.leak_report(); }

private:
    void launch() {
        const pool_ptr<protocol::kernel_launch> launch = launches_.make();
        launch->launch = protocol::launch_id(options_.first_id + made_++);
        launch->queue = hwq_id(random_.below(options_.streams) % options_.queues);
        launch->launched_at = sc_core::sc_time_stamp();
        randomize(*launch, random_, machine_, options_.largest_grid);
        const std::uint64_t pause = random_.chance(0.03) ? random_.below(4000) : random_.below(3);
        next_launch_ = clocked::domain().edge() + 1 + pause;
        requested_ = true;
        held_.push_back(launch);
        on_request(*launch);
        protocol::launch_phase phase = protocol::launch_phase::request;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const auto status = launch_socket->nb_transport_fw(*launch, phase, delay);
        if (status == tlm::TLM_UPDATED) {
            (void)take_answer(*launch, phase, delay);
        }
    }
    tlm::tlm_sync_enum take_answer(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                   sc_core::sc_time&) {
        if (phase == protocol::launch_phase::accepted) {
            on_accepted(launch);
            bench_->check(accepted_.push(true), "two launches were accepted in one cycle");
            return tlm::TLM_ACCEPTED;
        }
        on_completed(launch);
        for (auto& held : held_) {
            if (held.get() == &launch) {
                std::swap(held, held_.back());
                held_.pop_back();
                break;
            }
        }
        bench_->check(completed_.push(true), "more launches completed than were made");
        return tlm::TLM_COMPLETED;
    }

    testbench* bench_;
    machine_configuration machine_;
    launch_host_options options_;
    random_stream random_;
    stall_source stalls_;
    pool<protocol::kernel_launch> launches_;
    std::vector<pool_ptr<protocol::kernel_launch>> held_;
    inbox<bool> accepted_;
    inbox<bool> completed_;
    unsigned made_ = 0;
    unsigned done_ = 0;
    bool requested_ = false;
    std::uint64_t next_launch_ = 0;
};

}  // namespace heddle::launch_tb
