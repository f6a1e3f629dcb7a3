// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/device/allocation_table.h"
#include "models/isa/instruction.h"

namespace heddle {

struct memory_instruction;

/// Sorts the lanes of an access into address windows and checks alignment and bounds, with the
/// functional simulator's messages. Remembers the allocations that it last found legal.
class access_checker {
public:
    /// Lanes by window.
    struct windows {
        isa::lane_mask in_shared = 0;
        isa::lane_mask in_private = 0;
        isa::lane_mask in_global = 0;
    };
    struct fault {
        unsigned lane;
        std::string what;
    };

    access_checker(const allocation_table& ranges, std::uint32_t private_bytes, unsigned lanes)
        : ranges_(&ranges), private_bytes_(private_bytes), lanes_(lanes) {}

    /// The lowest lane whose access is illegal, misaligned ones first; none if all are legal.
    std::optional<fault> check(const memory_instruction& access, windows& found);

private:
    struct known_range {
        std::uint32_t address = 0;
        std::uint32_t size = 0;
        bool writable = false;
    };
    /// Whether [low, low + bytes) lies in one allocation.
    bool legal_global(std::uint32_t low, std::uint64_t bytes, bool write);
    std::optional<fault> misaligned(const memory_instruction& access) const;
    /// Lane by lane, for accesses that span windows or allocations, or are illegal.
    std::optional<fault> check_lanes(const memory_instruction& access, windows& found);

    const allocation_table* ranges_;
    std::uint32_t private_bytes_;
    unsigned lanes_;
    std::array<known_range, 8> known_{};
    unsigned next_known_ = 0;
    std::uint64_t version_ = 0;
};

}  // namespace heddle
