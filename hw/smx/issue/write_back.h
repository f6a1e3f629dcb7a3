// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/smx/pipeline/event_wheel.h"

namespace heddle {

/// The write-back ports: results of the execution pipelines take one each when they are due, after
/// the results that memory has delivered in the same cycle. What finds no port waits for the next
/// cycle, in front of what is due there.
class write_back {
public:
    explicit write_back(unsigned ports) noexcept : ports_(ports) {}

    /// A result for register `rd` of a warp is due at `edge`.
    void add(std::uint64_t edge, unsigned warp, std::uint8_t rd) noexcept {
        results_.add(edge, warp, rd);
    }
    [[nodiscard]] bool due(std::uint64_t edge) const noexcept { return results_.due(edge); }
    [[nodiscard]] std::uint64_t next_due(std::uint64_t edge) const noexcept {
        return results_.next_due(edge);
    }
    /// Calls f(warp, rd) for the results that are due and find a port; `taken` ports are not free.
    template <class Function>
    void cycle(std::uint64_t edge, unsigned taken, Function&& f) {
        unsigned free = ports_ - std::min(ports_, taken);
        while (results_.due(edge)) {
            if (free-- == 0) {
                ++conflicts_;
                results_.defer(edge);
                return;
            }
            const event_wheel::event done = results_.take(edge);
            f(unsigned{done.warp}, done.code);
        }
    }
    /// Cycles in which results found no port.
    [[nodiscard]] std::uint64_t conflicts() const noexcept { return conflicts_; }

private:
    const unsigned ports_;
    event_wheel results_;
    std::uint64_t conflicts_ = 0;
};

}  // namespace heddle
