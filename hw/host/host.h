// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/run_control.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/memory_access.h"

namespace heddle {

/// The host processor: runs a host program and hands its launches to the KMU.
///
/// launch_socket (launch_link, initiator): one launch at a time waits for its acceptance; launches
/// leave in the order of the program, each for the hardware work queue of its stream.
/// memory_socket (memory_link, initiator): debug transport only; copies take no simulated time and
/// see the newest data wherever it is.
/// Cost: a launch reaches the KMU one core cycle after the call.
class host : public sc_core::sc_module, public clocked {
public:
    /// Runs in the host's thread; may call submit() and wait_until_idle(). An exception
    /// becomes the run's error; in any case the run ends when the program returns.
    using program = std::function<void()>;

    host(const sc_core::sc_module_name& name, clock_domain& domain, run_control& control);

    protocol::initiator_socket_of<host, protocol::launch_link> launch_socket;
    protocol::initiator_socket_of<host, protocol::memory_link> memory_socket;

    /// What to run; call it before the simulation starts.
    void set_program(program run) { program_ = std::move(run); }
    /// Who hears of each launch that has completed, before the program goes on; likewise.
    void on_completed(std::function<void(launch_id)> call) { completed_ = std::move(call); }

    [[nodiscard]] pool<protocol::kernel_launch>& launches() noexcept { return launches_; }
    /// Enqueues a launch. `launched_at` is set here.
    void submit(pool_ptr<protocol::kernel_launch> launch);
    /// Blocks the host's thread until every submitted launch has completed.
    void wait_until_idle();
    /// Blocks it until the condition holds, which is asked when a launch has completed, or until
    /// none is open.
    void wait_until(const std::function<bool()>& condition);
    /// Blocks it until edge `edge` of the core clock runs; returns at once if that has run.
    void wait_until_edge(std::uint64_t edge);
    [[nodiscard]] bool idle() const noexcept { return open_ == 0; }
    [[nodiscard]] std::uint64_t submitted() const noexcept { return submitted_; }
    [[nodiscard]] std::uint64_t submitted_blocks() const noexcept { return submitted_blocks_; }

    /// Copies by debug transport, a mebibyte at a time. An error response is reported as a
    /// violated model invariant: the caller has checked the addresses.
    void copy(tlm::tlm_command command, std::uint32_t address, std::uint8_t* data,
              std::size_t bytes);

    /// Core cycles before edge `now` during which launches were open, and those between such
    /// spans. Without `now`: up to now.
    [[nodiscard]] std::uint64_t busy_cycles(std::uint64_t now) const;
    [[nodiscard]] std::uint64_t busy_cycles() const { return busy_cycles(domain().edge_count()); }
    [[nodiscard]] std::uint64_t gap_cycles() const noexcept { return gap_cycles_; }

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

private:
    struct answer {
        protocol::launch_phase phase = protocol::launch_phase::accepted;
        pool_ptr<protocol::kernel_launch> launch;
    };

    void run_program();
    void send_next();
    void take(const answer& from_kmu);
    tlm::tlm_sync_enum nb_transport_bw(protocol::kernel_launch& launch,
                                       protocol::launch_phase& phase, sc_core::sc_time& delay);

    run_control& control_;
    program program_;
    bool program_ended_ = false;
    pool<protocol::kernel_launch> launches_;
    std::deque<pool_ptr<protocol::kernel_launch>> waiting_;  ///< not sent yet, in program order
    inbox<answer> answers_;
    bool requested_ = false;  ///< a launch waits for its acceptance
    std::uint64_t submitted_ = 0;
    std::uint64_t submitted_blocks_ = 0;
    std::uint64_t open_ = 0;  ///< submitted and not completed
    std::function<void(launch_id)> completed_;
    sc_core::sc_event completed_event_;
    std::uint64_t awaited_edge_ = 0;
    sc_core::sc_event edge_event_;
    std::uint64_t span_start_ = 0;
    std::uint64_t span_end_ = 0;
    std::uint64_t busy_cycles_ = 0;
    std::uint64_t gap_cycles_ = 0;
};

}  // namespace heddle
