// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "include/heddle/retire.h"
#include "models/isa/instruction.h"

namespace heddle::iss {

/// What the programs of a campaign have made a core do, counted from its records alone:
/// instructions by the shape of their masks, depth of divergence, barriers of warps that are not
/// whole, accesses by width and memory, bank conflicts, lines of an access, loads in parts and out
/// of order.
class retired_coverage {
public:
    /// `banks` of 32 bits; lines of `line_bytes`.
    retired_coverage(unsigned banks, unsigned line_bytes)
        : banks_(banks), line_bytes_(line_bytes) {}

    void take(const heddle_retired& record);
    /// Each point and how often it was met; those that were not are named at the end of each part.
    [[nodiscard]] std::string table() const;

private:
    enum shape { full, low, single, other, shapes };
    static constexpr unsigned deepest = 8;
    static constexpr unsigned degrees = 5;  ///< 1, 2, 3 to 4, 5 to 8, more

    /// Masks that enclose the one of the warp's last step, the outermost first.
    struct warp {
        std::vector<isa::lane_mask> masks;
        std::uint64_t last_loaded = 0;
    };
    using warp_name = std::array<std::uint32_t, 3>;  ///< launch, block, warp

    void step(const heddle_retired& r);
    void access(const heddle_retired& r, const isa::instruction& i);
    void data(const heddle_retired& r);
    [[nodiscard]] unsigned depth_of(warp& w, isa::lane_mask lanes) const;

    const unsigned banks_;
    const unsigned line_bytes_;
    std::map<warp_name, warp> warps_;
    std::map<std::string, std::array<std::uint64_t, shapes>> instructions_;
    std::map<std::string, std::uint64_t> accesses_;
    std::array<std::uint64_t, deepest + 1> depths_{};
    std::array<std::uint64_t, degrees> conflicts_{};
    std::array<std::uint64_t, degrees> lines_{};
    std::uint64_t barriers_whole_ = 0, barriers_apart_ = 0;
    std::uint64_t loads_in_parts_ = 0, loads_out_of_order_ = 0;
};

}  // namespace heddle::iss
