// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hw/protocol/dram_command.h"
#include "hw/protocol/dram_timing.h"

namespace heddle {

/// What the controller of a channel knows of its banks: open rows, and the constraint counters of
/// Fung 2008, table 5.1, with those that data sheets add (dram_timing.h has the whole table).
///
/// A counter that runs down to 0 is kept as the clock at which it gets there, so that nothing has
/// to be done while time passes. No SystemC.
class channel_timing {
public:
    static constexpr std::uint64_t closed = ~std::uint64_t{0};

    /// Bank b is in group b % `groups`. `timing` outlives this object.
    channel_timing(const protocol::dram_timing& timing, std::uint32_t banks, std::uint32_t groups);

    [[nodiscard]] std::uint32_t banks() const noexcept {
        return static_cast<std::uint32_t>(banks_.size());
    }
    /// Row in the row buffer, or `closed`.
    [[nodiscard]] std::uint64_t open_row(std::uint32_t bank) const { return banks_[bank].row; }
    [[nodiscard]] std::uint64_t open_banks() const noexcept { return open_; }

    /// The first clock at which the command keeps every constraint; that it fits the state of the
    /// bank (ACT: closed; RD, WR, PRE: open; REF: all closed) is up to the caller.
    [[nodiscard]] std::uint64_t earliest(protocol::dram_command what, std::uint32_t bank) const {
        return std::max(earliest_of_channel(what), earliest_of_bank(what, bank));
    }
    /// As far as the constraints are concerned that all banks share.
    [[nodiscard]] std::uint64_t earliest_of_channel(protocol::dram_command what) const {
        switch (what) {
            case protocol::dram_command::activate:
                return std::max(command_, std::max(activate_, activates_[oldest_activate_]));
            case protocol::dram_command::read:
                return std::max(command_, read_);
            case protocol::dram_command::write:
                return std::max(command_, write_);
            case protocol::dram_command::precharge:
                return command_;
            case protocol::dram_command::refresh:
                break;
        }
        return earliest_refresh();
    }
    /// As far as the others are concerned, those of the bank and of its group.
    [[nodiscard]] std::uint64_t earliest_of_bank(protocol::dram_command what,
                                                 std::uint32_t bank) const {
        const bank_state& b = banks_[bank];
        switch (what) {
            case protocol::dram_command::activate:
                return b.activate;
            case protocol::dram_command::read:
            case protocol::dram_command::write:
                return std::max(b.column, groups_[b.group]);
            case protocol::dram_command::precharge:
                return b.precharge;
            case protocol::dram_command::refresh:
                break;
        }
        return 0;
    }
    /// The command goes out at `now`, which is not before earliest(). `row` matters to ACT only.
    void issue(protocol::dram_command what, std::uint32_t bank, std::uint64_t row,
               std::uint64_t now);

private:
    /// First clock at which a command to this bank is legal as far as the bank is concerned.
    struct bank_state {
        std::uint64_t row = closed;
        std::uint64_t activate = 0;   ///< RC, RP, RFC
        std::uint64_t column = 0;     ///< RCD
        std::uint64_t precharge = 0;  ///< RAS, RTP, WR
        std::uint32_t group = 0;
    };

    [[nodiscard]] std::uint64_t earliest_refresh() const;
    void issue_column(bool write, bank_state& bank, std::uint64_t& group, std::uint64_t now);

    const protocol::dram_timing& timing_;
    std::vector<bank_state> banks_;
    std::vector<std::uint64_t> groups_;  ///< per group: CCDL
    std::uint64_t open_ = 0;             ///< a bit per bank
    std::uint64_t command_ = 0;          ///< the command bus is free
    std::uint64_t activate_ = 0;         ///< RRD
    std::uint64_t read_ = 0;             ///< CCD, WTR
    std::uint64_t write_ = 0;            ///< CCD, RTW
    /// The last four activates + FAW.
    std::array<std::uint64_t, 4> activates_{};
    unsigned oldest_activate_ = 0;
};

}  // namespace heddle
