// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/issue_table.h"

#include "hw/smx/pipeline/operand_collector.h"
#include "models/program/address_map.h"

namespace heddle {

using isa::instruction_class;
using isa::opcode;

register_mask source_registers(const isa::instruction& i) noexcept {
    register_mask sources = register_bit(i.rs1) | register_bit(i.rs2) | register_bit(i.rs3);
    const bool immediate =
        i.op == opcode::csrrwi || i.op == opcode::csrrsi || i.op == opcode::csrrci;
    if (immediate) sources = 0;  // rs1 holds the operand itself
    return sources & ~register_bit(0);
}

unit_class unit_of(const isa::instruction& i) noexcept {
    switch (i.cls) {
        case instruction_class::multiply:
            return unit_class::multiply;
        case instruction_class::divide:
            return unit_class::divide;
        case instruction_class::floating:
            return unit_class::floating;
        case instruction_class::floating_divide:
            return unit_class::floating_divide;
        case instruction_class::special:
            return unit_class::special;
        case instruction_class::load:
        case instruction_class::store:
        case instruction_class::atomic:
            return unit_class::memory;
        default:
            return unit_class::integer;
    }
}

issue_info describe_issue(const isa::instruction& i,
                          const smx_configuration& configuration) noexcept {
    constexpr register_mask all = ~register_bit(0);
    const register_mask sources = source_registers(i);
    issue_info info;
    info.operands = sources | (i.writes_register() ? register_bit(i.rd) : 0);
    info.unit = unit_of(i);
    info.extra_read_cycles =
        static_cast<std::uint8_t>(extra_read_cycles(sources, configuration.register_banks));
    const bool ends_warp = i.op == opcode::exit;
    // A thread that ends must not receive a late result: its slot is given to the next block.
    // Barrel issue has one instruction of a thread in flight.
    if (ends_warp || configuration.barrel) info.operands = all;
    info.ends_fetch = i.is_control_flow() || ends_warp || i.op == opcode::tx_commit;
    return info;
}

void issue_table::add(const program::kernel_code& code, const smx_configuration& configuration,
                      bool constants) {
    const std::size_t first = program::code_position(code.base);
    const std::size_t count = code.instructions.size();
    if (entries_.size() < first + count) entries_.resize(first + count);
    issue_info* const entries = entries_.data() + first;
    for (std::size_t at = 0; at < count; ++at) {
        const isa::instruction& i = code.instructions[at];
        entries[at] = describe_issue(i, configuration);
        entries[at].loads_constants = constants && (code.flags[at] & program::constant_load) != 0;
        classes_ |= 1U << static_cast<unsigned>(i.cls);
    }
    for (std::size_t at = count; at-- > 1;) {
        issue_info& before = entries[at - 1];
        const std::uint8_t run = entries[at].run;
        if (!before.ends_fetch) before.run = static_cast<std::uint8_t>(run == 255 ? 255 : run + 1);
    }
}

}  // namespace heddle
