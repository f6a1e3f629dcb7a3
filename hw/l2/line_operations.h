// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <tlm>

#include "hw/l2/l2_configuration.h"
#include "hw/l2/line_store.h"
#include "hw/l2/reservations.h"
#include "hw/protocol/byte_mask.h"
#include "hw/protocol/memory_access.h"

namespace heddle {

/// What one transaction of memory_link does to one line; no state.

/// Why a request is refused; status is TLM_OK_RESPONSE if it is not.
struct request_refusal {
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    const char* reason = "";
};
/// Beyond 4 GiB, in another bank, crossing a line, misaligned (ADDRESS or BURST_ERROR), streaming
/// (BURST_ERROR), byte enables of the base protocol, an empty mask or one beyond the access
/// (BYTE_ENABLE_ERROR), command and kind that do not fit, no atomic operation (COMMAND_ERROR), no
/// extension (GENERIC_ERROR).
[[nodiscard]] request_refusal check_request(const tlm::tlm_generic_payload& payload,
                                            const l2_configuration& configuration,
                                            const l2_partition& partition, std::uint32_t bank);

/// Whether the access may change the line.
[[nodiscard]] bool writes(const protocol::memory_access& access);
/// Bytes of the line that the access has to find valid; none for a store.
[[nodiscard]] byte_mask bytes_read(const tlm::tlm_generic_payload& payload,
                                   const protocol::memory_access& access, unsigned line_bytes);

/// Cycles for which an access keeps its bank. l2.port_bytes of data pass in a cycle. The atomic
/// unit serves l2.atomic_lanes in a cycle, and a word once in l2.atomic_interval.
[[nodiscard]] std::uint32_t bank_cycles(const tlm::tlm_generic_payload& payload,
                                        const protocol::memory_access& access,
                                        const l2_configuration& configuration) noexcept;

/// Performs an access on the line's data and masks, which has the bytes_read(). Atomics take the
/// lanes in the order of their list. Returns whether a value has changed that other threads may
/// wait for, or may have changed because the line did not hold it; private data are written back by
/// `write_back` and are no such values.
bool perform_access(tlm::tlm_generic_payload& payload, protocol::memory_access& access,
                    line_store::state& line, std::uint8_t* data, unsigned line_bytes,
                    reservations& reserved);

}  // namespace heddle
