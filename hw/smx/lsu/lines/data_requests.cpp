// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/lines/data_requests.h"

namespace heddle {

memory_request& data_requests::make(const memory_source& source, warp_slot warp,
                                    protocol::memory_kind kind, std::uint32_t address,
                                    unsigned length) {
    memory_request& request = port_.make();
    request.prepare(kind, address, length);
    protocol::memory_access& access = request.access();
    access.launch = source.launch;
    access.warp = warp;
    access.slot = source.slot;
    access.block = source.block;
    return request;
}

}  // namespace heddle
