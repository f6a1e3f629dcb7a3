// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <tlm>

#include "hw/axi/channels.h"

namespace heddle::axi {

/// What a subordinate answers for a response of TLM: DECERR for an address that the memory does not
/// have, SLVERR for any other error.
[[nodiscard]] inline response code_of(tlm::tlm_response_status status) {
    switch (status) {
        case tlm::TLM_OK_RESPONSE:
            return response::okay;
        case tlm::TLM_ADDRESS_ERROR_RESPONSE:
            return response::decerr;
        default:
            return response::slverr;
    }
}

/// What a manager answers to its initiator. EXOKAY is an error: it has asked for nothing exclusive.
[[nodiscard]] inline tlm::tlm_response_status status_of(response code) {
    switch (code) {
        case response::okay:
            return tlm::TLM_OK_RESPONSE;
        case response::decerr:
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        default:
            return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
}

/// Whether byte `at` of a payload is to be moved.
[[nodiscard]] inline bool enabled(const tlm::tlm_generic_payload& payload, std::uint64_t at) {
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    return enables == nullptr || enables[at % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// Puts the enabled bytes of the write over those of the read where both have them.
inline void overlay(tlm::tlm_generic_payload& read, const tlm::tlm_generic_payload& write) {
    const std::uint64_t begin = std::max(read.get_address(), write.get_address());
    const std::uint64_t end = std::min(read.get_address() + read.get_data_length(),
                                       write.get_address() + write.get_data_length());
    for (std::uint64_t address = begin; address < end; ++address) {
        const std::uint64_t from = address - write.get_address();
        const std::uint64_t to = address - read.get_address();
        if (enabled(write, from) && enabled(read, to)) {
            read.get_data_ptr()[to] = write.get_data_ptr()[from];
        }
    }
}

}  // namespace heddle::axi
