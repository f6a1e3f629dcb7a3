// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/retired_text.h"

#include <iterator>

#include "models/base/bits.h"
#include "models/device/launch_id.h"
#include "models/isa/instruction.h"

namespace heddle {
namespace {

launch_id launch_of(std::uint32_t value) {
    const std::uint32_t launcher = value / (launch_id::most + 1);  // 0: the host
    const std::uint32_t count = value & launch_id::most;
    return launcher == 0 ? launch_id(count) : launch_id(sm_id(launcher - 1), count);
}

void append_values(fmt::memory_buffer& to, const std::uint32_t* values, isa::lane_mask lanes) {
    if (lanes == 0) return;
    const std::uint32_t base = values[bits::first(lanes)];
    const isa::lane_mask rest = lanes & (lanes - 1);
    const std::uint32_t stride = rest != 0 ? values[bits::first(rest)] - base : 0;
    bool regular = true;
    std::uint32_t expected = base;
    for (isa::lane_mask left = lanes; left != 0; left &= left - 1) {
        regular &= values[bits::first(left)] == expected;
        expected += stride;
    }
    auto end = std::back_inserter(to);
    if (regular && stride == 0) {
        fmt::format_to(end, "{:x}", base);
    } else if (regular && (rest & (rest - 1)) != 0) {
        // Two values are shorter than a rule for them.
        fmt::format_to(end, "{:x}+{:x}", base, stride);
    } else {
        const char* separator = "";
        for (isa::lane_mask left = lanes; left != 0; left &= left - 1) {
            fmt::format_to(end, "{}{:x}", separator, values[bits::first(left)]);
            separator = ",";
        }
    }
}

/// In the place of the instruction; null: it is a step.
const char* event_of(const heddle_retired& retired) {
    switch (retired.kind) {
        case HEDDLE_STEP:
            return nullptr;
        case HEDDLE_DATA:
            return "data";
        case HEDDLE_DRAINED:
            return "drained";
        case HEDDLE_FENCED:
            return "fenced";
        case HEDDLE_BLOCK_BEGIN:
            return "block begins";
        case HEDDLE_BLOCK_END:
            return "block ends";
        case HEDDLE_BLOCK_SUSPEND:
            return "block leaves";
        case HEDDLE_BLOCK_RESUME:
            return "block is back";
        case HEDDLE_TRANSACTION:
            return "transaction";
        default:
            return "barrier released";
    }
}

void append_result(fmt::memory_buffer& to, const heddle_retired& retired) {
    if (retired.access == HEDDLE_STORE) {
        append_values(to, retired.data, retired.lanes);
    } else if (retired.rd != 0 && retired.kind == HEDDLE_STEP && retired.known == 0 &&
               retired.access != HEDDLE_NO_ACCESS) {
        fmt::format_to(std::back_inserter(to), "{}=?", isa::register_name(retired.rd));
    } else if (retired.rd != 0) {
        fmt::format_to(std::back_inserter(to), "{}=", isa::register_name(retired.rd));
        append_values(to, retired.value, retired.lanes);
    } else {
        to.push_back('-');
    }
}

}  // namespace

std::string_view retired_columns() noexcept {
    return "cycle\tsmx\tslot\tlaunch\tblock\twarp\tn\tpc\tmask\tinstruction\taddress\tresult\n";
}

void append_retired_text(fmt::memory_buffer& to, const heddle_retired& retired) {
    const char* const event = event_of(retired);
    fmt::format_to(
        std::back_inserter(to), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t0x{:08x}\t{:0{}x}\t{}\t",
        retired.cycle, retired.smx, retired.slot, to_text(launch_of(retired.launch)), retired.block,
        retired.warp, retired.n, retired.pc, retired.lanes, retired.warp_size / 4,
        event != nullptr ? event : isa::disassemble(isa::decode(retired.word), retired.pc));
    if (retired.access == HEDDLE_NO_ACCESS) {
        to.push_back('-');
    } else {
        append_values(to, retired.address, retired.lanes);
    }
    to.push_back('\t');
    append_result(to, retired);
    to.push_back('\n');
}

}  // namespace heddle
