// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/data_requests.h"

namespace heddle {

memory_request& data_requests::make(const memory_instruction& m, warp_slot warp,
                                    protocol::memory_kind kind, std::uint32_t address,
                                    unsigned length) {
    memory_request& request = port_.make();
    request.prepare(kind, address, length);
    request.back.requester = &requester_;
    protocol::memory_access& access = request.access();
    access.launch = m.launch;
    access.warp = warp;
    access.slot = m.block;
    access.block = m.block_index;
    return request;
}

}  // namespace heddle
