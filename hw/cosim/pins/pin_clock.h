// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"

/// Pins: sc_signals between transactors and RTL that Verilator has translated with --sc. Nowhere
/// else in the machine are there signals.
///
/// The discipline of a clock edge, all at one instant:
///  1. the clock domain runs its edge: blocks call each other, and pin_clock raises `clk`;
///  2. one delta later RTL (sensitive to `clk`) and all pin_parts run. Everybody reads the pins as
///     they were before the edge, so the order among them does not matter;
///  3. one delta later the pins have their new values, and combinational RTL follows them.
/// So what is driven at edge n is sampled at edge n + 1. A pin_part may call TLM sockets in step 2:
/// the callee sees it at its next edge. What is called in step 1 reaches a pin_part through an
/// inbox, so it is driven at the next edge.
namespace heddle::pins {

class pin_clock;

/// What drives or samples pins at the rising edges of a clock. Outlives the simulation.
class pin_part {
public:
    explicit pin_part(pin_clock& clock);
    virtual ~pin_part() = default;
    pin_part(const pin_part&) = delete;
    pin_part& operator=(const pin_part&) = delete;

    /// Called at each rising edge behind those of the reset. Reads of pins give the values before
    /// the edge; what it writes is seen one delta later.
    virtual void clock_edge() = 0;
};

/// The clock and the reset of pins, on the edges of a clock domain. `clk` falls half a period after
/// it has risen. `rst_n` is low from the start up to and with `reset_edges` rising edges, and then
/// rises one delta behind the last of them.
///
/// Its domain does not sleep.
class pin_clock final : public sc_core::sc_module, public clocked {
public:
    /// Two processes drive it: that of the domain and fall().
    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> clk{"clk"};
    sc_core::sc_signal<bool> rst_n{"rst_n"};

    pin_clock(const sc_core::sc_module_name& name, clock_domain& domain, unsigned reset_edges = 1);

    /// Hears of each new level of `clk` and of `rst_n`, at its instant.
    using level_listener = std::function<void(bool clk, bool rst_n)>;
    void on_level(level_listener listener) { listeners_.push_back(std::move(listener)); }

    void evaluate() override;
    [[nodiscard]] activity update() override { return activity::busy; }

private:
    friend class pin_part;

    void rise();
    void fall();
    void tell(bool level) const;

    const unsigned reset_edges_;
    const sc_core::sc_time half_period_;
    unsigned reset_seen_ = 0;
    sc_core::sc_event fall_event_;
    std::vector<pin_part*> parts_;
    std::vector<level_listener> listeners_;
};

}  // namespace heddle::pins
