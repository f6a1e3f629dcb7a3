// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/memory_store.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hw/protocol/base_access.h"
#include "models/program/address_map.h"

namespace heddle {
namespace {

/// Whether a byte has changed. Most stores are words, and most words of a sector are left out.
bool move_enabled(std::uint8_t* to, const std::uint8_t* from, unsigned length,
                  const std::uint8_t* enables, unsigned period) {
    constexpr unsigned word = 4;
    constexpr std::uint32_t all = 0x0101'0101U * TLM_BYTE_ENABLED;
    bool changed = false;
    unsigned enable = 0;  // of the byte `at`
    for (unsigned at = 0, count = 0; at < length; at += count) {
        const unsigned left = std::min(length - at, period - enable);
        std::uint64_t two_words = 0;
        std::uint32_t enabled = 0;
        count = left < word ? 1 : word;
        std::memcpy(&enabled, enables + enable, count);
        if (left >= 2 * word) std::memcpy(&two_words, enables + enable, 2 * word);
        if (left >= 2 * word && two_words == 0) {
            count = 2 * word;
        } else if (count == word && enabled == all) {
            changed |= std::memcmp(to + at, from + at, word) != 0;
            std::memcpy(to + at, from + at, word);
        } else if (enabled != 0) {
            count = 1;
            changed |= enables[enable] == TLM_BYTE_ENABLED && to[at] != from[at];
            if (enables[enable] == TLM_BYTE_ENABLED) to[at] = from[at];
        }
        enable = enable + count == period ? 0 : enable + count;
    }
    return changed;
}

}  // namespace

bool memory_store::move(tlm::tlm_generic_payload& payload) const {
    std::uint8_t* const cell = data_ + payload.get_address();
    std::uint8_t* const data = payload.get_data_ptr();
    const unsigned length = payload.get_data_length();
    std::uint8_t* const to = payload.is_read() ? data : cell;
    const std::uint8_t* const from = payload.is_read() ? cell : data;
    const std::uint8_t* const enables = payload.get_byte_enable_ptr();
    if (enables == nullptr) {
        const bool changed = payload.is_write() && std::memcmp(to, from, length) != 0;
        std::memcpy(to, from, length);
        return changed;
    }
    return move_enabled(to, from, length, enables, payload.get_byte_enable_length()) &&
           payload.is_write();
}

void memory_store::perform(tlm::tlm_generic_payload& payload, memory_traffic& counts) {
    const tlm::tlm_response_status status = protocol::check_base_access(payload, size_).status;
    payload.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) {
        ++counts.errors;
        return;
    }
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
        return;
    }
    if (move(payload) && payload.get_address() < program::reserve_window.base) ++counts.changes;
    (payload.is_read() ? counts.reads : counts.writes) += 1;
    (payload.is_read() ? counts.bytes_read : counts.bytes_written) += payload.get_data_length();
}

unsigned memory_store::perform_debug(tlm::tlm_generic_payload& payload) {
    memory_traffic uncounted;
    perform(payload, uncounted);
    return payload.is_response_ok() && payload.get_command() != tlm::TLM_IGNORE_COMMAND
               ? payload.get_data_length()
               : 0;
}

}  // namespace heddle
