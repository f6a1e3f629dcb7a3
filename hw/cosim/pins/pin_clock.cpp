// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/pin_clock.h"

#include "hw/base/has_process.h"

namespace heddle::pins {
namespace {

sc_core::sc_time half_period(const frequency& rate) {
    const std::uint64_t whole = rate.period_numerator() / rate.mhz_numerator();
    return sc_core::sc_time(static_cast<double>(whole / 2), sc_core::SC_PS);
}

}  // namespace

pin_part::pin_part(pin_clock& clock) {
    clock.parts_.push_back(this);
}

pin_clock::pin_clock(const sc_core::sc_module_name& name, clock_domain& domain,
                     unsigned reset_edges)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      reset_edges_(reset_edges),
      half_period_(half_period(domain.rate())) {
    domain.stay_with_kernel();
    HEDDLE_HAS_PROCESS(pin_clock);
    SC_METHOD(rise);
    sensitive << clk.posedge_event();
    dont_initialize();
    SC_METHOD(fall);
    sensitive << fall_event_;
    dont_initialize();
}

void pin_clock::evaluate() {
    clk.write(true);
}

/// The only process that drives pins for the transactors: a call for each of them costs less than
/// a process for each of them.
void pin_clock::rise() {
    fall_event_.notify(half_period_);
    if (reset_seen_ < reset_edges_) {
        if (++reset_seen_ == reset_edges_) rst_n.write(true);
        tell(true);
        return;
    }
    tell(true);
    for (pin_part* const part : parts_) part->clock_edge();
}

void pin_clock::fall() {
    clk.write(false);
    tell(false);
}

void pin_clock::tell(bool level) const {
    for (const level_listener& listener : listeners_) listener(level, reset_seen_ == reset_edges_);
}

}  // namespace heddle::pins
