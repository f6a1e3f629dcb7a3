// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "hw/memory_controller/channel_timing.h"
#include "hw/memory_controller/memory_controller_configuration.h"
#include "hw/memory_controller/request_queue.h"
#include "hw/memory_controller/request_scheduler.h"
#include "hw/memory_controller/write_drain.h"
#include "hw/protocol/dram_command.h"

namespace heddle {

struct channel_counts {
    std::uint64_t activates = 0, reads = 0, writes = 0, precharges = 0, refreshes = 0;
    /// How a request found the row buffer of its bank when it was given to it.
    std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;
    std::uint64_t turnarounds = 0;  ///< of the data bus, from reads to writes
};

/// The brain of a channel: queue, policy, turns of reads and writes, refresh, and the command unit,
/// which walks the banks that serve a request and issues the first command that is ready, starting
/// behind the bank of its last one (Fung 2008, section 5.1.3). At most one command a clock.
///
/// Nothing depends on how often it is asked: it decides when a request comes, a command goes, or
/// refresh falls due, and knows then at which clock the next command goes. No SystemC.
class memory_channel {
public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    /// What advance() has issued.
    struct issue {
        protocol::dram_command_record command;
        bool column = false;  ///< a read or write: `request` is what it serves
        column_request request;
        std::uint64_t dispatched = 0;  ///< clock at which the request went to its bank
        std::uint64_t data_end = 0;    ///< clock at which the last data have passed the bus
    };

    /// `configuration` outlives the channel.
    memory_channel(const memory_controller_configuration& configuration,
                   std::unique_ptr<request_scheduler> scheduler);

    [[nodiscard]] const request_queue& queue() const noexcept { return queue_; }
    [[nodiscard]] const channel_timing& banks() const noexcept { return timing_; }
    [[nodiscard]] channel_counts counts() const;

    /// A request that may be served at `now` already. Call only while the queue is not full.
    void insert(const column_request& request);
    /// While nobody can take data, no column access is issued.
    void hold(bool held);
    [[nodiscard]] bool held() const noexcept { return held_; }
    /// Call at each clock at which something has changed or next() is due, after the changes.
    /// Returns the command of this clock, or null.
    const issue* advance(std::uint64_t now);
    /// The next clock at which advance() has something to do, after advance(); or never.
    [[nodiscard]] std::uint64_t next() const noexcept {
        return refreshing_ || refresh_due_ > plan_.cycle ? plan_.cycle : refresh_due_;
    }

private:
    struct plan {
        std::uint64_t cycle = never;
        std::uint32_t bank = 0;
        protocol::dram_command what = protocol::dram_command::activate;
    };
    struct bank_state {
        request_queue::index serves = request_queue::none;
        std::uint64_t since = 0;  ///< clock of its dispatch
        std::uint64_t found = 0;  ///< row that was open then, or channel_timing::closed
        protocol::dram_command wants = protocol::dram_command::activate;  ///< its next command
    };

    void decide(std::uint64_t now);
    void recall(std::uint32_t bank);
    void recall_others();
    void dispatch(std::uint64_t now);
    void make_plan(std::uint64_t earliest);
    void plan_banks(std::uint64_t earliest);
    void plan_refresh(std::uint64_t earliest);
    [[nodiscard]] protocol::dram_command wanted(std::uint32_t bank) const;
    void note_wanted(std::uint32_t bank);
    void leave(std::uint32_t bank);
    void perform(std::uint64_t now);
    void finish_column(std::uint64_t now);

    const memory_controller_configuration& configuration_;
    request_queue queue_;
    channel_timing timing_;
    std::unique_ptr<request_scheduler> scheduler_;
    const bool in_order_;
    write_drain drain_;
    std::vector<bank_state> banks_;
    std::uint64_t serving_ = 0;  ///< a bit per bank that serves a request
    /// By command: a bit per bank that wants it.
    std::array<std::uint64_t, protocol::dram_command_count> wanting_{};
    std::array<std::uint32_t, 2> dispatched_{};  ///< requests at banks: reads, writes
    bool bus_writes_ = false;                    ///< direction of the data bus
    bool held_ = false;
    bool changed_ = false;  ///< something that is decided on
    bool replans_ = false;  ///< something that the plan depends on
    bool refreshing_ = false;
    std::uint64_t refresh_due_ = never;
    std::uint32_t next_bank_ = 0;  ///< where the command unit starts
    plan plan_;
    issue issue_;
    channel_counts counts_;
};

}  // namespace heddle
