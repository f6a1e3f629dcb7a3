// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/special_registers.h"

#include <algorithm>

namespace heddle::simt {
namespace {

/// Value of a CSR that is the same in all threads of a warp.
std::uint64_t read_uniform(isa::csr which, const csr_context& context, unsigned lanes) noexcept {
    using isa::csr;
    const block_identity& id = context.block;
    switch (which) {
        case csr::ctaid_x:
            return id.index.x;
        case csr::ctaid_y:
            return id.index.y;
        case csr::ctaid_z:
            return id.index.z;
        case csr::ntid_x:
            return id.block.x;
        case csr::ntid_y:
            return id.block.y;
        case csr::ntid_z:
            return id.block.z;
        case csr::nctaid_x:
            return id.grid.x;
        case csr::nctaid_y:
            return id.grid.y;
        case csr::nctaid_z:
            return id.grid.z;
        case csr::warpid:
            return context.warp;
        case csr::nwarps:
            return (id.threads() + lanes - 1) / lanes;
        case csr::smid:
            return id.sm;
        case csr::warpsize:
            return lanes;
        case csr::gridid:
            return id.gridid;
        case csr::dynamic_shared_base:
            return id.dynamic_shared_base;
        case csr::dynamic_shared_size:
            return id.dynamic_shared_bytes;
        case csr::goff_x:
            return id.offset.x;
        case csr::goff_y:
            return id.offset.y;
        case csr::goff_z:
            return id.offset.z;
        case csr::workdim:
            return id.dimensions;
        case csr::cycle:
        case csr::time:
        case csr::clock:
            return context.clock;
        case csr::cycleh:
        case csr::timeh:
        case csr::clockh:
            return context.clock >> 32;
        case csr::instret:
            return context.instructions;
        case csr::instreth:
            return context.instructions >> 32;
        default:
            return 0;  // fflags
    }
}

}  // namespace

dim3 unflatten(std::uint64_t linear, const dim3& extent) noexcept {
    return {static_cast<std::uint32_t>(linear % extent.x),
            static_cast<std::uint32_t>(linear / extent.x % extent.y),
            static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

void read_csr(isa::csr which, const csr_context& context, unsigned lanes, const std::uint8_t* frm,
              std::uint32_t* values) noexcept {
    using isa::csr;
    const auto thread = [&](unsigned lane) {
        return unflatten(std::uint64_t{context.warp} * lanes + lane, context.block.block);
    };
    const auto fill = [&](auto value) {
        for (unsigned lane = 0; lane < lanes; ++lane) values[lane] = value(lane);
    };
    switch (which) {
        case csr::tid_x:
            return fill([&](unsigned lane) { return thread(lane).x; });
        case csr::tid_y:
            return fill([&](unsigned lane) { return thread(lane).y; });
        case csr::tid_z:
            return fill([&](unsigned lane) { return thread(lane).z; });
        case csr::laneid:
            return fill([](unsigned lane) { return lane; });
        case csr::instret:
        case csr::instreth:
            if (context.thread_instructions == nullptr) break;
            return fill([&](unsigned lane) {
                const std::uint64_t count = context.thread_instructions[lane];
                return static_cast<std::uint32_t>(which == csr::instret ? count : count >> 32);
            });
        case csr::frm:
            return fill([&](unsigned lane) { return frm[lane]; });
        case csr::fcsr:
            return fill([&](unsigned lane) { return static_cast<std::uint32_t>(frm[lane] << 5); });
        default:
            break;
    }
    std::fill_n(values, lanes, static_cast<std::uint32_t>(read_uniform(which, context, lanes)));
}

}  // namespace heddle::simt
