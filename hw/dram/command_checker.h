// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/protocol/dram_command.h"
#include "hw/protocol/dram_timing.h"

namespace heddle {

/// Checks the commands of one channel against the data sheet: bind it as an observer of any
/// controller. It knows nothing of queues and policies; it keeps when each command was last given
/// to each bank, group and the chip, and looks every new command up in a table of distances
/// (command_checker.cpp) written from Fung 2008, table 5.1, and JEDEC's rules beside it.
///
/// Rules, each with a message id of its own: heddle/dram/NAME, NAME from dram_timing.h's table
/// (RRD, FAW, RC, RCD, RAS, RP, CCD, CCDL, WTR, RTW, RTP, WR, RFC); `bus`: one command a clock, in
/// order; `data`: bursts do not overlap; `state`: ACT to a closed bank, RD and WR to the open row,
/// PRE to an open bank, REF with all banks closed; `REFI`: no more than nine refresh intervals
/// without a refresh.
class command_checker final : public protocol::dram_command_observer {
public:
    /// What a violation does: its id, and what was found, where, and what would be legal.
    using report_function = std::function<void(const char* id, const std::string& text)>;

    /// Bank b is in group b % `groups`. Without `report`, SC_REPORT_ERROR. `name` is the channel's.
    command_checker(std::string name, const protocol::dram_timing& timing, std::uint32_t banks,
                    std::uint32_t groups, report_function report = {});

    void command(const protocol::dram_command_record& issued) override;

    [[nodiscard]] std::uint64_t commands() const noexcept { return commands_; }
    [[nodiscard]] std::uint64_t violations() const noexcept { return violations_; }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::uint64_t closed = ~std::uint64_t{0};
    /// Clock of the last command of each kind.
    using history = std::array<std::uint64_t, protocol::dram_command_count>;

    void check_bus(const protocol::dram_command_record& issued);
    void check_state(const protocol::dram_command_record& issued);
    void check_distances(const protocol::dram_command_record& issued);
    void check_window(const protocol::dram_command_record& issued);
    void check_data(const protocol::dram_command_record& issued);
    void check_refresh(const protocol::dram_command_record& issued);
    void note(const protocol::dram_command_record& issued);
    void violation(const char* id, const protocol::dram_command_record& issued,
                   const std::string& what);

    std::string name_;
    const protocol::dram_timing timing_;
    report_function report_;
    std::vector<std::uint64_t> rows_;  ///< open rows
    std::vector<history> banks_, groups_;
    history chip_;
    std::array<std::uint64_t, 4> activates_;  ///< the last four, oldest first
    std::uint64_t last_ = never;              ///< clock of the last command
    std::uint64_t data_end_ = 0;
    std::uint64_t refreshed_ = 0;
    std::uint64_t commands_ = 0;
    std::uint64_t violations_ = 0;
};

}  // namespace heddle
