// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

/// AXI4 (ARM IHI 0022, AMBA AXI and ACE protocol): what the five channels carry, for every data
/// width from 32 to 512 bits. Without the optional signals LOCK, CACHE, PROT, QOS, REGION and USER.
/// No SystemC.
namespace heddle::axi {

inline constexpr unsigned maximum_bus_bytes = 64;  ///< 512 bits
inline constexpr unsigned maximum_beats = 256;     ///< of an INCR burst
inline constexpr unsigned boundary = 4096;         ///< no burst crosses a multiple of it
inline constexpr unsigned maximum_ids = 256;       ///< the ID pins have 8 bits

/// AxBURST.
enum class burst_type : std::uint8_t { fixed, incr, wrap, reserved };
/// xRESP.
enum class response : std::uint8_t { okay, exokay, slverr, decerr };

/// The payload of AW or AR.
struct address_beat {
    std::uint64_t address = 0;  ///< of the first byte, any alignment
    std::uint32_t id = 0;
    std::uint8_t length = 0;  ///< AxLEN: beats - 1
    std::uint8_t size = 0;    ///< AxSIZE: log2 of the bytes of a beat
    burst_type burst = burst_type::incr;

    [[nodiscard]] unsigned beats() const noexcept { return length + 1U; }
    [[nodiscard]] unsigned beat_bytes() const noexcept { return 1U << size; }
};
[[nodiscard]] inline bool operator==(const address_beat& a, const address_beat& b) noexcept {
    return a.address == b.address && a.id == b.id && a.length == b.length && a.size == b.size &&
           a.burst == b.burst;
}

/// Byte lanes of a bus; those beyond its width are 0.
using lanes = std::array<std::uint8_t, maximum_bus_bytes>;

struct write_beat {
    lanes data{};
    std::uint64_t strobe = 0;  ///< a bit for each lane
    bool last = false;
};
[[nodiscard]] inline bool operator==(const write_beat& a, const write_beat& b) noexcept {
    return a.strobe == b.strobe && a.last == b.last && a.data == b.data;
}

struct write_response {
    std::uint32_t id = 0;
    response code = response::okay;
};
[[nodiscard]] inline bool operator==(const write_response& a, const write_response& b) noexcept {
    return a.id == b.id && a.code == b.code;
}

struct read_beat {
    lanes data{};
    std::uint32_t id = 0;
    response code = response::okay;
    bool last = false;
};
[[nodiscard]] inline bool operator==(const read_beat& a, const read_beat& b) noexcept {
    return a.id == b.id && a.code == b.code && a.last == b.last && a.data == b.data;
}

/// What the manager drives.
struct manager_side {
    bool aw_valid = false, w_valid = false, b_ready = false, ar_valid = false, r_ready = false;
    address_beat aw, ar;
    write_beat w;
};

/// What the subordinate drives.
struct subordinate_side {
    bool aw_ready = false, w_ready = false, b_valid = false, ar_ready = false, r_valid = false;
    write_response b;
    read_beat r;
};

/// Handshakes that are held back in a clock: no VALID is raised that was low, no READY is given.
struct held_channels {
    bool aw = false, w = false, b = false, ar = false, r = false;
};

}  // namespace heddle::axi
