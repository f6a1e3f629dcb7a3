// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::axi {

/// The rules of AXI4 that rule_checker knows.
enum class rule : std::uint8_t {
    valid_dropped,
    payload_changed,
    valid_in_reset,
    long_wait,
    reserved_burst,
    size_too_wide,
    crosses_4k,
    fixed_too_long,
    wrap_length,
    wrap_unaligned,
    unknown_id,
    wlast_early,
    wlast_missing,
    strobe_outside_beat,
    b_without_write,
    b_before_aw,
    b_before_last_w,
    exokay_without_lock,
    r_without_read,
    rlast_early,
    rlast_missing,
    same_id_order,
    read_data,
    never_answered,
};

struct rule_description {
    const char* name;
    const char* text;  ///< what is legal
};

inline constexpr rule_description rules[] = {
    {"valid_dropped", "VALID stays high until READY"},
    {"payload_changed", "the payload stays as it is while VALID waits for READY"},
    {"valid_in_reset", "AWVALID, WVALID, ARVALID, BVALID and RVALID are low in reset"},
    {"long_wait", "READY comes within the longest wait that was set"},
    {"reserved_burst", "AxBURST is FIXED, INCR or WRAP"},
    {"size_too_wide", "AxSIZE is at most the width of the bus"},
    {"crosses_4k", "an INCR burst stays within 4 KB"},
    {"fixed_too_long", "a FIXED burst has at most 16 beats"},
    {"wrap_length", "a WRAP burst has 2, 4, 8 or 16 beats"},
    {"wrap_unaligned", "the address of a WRAP burst is a multiple of the bytes of a beat"},
    {"unknown_id", "IDs are below the number of IDs of the bus"},
    {"wlast_early", "WLAST comes with the last beat of AWLEN, not before"},
    {"wlast_missing", "the last beat of AWLEN has WLAST"},
    {"strobe_outside_beat", "WSTRB is 0 outside of the byte lanes of the beat"},
    {"b_without_write", "BID is the ID of a write under way"},
    {"b_before_aw", "BVALID comes after the handshake of AW"},
    {"b_before_last_w", "BVALID comes after the handshake of the write's last beat"},
    {"exokay_without_lock", "EXOKAY answers exclusive accesses only, and this bus has no AxLOCK"},
    {"r_without_read", "RID is the ID of a read under way"},
    {"rlast_early", "RLAST comes with the last beat of ARLEN, not before"},
    {"rlast_missing", "the last beat of ARLEN has RLAST"},
    {"same_id_order", "reads of one ID are answered in the order of their addresses on AR"},
    {"read_data", "a read returns the bytes that were written, or read, last"},
    {"never_answered", "at the end of the run no transaction is under way"},
};
inline constexpr std::size_t rule_count = sizeof(rules) / sizeof(rules[0]);
static_assert(rule_count == static_cast<std::size_t>(rule::never_answered) + 1);

[[nodiscard]] constexpr const rule_description& describe(rule which) {
    return rules[static_cast<std::size_t>(which)];
}

}  // namespace heddle::axi
