// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "hw/axi/channels.h"
#include "models/base/random.h"

namespace heddle::axi {

struct random_manager_options {
    unsigned bus_bytes = 16;
    unsigned ids = 16;             ///< that are used: from 0 on
    std::uint64_t region = 65536;  ///< addresses are below it
    unsigned bursts = 6000;
    unsigned under_way = 24;  ///< bursts, of both directions together
};

/// A manager of AXI4 that asks a memory at random: INCR bursts of any size, length and alignment,
/// with any strobes, of several IDs, with stalls of each channel that change from phase to phase.
/// Reads that meet a write under way are seldom, as what they give can't be judged. No SystemC.
class random_manager {
public:
    random_manager(const random_manager_options& options, random_stream& random)
        : options_(options), random_(random) {}

    /// What it drives until the next rising edge.
    [[nodiscard]] const manager_side& pins() const noexcept { return pins_; }
    /// A rising edge, at which the subordinate had these values.
    void clock(const subordinate_side& seen);
    /// All bursts have been answered.
    [[nodiscard]] bool done() const noexcept {
        return begun_ == options_.bursts && writes_.empty() && reads_.empty();
    }

private:
    struct sent_write {
        address_beat burst;
        unsigned beat = 0;  ///< that comes next
    };

    void begin();
    void drive_w();
    [[nodiscard]] address_beat draw();
    [[nodiscard]] bool stalls() { return random_.below(100) < stall_; }

    const random_manager_options options_;
    random_stream& random_;
    manager_side pins_;
    unsigned begun_ = 0;
    std::uint64_t clocks_ = 0, stall_ = 0;      ///< stalls in percent
    std::vector<address_beat> writes_, reads_;  ///< begun and not answered, the oldest first
    std::deque<sent_write> to_send_;            ///< writes with beats left, in the order of AW
};

}  // namespace heddle::axi
