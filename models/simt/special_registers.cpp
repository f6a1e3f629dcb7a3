// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/special_registers.h"

#include <algorithm>

namespace heddle::simt {
namespace {

/// Value of a CSR that is the same in all threads of the block; false if it is none of these.
bool read_uniform(isa::csr which, const block_identity& id, unsigned lanes,
                  std::uint32_t& value) noexcept {
    using isa::csr;
    switch (which) {
        case csr::ctaid_x:
            value = id.index.x;
            return true;
        case csr::ctaid_y:
            value = id.index.y;
            return true;
        case csr::ctaid_z:
            value = id.index.z;
            return true;
        case csr::ntid_x:
            value = id.block.x;
            return true;
        case csr::ntid_y:
            value = id.block.y;
            return true;
        case csr::ntid_z:
            value = id.block.z;
            return true;
        case csr::nctaid_x:
            value = id.grid.x;
            return true;
        case csr::nctaid_y:
            value = id.grid.y;
            return true;
        case csr::nctaid_z:
            value = id.grid.z;
            return true;
        case csr::nwarps:
            value = (id.threads() + lanes - 1) / lanes;
            return true;
        case csr::smid:
            value = id.sm;
            return true;
        case csr::warpsize:
            value = lanes;
            return true;
        case csr::gridid:
            value = id.launch;
            return true;
        case csr::dynamic_shared_base:
            value = id.dynamic_shared_base;
            return true;
        case csr::dynamic_shared_size:
            value = id.dynamic_shared_bytes;
            return true;
        default:
            return false;
    }
}

}  // namespace

dim3 unflatten(std::uint64_t linear, const dim3& extent) noexcept {
    return {static_cast<std::uint32_t>(linear % extent.x),
            static_cast<std::uint32_t>(linear / extent.x % extent.y),
            static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

bool read_identity(isa::csr which, const block_identity& identity, unsigned warp, unsigned lanes,
                   std::uint32_t* values) noexcept {
    using isa::csr;
    std::uint32_t uniform = 0;
    if (which == csr::warpid || read_uniform(which, identity, lanes, uniform)) {
        std::fill_n(values, lanes, which == csr::warpid ? warp : uniform);
        return true;
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const dim3 thread = unflatten(std::uint64_t{warp} * lanes + lane, identity.block);
        switch (which) {
            case csr::tid_x:
                values[lane] = thread.x;
                break;
            case csr::tid_y:
                values[lane] = thread.y;
                break;
            case csr::tid_z:
                values[lane] = thread.z;
                break;
            case csr::laneid:
                values[lane] = lane;
                break;
            default:
                return false;
        }
    }
    return true;
}

}  // namespace heddle::simt
