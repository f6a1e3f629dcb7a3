// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/waveform.h"
#include "hw/memory_controller/memory_channel.h"

namespace heddle {

/// What a controller shows: per bank the command of the clock (`none` between them) and the open
/// row, -1 if there is none; entries of the queue.
class memory_controller_waves {
public:
    void declare(waveform& sink, const std::string& name, std::uint32_t banks);

    /// A command of this edge.
    void command(const protocol::dram_command_record& issued) {
        if (on_) {
            issued_ = issued;
            fresh_ = true;
        }
    }
    /// From update().
    void show(const memory_channel& channel) {
        if (on_) {
            show_all(channel);
        }
    }
    /// A command is shown and has to be taken back at the next edge.
    [[nodiscard]] bool unsettled() const noexcept { return shown_; }

private:
    void set_command(const protocol::dram_command_record& of, std::uint64_t value);
    void show_all(const memory_channel& channel);

    bool on_ = false;
    bool fresh_ = false;  ///< issued_ is of this edge
    bool shown_ = false;
    protocol::dram_command_record issued_, last_;
    std::vector<wave_state> commands_;
    std::vector<wave_integer> rows_;
    wave_integer queue_;
};

}  // namespace heddle
