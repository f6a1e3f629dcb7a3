// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/rtl_smx/retire_follower.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/bits.h"
#include "models/program/address_map.h"

namespace heddle::rtl_smx {

using kind = retire_record::kind;

const prepared_launch* retire_follower::launch_of(const retire_record& r) const {
    const auto found = std::find_if(launches_.begin(), launches_.end(),
                                    [&](const auto* l) { return l->id.value() == r.launch; });
    return found == launches_.end() ? nullptr : *found;
}

void retire_follower::wrong(const retire_record& r, const std::string& what) {
    report_(
        error_kind::wrong_result,
        fmt::format("launch {}, block {}, warp {} (slot {}), n {}, PC 0x{:08x}, lanes 0x{:08x}: {}",
                    r.launch, r.block, r.warp, r.slot, r.n, r.pc, r.active, what));
}

void retire_follower::follow(const retire_record& r) {
    if (launch_of(r) == nullptr) return wrong(r, "there is no such launch");
    const bool of_block =
        r.what == kind::block_begin || r.what == kind::block_end || r.what == kind::barrier_release;
    if (!of_block && r.slot >= warps_.size()) return wrong(r, "there is no such warp");
    switch (r.what) {
        case kind::step:
            return step(r);
        case kind::data:
            return data(r);
        case kind::drained:
            if (r.n != warps_[r.slot].n) return wrong(r, "its writes drain up to another step");
            return reference_.drained(r.time, r.core, r.slot, r.n);
        case kind::block_begin:
            return begin(r);
        case kind::block_end:
            return reference_.block_ended(r.core, r.slot);
        case kind::barrier_release:
            return;
    }
    wrong(r, "a record of no kind");
}

void retire_follower::begin(const retire_record& r) {
    const prepared_launch& launch = *launch_of(r);
    unsigned index = 0;
    bits::for_each(r.active, [&](unsigned slot) {
        if (slot >= warps_.size()) return;
        followed_warp& w = warps_[slot];
        w = {};
        w.pc = launch.kernel->entry;
        const auto threads = static_cast<std::uint32_t>(launch.shape.block.count());
        const std::uint32_t left = threads - std::min(threads, index++ * lanes);
        w.live = static_cast<std::uint32_t>(bits::below(std::min(lanes, left)));
        w.lanes = w.live;
        w.registers[2].fill(program::private_window.base + private_bytes_);
        w.registers[10].fill(launch.parameters);
    });
    reference_.block_started({r.time, r.core, r.slot, launch.id, r.block, r.active});
}

void retire_follower::step(const retire_record& r) {
    const prepared_launch& launch = *launch_of(r);
    followed_warp& w = warps_[r.slot];
    if (r.n != w.n + 1) {
        return wrong(r, fmt::format("its step before was number {}", w.n));
    }
    if (r.pc != w.pc || r.active != w.lanes) {
        return wrong(
            r, fmt::format("its step before says PC 0x{:08x}, lanes 0x{:08x}", w.pc, w.lanes));
    }
    const program::kernel_code& code = launch.kernel->code;
    const bool exists = code.contains(r.pc);
    if (r.fault != 0) {
        return report_(
            error_kind::kernel_fault,
            fmt::format("fault {} at launch {}, block {}, warp {}, PC 0x{:08x}, lanes 0x{:08x}",
                        r.fault, r.launch, r.block, r.warp, r.pc, r.active));
    }
    if (!exists || r.word != code.at(r.pc).raw) {
        return wrong(r, fmt::format("executes the word 0x{:08x}; expected: {}", r.word,
                                    exists ? fmt::format("0x{:08x}", code.at(r.pc).raw) : "none"));
    }
    ++steps_;
    ++w.n;
    w.pc = r.next_pc;
    w.lanes = r.next_lanes;
    const isa::instruction& i = code.at(r.pc);
    if (i.op == isa::opcode::exit) w.live &= ~r.active;
    if (r.live != w.live) return wrong(r, fmt::format("threads 0x{:08x} live", r.live));
    iss::lockstep_step s{r.time, r.core, r.slot, r.n, r.pc, r.active, false};
    if (i.is_memory()) {
        if (i.cls != isa::instruction_class::store) {
            w.access = r.n;
            w.missing = r.active;
            w.refused = !all_legal(r, i);
        }
        return reference_.accessed(s, {r.address.data(), r.data.data(), r.compare.data()});
    }
    const std::uint32_t rd = i.writes_register() ? i.rd : 0;
    if (r.rd != rd || r.known != (rd == 0 ? 0 : r.active)) {
        return wrong(r,
                     fmt::format("writes x{} in lanes 0x{:08x}; expected: x{}", r.rd, r.known, rd));
    }
    row& destination = w.registers[rd];
    bits::for_each(r.known, [&](unsigned lane) { destination[lane] = r.value[lane]; });
    // Clocks are the core's own: the reference takes them.
    const bool clock = i.cls == isa::instruction_class::csr && rd != 0 &&
                       (i.imm == 0xc00 || i.imm == 0xc01 || i.imm == 0xcd8);
    if (clock) {
        const auto low = static_cast<std::uint32_t>(r.time);
        s.time = r.time - (low - r.value[bits::first(r.active)]);
    }
    reference_.executed(s, rd == 0 ? nullptr : destination.data());
}

bool retire_follower::all_legal(const retire_record& r, const isa::instruction& i) const {
    const bool writes = i.cls == isa::instruction_class::atomic && i.op != isa::opcode::lr_w;
    bool legal = true;
    bits::for_each(r.active, [&](unsigned lane) {
        const std::uint32_t address = r.address[lane];
        const bool global =
            !program::shared_window.contains(address) && !program::private_window.contains(address);
        if (global && !legal_(address, i.access_bytes(), writes)) legal = false;
    });
    return legal;
}

void retire_follower::data(const retire_record& r) {
    followed_warp& w = warps_[r.slot];
    if (r.fault != 0) {
        return report_(error_kind::kernel_fault,
                       fmt::format("fault {} at launch {}, block {}, warp {}, n {}, lanes 0x{:08x}",
                                   r.fault, r.launch, r.block, r.warp, r.n, r.known));
    }
    if (r.n != w.access || (r.known & ~w.missing) != 0) {
        return wrong(r, fmt::format("values for x{} in lanes 0x{:08x} that no access waits for",
                                    r.rd, r.known));
    }
    // The reference waits for no value of an illegal access, and for no further step.
    if (w.refused) return;
    w.missing &= ~r.known;
    reference_.loaded(r.time, r.core, r.slot, r.n, r.known, r.value.data());
    if (r.rd != 0) {
        row& destination = w.registers[r.rd];
        bits::for_each(r.known, [&](unsigned lane) { destination[lane] = r.value[lane]; });
    }
    if (w.missing != 0) return;
    reference_.completed(r.time, r.core, r.slot, r.n,
                         [&w](unsigned index) { return w.registers[index].data(); });
}

}  // namespace heddle::rtl_smx
