// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/memory_store.h"

#include <cstring>

#include "hw/protocol/base_access.h"
#include "models/program/address_map.h"

namespace heddle {

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
    const unsigned period = payload.get_byte_enable_length();
    bool changed = false;
    for (unsigned i = 0; i < length; ++i) {
        if (enables[i % period] == TLM_BYTE_ENABLED) {
            changed |= to[i] != from[i];
            to[i] = from[i];
        }
    }
    return changed && payload.is_write();
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
