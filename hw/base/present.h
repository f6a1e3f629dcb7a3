// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <systemc>

namespace heddle {

/// The present time in ticks of the time resolution. While a clock domain runs its parts, this is a
/// load; SystemC's own answer is a call into its library.
class present {
public:
    [[nodiscard]] static std::uint64_t ticks() noexcept {
        return edge_ != none ? edge_ : sc_core::sc_time_stamp().value();
    }

    /// Whether a clock domain runs its parts: what is done then is done by the hardware.
    [[nodiscard]] static bool within_edge() noexcept { return edge_ != none; }

    /// While it lives, the present is the edge at `ticks`.
    class at_edge {
    public:
        explicit at_edge(std::uint64_t ticks) noexcept { edge_ = ticks; }
        ~at_edge() { edge_ = none; }
        at_edge(const at_edge&) = delete;
        at_edge& operator=(const at_edge&) = delete;
    };

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    static inline std::uint64_t edge_ = none;
};

}  // namespace heddle
