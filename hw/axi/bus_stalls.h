// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/axi/channels.h"
#include "hw/cosim/pins/pin_channel.h"

namespace heddle::axi {

/// Random stalls of the channels that one side of a bus drives.
class bus_stalls {
public:
    bus_stalls() = default;
    /// As pins::pin_stalls; `path`: hierarchical name of the side.
    bus_stalls(std::uint64_t run_seed, const std::string& path, std::uint32_t percent)
        : aw_(run_seed, path + ".aw", percent),
          w_(run_seed, path + ".w", percent),
          b_(run_seed, path + ".b", percent),
          ar_(run_seed, path + ".ar", percent),
          r_(run_seed, path + ".r", percent) {}

    /// Once a clock.
    [[nodiscard]] held_channels held() {
        return {aw_.stalled(), w_.stalled(), b_.stalled(), ar_.stalled(), r_.stalled()};
    }

private:
    pins::pin_stalls aw_, w_, b_, ar_, r_;
};

}  // namespace heddle::axi
