// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/smx/pipeline/event_wheel.h"
#include "hw/smx/smx_configuration.h"
#include "models/base/bits.h"
#include "models/isa/instruction.h"

namespace heddle {

/// The write-back ports: results of the execution pipelines take one each when they are due, after
/// the results that memory has delivered in the same cycle. What finds no port waits for the next
/// cycle, in front of what is due there.
///
/// With smx.writeback_interval there is one port, narrower than a warp. A register keeps it for so
/// many cycles, and those that memory delivers go first, one after another; their values may be
/// used at once. Instructions without a register need no port then. Where threads return from
/// memory one by one, the port takes as many threads of any returns in a cycle as a register has in
/// its share of it: 32 threads over 4 cycles are 8 a cycle.
///
/// `Name`: what the user calls a result (event_wheel.h).
template <class Name>
class write_back {
public:
    /// `threads_of_register`: of a warp, if threads return from memory one by one; else 0.
    explicit write_back(const smx_configuration& smx, unsigned threads_of_register = 0) noexcept
        : ports_(smx.writeback_ports),
          interval_(smx.writeback_interval),
          threads_(interval_ == 0 ? 0 : (threads_of_register + interval_ - 1) / interval_) {}

    /// A result is due at `edge`; its instruction writes a register or none.
    void add(std::uint64_t edge, Name result, bool writes) noexcept {
        (writes || interval_ == 0 ? results_ : others_).add(edge, result);
    }
    [[nodiscard]] bool due(std::uint64_t edge) const noexcept {
        return results_.due(edge) || (interval_ != 0 && others_.due(edge));
    }
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept {
        const std::uint64_t result = results_.next_due(edge);
        return interval_ == 0 ? result : std::min(result, others_.next_due(edge));
    }
    /// Whether what memory delivers is counted in threads, not in registers.
    [[nodiscard]] bool counts_threads() const noexcept { return threads_ != 0; }
    /// What memory delivers to some lanes, as so many registers where registers are counted.
    [[nodiscard]] unsigned taken(isa::lane_mask lanes, unsigned registers) const noexcept {
        return counts_threads() ? bits::count(lanes) : registers;
    }
    /// Calls f(name) for the results that are due and find a port; memory has delivered `taken`
    /// registers or threads at this edge. To be called if results are due or there are such.
    template <class Function>
    void cycle(std::uint64_t edge, unsigned taken, Function&& f) {
        if (interval_ != 0) {
            while (others_.due(edge)) f(others_.take(edge));
            if (taken != 0) take_for_memory(edge, taken);
        }
        unsigned free = interval_ != 0 ? ~0U : ports_ - std::min(ports_, taken);
        while (results_.due(edge)) {
            if (free-- == 0 || free_at_ > edge) {
                ++conflicts_;
                waits_at_ = edge;
                results_.defer(edge);
                return;
            }
            if (interval_ != 0) keep(edge, interval_);
            f(results_.take(edge));
        }
    }
    /// Whether a result holds the pipeline in the cycle of `edge`, as it has found no port.
    [[nodiscard]] bool holds(std::uint64_t edge) const noexcept {
        return interval_ != 0 && waits_at_ == edge;
    }
    /// Cycles in which results found no port.
    [[nodiscard]] std::uint64_t conflicts() const noexcept { return conflicts_; }

private:
    void keep(std::uint64_t edge, std::uint64_t cycles) noexcept {
        free_at_ = std::max(free_at_, edge) + cycles;
        places_ = 0;
    }
    void take_for_memory(std::uint64_t edge, unsigned taken) noexcept {
        if (threads_ == 0) return keep(edge, std::uint64_t{taken} * interval_);
        const unsigned beside = free_at_ > edge ? std::min(places_, taken) : 0;
        places_ -= beside;
        if (taken == beside) return;
        const unsigned left = taken - beside;
        const unsigned cycles = (left + threads_ - 1) / threads_;
        keep(edge, cycles);
        places_ = cycles * threads_ - left;
    }

    event_wheel<Name> results_;
    event_wheel<Name> others_;   ///< with an interval: of instructions without a register
    std::uint64_t free_at_ = 0;  ///< with an interval: first edge at which the port is free
    std::uint64_t waits_at_ = event_wheel_limits::never;  ///< edge of the last conflict
    std::uint64_t conflicts_ = 0;
    unsigned places_ = 0;  ///< for threads in the last cycle before free_at_
    const unsigned ports_;
    const std::uint32_t interval_;  ///< 0: any port writes a register in a cycle
    const unsigned threads_;        ///< that return in a cycle; 0: registers return
};

}  // namespace heddle
