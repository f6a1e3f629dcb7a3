// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/instruction_needs.h"

#include <algorithm>
#include <map>

namespace heddle::smx_reference {

using isa::instruction_class;
using isa::opcode;

namespace {

std::set<unsigned> sources_of(const isa::instruction& i) {
    // The field rs1 of these holds the operand itself.
    if (i.op == opcode::csrrwi || i.op == opcode::csrrsi || i.op == opcode::csrrci) return {};
    std::set<unsigned> all{i.rs1, i.rs2, i.rs3};
    all.erase(0);
    return all;
}

}  // namespace

std::set<unsigned> operands_of(const isa::instruction& i, bool barrel) {
    std::set<unsigned> all = sources_of(i);
    if (i.op == opcode::exit || barrel) {
        for (unsigned r = 1; r <= isa::sink_register; ++r) all.insert(r);
    }
    if (i.writes_register()) all.insert(i.rd);
    return all;
}

unsigned conflicts_of(const isa::instruction& i, unsigned slot, unsigned banks) {
    std::map<unsigned, unsigned> reads;
    unsigned most = 1;
    for (const unsigned r : sources_of(i)) most = std::max(most, ++reads[(r + slot) % banks]);
    return most - 1;
}

unit_class class_of(const isa::instruction& i) {
    switch (i.cls) {
        case instruction_class::load:
        case instruction_class::store:
        case instruction_class::atomic:
            return unit_class::memory;
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
        default:
            return unit_class::integer;
    }
}

}  // namespace heddle::smx_reference
