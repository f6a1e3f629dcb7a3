// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <tlm>

#include "hw/protocol/memory_access.h"

/// l2 -> memory_controller -> dram.
namespace heddle::protocol {

/// Any third-party base-protocol model binds here.
using base_link = tlm::tlm_base_protocol_types;

template <>
struct link_rules<base_link> : generic_payload_rules {
    static const rule_table& table();
    static unsigned phase_number(const tlm::tlm_phase& phase);
    static fixed_attributes fixed(const tlm::tlm_generic_payload& p);
    /// Transactions that L2 makes by itself have no SMX.
    static void describe(const tlm::tlm_generic_payload& p, attribute_list& out);
    static std::optional<sm_id> accessing_sm(const tlm::tlm_generic_payload& p);
};

/// Why a memory refuses a generic payload; if it accepts the payload, status is TLM_OK_RESPONSE.
struct base_refusal {
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    const char* reason = "";  ///< what is wrong and what would be legal
};

/// Whether a memory of `bytes` bytes, without streaming, can perform the access: any address and
/// length inside it, any alignment.
[[nodiscard]] inline base_refusal check_base_access(const tlm::tlm_generic_payload& payload,
                                                    std::uint64_t bytes) {
    const std::uint64_t address = payload.get_address();
    const std::uint64_t length = payload.get_data_length();
    if (address >= bytes || length > bytes - address) {
        return {tlm::TLM_ADDRESS_ERROR_RESPONSE, "beyond the memory; legal: inside it, as a whole"};
    }
    if (length == 0 || payload.get_data_ptr() == nullptr) {
        return {tlm::TLM_BURST_ERROR_RESPONSE, "no data; legal: a length above 0 and a pointer"};
    }
    if (payload.get_streaming_width() < length) {
        return {tlm::TLM_BURST_ERROR_RESPONSE,
                "streaming; legal: a streaming width of at least the length"};
    }
    if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0) {
        return {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
                "byte enables of length 0; legal: a length above 0, or no byte enables"};
    }
    return {};
}

/// What get_direct_mem_ptr() of a target returns that gives out no memory, at no address.
inline bool deny_direct_memory(tlm::tlm_generic_payload& request, tlm::tlm_dmi& dmi) {
    request.set_dmi_allowed(false);
    dmi.set_start_address(0);
    dmi.set_end_address(~sc_dt::uint64{0});
    dmi.allow_none();
    return false;
}

}  // namespace heddle::protocol
