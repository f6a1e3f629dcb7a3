// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::protocol {

/// Commands of a memory controller to its DRAM chips; one command a clock and channel.
enum class dram_command : std::uint8_t { activate, read, write, precharge, refresh };
inline constexpr std::size_t dram_command_count = 5;
/// Names as in data sheets.
inline constexpr const char* dram_command_names[dram_command_count] = {"ACT", "RD", "WR", "PRE",
                                                                       "REF"};

/// A command on the bus of one channel.
struct dram_command_record {
    std::uint64_t cycle = 0;  ///< command clock
    dram_command what = dram_command::activate;
    std::uint32_t bank = 0;    ///< REF: all banks
    std::uint64_t row = 0;     ///< ACT, RD, WR
    std::uint32_t column = 0;  ///< RD, WR: number of the atom in its row
};

/// Watches the command bus of a channel: a checker, a recorder, the device itself.
class dram_command_observer {
public:
    virtual ~dram_command_observer() = default;
    /// Called once for each command, in the order of the clock.
    virtual void command(const dram_command_record& issued) = 0;
};

}  // namespace heddle::protocol
