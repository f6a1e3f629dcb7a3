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
    /// Lanes by window, and among those of global memory the ones that load constants.
    struct windows {
        isa::lane_mask in_shared = 0;
        isa::lane_mask in_private = 0;
        isa::lane_mask in_global = 0;
        isa::lane_mask in_constant = 0;
        isa::lane_mask in_read_only = 0;  ///< set by the load-store unit

        [[nodiscard]] bool none() const noexcept {
            return (in_shared | in_private | in_global | in_constant | in_read_only) == 0;
        }
    };
    struct fault {
        unsigned lane;
        std::string what;
    };

    /// `constants`: loads of constants are told apart. Those are instructions that the program
    /// marks so, in lanes whose address lies in parameters or read-only data. In other lanes, and
    /// where the mark is missing, they are loads of global memory.
    access_checker(const allocation_table& ranges, std::uint32_t private_bytes, unsigned lanes,
                   bool constants)
        : ranges_(&ranges), private_bytes_(private_bytes), lanes_(lanes), constants_(constants) {}

    /// The lowest lane whose access is illegal, misaligned ones first; none if all are legal.
    std::optional<fault> check(const memory_instruction& access, windows& found);

private:
    struct known_range {
        std::uint32_t address = 0;
        std::uint32_t size = 0;
        bool writable = false;
        bool constant = false;
    };
    /// The allocation that [low, low + bytes) lies in; null if there is none, or it can't be
    /// written and `write` is set.
    const known_range* legal_global(std::uint32_t low, std::uint64_t bytes, bool write);
    /// Whether words from the one at `low` to the one at `high` are known to lie in a buffer of the
    /// pool. False if they may.
    [[nodiscard]] bool legal_in_pool(std::uint32_t low, std::uint32_t high, bool write) const;
    std::optional<fault> misaligned(const memory_instruction& access) const;
    /// Lane by lane, for accesses that span windows or allocations, or are illegal.
    std::optional<fault> check_lanes(const memory_instruction& access, windows& found);

    const allocation_table* ranges_;
    std::uint32_t private_bytes_;
    unsigned lanes_;
    bool constants_;
    std::array<known_range, 8> known_{};
    unsigned next_known_ = 0;
    std::uint64_t version_ = 0;
};

}  // namespace heddle
