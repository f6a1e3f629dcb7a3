// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <utility>

namespace heddle {

/// The present time in ticks of the time resolution. While a clock domain runs its parts, this is a
/// load; SystemC's own answer is a call into its library. Clock domains may be ahead of SystemC's
/// kernel (edge_loop.h): then sc_time_stamp() is a time that has passed.
class present {
public:
    [[nodiscard]] static std::uint64_t ticks() noexcept {
        return within_edge() ? edge_
                             : std::max<std::uint64_t>(reached_, sc_core::sc_time_stamp().value());
    }
    [[nodiscard]] static sc_core::sc_time time() { return sc_core::sc_time::from_value(ticks()); }

    /// Notifies an event now, one delta cycle later.
    static void notify(sc_core::sc_event& event) { notify_at(event, ticks()); }
    /// Notifies an event at a time that is not before the present.
    static void notify_at(sc_core::sc_event& event, std::uint64_t ticks) {
        kernel_told_ = true;
        event.notify(sc_core::sc_time::from_value(ticks - sc_core::sc_time_stamp().value()));
    }
    /// Whether there was a notify() or notify_at() since the last call.
    [[nodiscard]] static bool kernel_told() noexcept { return std::exchange(kernel_told_, false); }

    /// Whether a clock domain runs its parts: what is done then is done by the hardware.
    [[nodiscard]] static bool within_edge() noexcept { return edge_ != none; }

    /// Where the present is kept, for who will ask soon.
    [[nodiscard]] static const void* memory() noexcept { return &edge_; }

    /// While it lives, the present is the edge at `ticks`.
    class at_edge {
    public:
        explicit at_edge(std::uint64_t ticks) noexcept { edge_ = ticks; }
        ~at_edge() {
            reached_ = edge_;
            edge_ = none;
        }
        at_edge(const at_edge&) = delete;
        at_edge& operator=(const at_edge&) = delete;
    };

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    static inline std::uint64_t edge_ = none;
    static inline std::uint64_t reached_ = 0;  ///< the latest edge that has run
    static inline bool kernel_told_ = false;
};

}  // namespace heddle
