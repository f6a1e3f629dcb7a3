// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "include/heddle/retire.h"
#include "models/base/bits.h"
#include "models/device/kernel_fault.h"
#include "models/device/program_table.h"
#include "models/iss/foreign/told.h"
#include "models/iss/lockstep_checker.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle::iss {
template <unsigned Lanes>
lockstep_checker<Lanes>::lockstep_checker(lockstep_parts parts)
    : lockstep_transactions<Lanes>(std::move(parts)),
      private_bytes_(parts_.machine.smx.private_bytes),
      private_backing_(std::size_t{parts_.machine.smx_count} * slots_ * Lanes * private_bytes_ + 1),
      written_backing_(std::size_t{parts_.machine.smx_count} * slots_ * Lanes * private_bytes_ / 4 +
                       1),
      memory_(private_backing_, parts_.ranges, private_bytes_),
      blocks_(std::size_t{parts_.machine.smx_count} * parts_.machine.smx.max_blocks),
      spare_warps_(private_bytes_),
      order_(parts_.machine.smx_count, parts_.order_by_warp ? slots_ : 0, parts_.turns_together),
      forgot_(parts_.machine.smx_count, write_history::never) {
    const std::size_t words = std::size_t{private_bytes_} / 4 * Lanes;
    auto* word = reinterpret_cast<std::uint32_t*>(private_backing_.data());
    auto* written = reinterpret_cast<std::uint8_t*>(written_backing_.data());
    for (warp_type& w : warps_) {
        w.state.private_words = word;
        w.written = written;
        w.state.lowest_private_offset = private_bytes_;
        word += words;
        written += words;
    }
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::wrote(std::uint32_t address, const void* from, std::size_t bytes) {
    history_.set(address, from, bytes);
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::launched(const prepared_launch& launch) {
    const std::size_t instructions = launch.kernel->code.instructions.size();
    if (instructions > most_instructions_) {
        most_instructions_ = instructions;
        memory_.allocations_changed(instructions);
    }
    grids_[launch.id] = std::make_unique<followed_grid>(launch, parts_.machine.smx_count);
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::settled() {
    if (stopped_) return;
    for (const auto& [id, g] : grids_) {
        const std::string missing = end_refusal(*g);
        if (missing.empty()) continue;
        return stop(error_kind::wrong_result,
                    fmt::format("difference from the functional simulator: launch {} of kernel "
                                "'{}' has ended with {}",
                                to_text(id), g->of.launch.kernel->name, missing));
    }
    if (const auto lost = history_.settle(parts_.memory)) {
        const source& by = sources_[lost->by.source];
        const grid& g = grids_.at(by.launch)->of;
        simt::block_identity block;
        block.index = simt::unflatten(by.block, g.launch.shape.grid);
        block.block = g.launch.shape.block;
        const device_location at =
            simt::locate_lane(g.launch.kernel->name, block, by.warp, Lanes, lost->by.lane, by.pc);
        return stop(
            error_kind::wrong_result,
            fmt::format("difference from the functional simulator: after launch {} memory holds "
                        "0x{:08x} at 0x{:08x}; possible: 0x{:08x}, stored by '{}'\n  at {}",
                        to_text(by.launch), lost->found, lost->expected.address,
                        lost->expected.value,
                        isa::disassemble(g.launch.kernel->code.at(by.pc), by.pc),
                        at.text(*g.launch.program->image)),
            lockstep_place{by.launch, by.block, by.warp, lost->by.lane, 0, by.pc});
    }
    chains_.clear();
    sources_.clear();
    grids_.clear();
}

template <unsigned Lanes>
followed_warp<Lanes>* lockstep_checker<Lanes>::begin(const lockstep_step& s) {
    warp_type& w = warp_at(s.sm, s.slot);
    const bool ended = w.in == nullptr || w.state.live == 0;
    if (ended || s.lanes == 0) {
        stop(error_kind::wrong_result,
             fmt::format("difference from the functional simulator at cycle {}: SMX {} executes PC "
                         "0x{:08x} in warp slot {}, {}",
                         s.time, s.sm, s.pc, s.slot,
                         ended ? "whose threads have ended" : "for none of its threads"));
        return nullptr;
    }
    const program::kernel_code& code = w.in->state.of->launch.kernel->code;
    if (parts_.threads_apart) {
        const lane_mask waits = w.transaction.lost() | w.transaction.beginning();
        if ((s.lanes & waits) != 0) {
            differ(s, w, bits::first(s.lanes & waits), "executes and waits for its transaction");
            return nullptr;
        }
        const auto wrong = w.paths.refuse(s.pc, s.lanes, w.state.live, w.in->state.threads, code);
        if (!wrong.text.empty()) {
            differ(s, w, wrong.lane, wrong.text);
            return nullptr;
        }
    } else if (!check_path(s, w)) {
        return nullptr;
    }
    if (!w.refused.empty()) {
        differ(s, w, bits::first(s.lanes), "goes on after an " + w.refused);
    } else if (check_hazards(s, w, code.at(s.pc)) && check_encoding(s, w, code.at(s.pc))) {
        w.last_time = s.time;
        if (!s.more) ++counts_.instructions;
        if (parts_.threads_apart) w.paths.begin(s.pc, s.lanes, w.state.stack);
        return &w;
    }
    return nullptr;
}

/// Whether the warp's reconvergence stack has these lanes at this PC now.
template <unsigned Lanes>
bool lockstep_checker<Lanes>::check_path(const lockstep_step& s, const warp_type& w) {
    const auto& top = w.state.stack.top();
    const unsigned lane = bits::first(top.lanes);
    const program::kernel_code& code = w.in->state.of->launch.kernel->code;
    if (s.pc != top.next_pc || !code.contains(s.pc)) {
        differ(s, w, lane,
               fmt::format("executes PC 0x{:08x}; expected: 0x{:08x}", s.pc, top.next_pc));
    } else if (s.lanes != top.lanes) {
        differ(s, w, lane,
               fmt::format("has the active lanes 0x{:0{}x}; expected: 0x{:0{}x}", s.lanes,
                           Lanes / 4, top.lanes, Lanes / 4));
    } else if (w.state.state == warp_state::in_call) {
        differ(s, w, lane, "goes on before its block's call has been answered");
    } else if (w.state.state == warp_state::at_barrier) {
        differ(s, w, lane,
               fmt::format("has passed a barrier that {} of {} threads have reached",
                           w.in->state.threads.waiting(), w.in->state.threads.live()));
    } else {
        return true;
    }
    return false;
}

template <unsigned Lanes>
bool lockstep_checker<Lanes>::check_hazards(const lockstep_step& s, const warp_type& w,
                                            const isa::instruction& i) {
    const bool ends = i.op == isa::opcode::exit;
    std::uint32_t touched = ends ? ~1u : source_mask(i);
    if (i.writes_register()) touched |= 1u << i.rd;
    for (; touched != 0; touched &= touched - 1) {
        const unsigned index = bits::first(touched);
        const lane_mask early = w.pending[index] & s.lanes;
        if (early == 0) continue;
        const char* const verb = ends                                 ? "ends before"
                                 : (source_mask(i) >> index & 1) != 0 ? "reads"
                                                                      : "overwrites";
        differ(s, w, bits::first(early),
               fmt::format("{} {}, whose load has not completed", verb, isa::register_name(index)));
        return false;
    }
    return true;
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::executed(const lockstep_step& s, const std::uint32_t* row) {
    if (stopped_) return;
    warp_type* const w = begin(s);
    if (w == nullptr) return;
    block_type& b = *w->in;
    const isa::instruction& i = b.state.of->launch.kernel->code.at(s.pc);
    if (w->undefined.any() && !follow_undefined(s, *w, i)) return;
    const bool legal =
        i.cls == isa::instruction_class::transaction || transaction_allows(*w, s.lanes, i, 0);
    if (!legal) {
        return differ(s, *w, bits::first(s.lanes),
                      "executes " + simt::in_transaction_text(i, s.pc));
    }
    if (i.cls == isa::instruction_class::transaction) return execute_transaction(s, *w, i);
    if (i.cls == isa::instruction_class::launch) return launched(s, *w, i, row);
    execution_counts ignored;
    const bool call =
        i.cls == isa::instruction_class::cooperation && i.op != isa::opcode::get_num_groups;
    if (parts_.threads_apart && (i.op == isa::opcode::barrier || call)) {
        // Without the others of their warp.
        ++w->state.instructions;
        w->paths.arrive(s.lanes, s.pc + 4);
        b.state.threads.arrive(s.lanes, ignored);
        b.state.call = i.op;
        if (check_told(s, *w, i) && b.state.threads.barrier_complete() && !call) {
            release_barrier(b, s.time);
        }
        return;
    }
    try {
        cpu_.run(b.state, w->state, 1, s.time - 1, ignored);
    } catch (const kernel_fault& fault) {
        const unsigned lane = bits::first(s.lanes);
        if (s.told != nullptr && s.told->fault == 0) {
            const std::string text = fault.what();  // its place is in the second line
            return told_fault(s, *w, lane, text.substr(0, text.find('\n')));
        }
        if (s.told != nullptr) {
            return stop(error_kind::kernel_fault, fault.what(), place_of(s, *w, lane));
        }
        return stop(error_kind::wrong_result,
                    fmt::format("difference from the functional simulator at cycle {}: the timed "
                                "machine executes what is illegal: {}",
                                s.time, fault.what()));
    }
    if (parts_.threads_apart) w->paths.end(w->state.stack);
    if (parts_.foreign && i.writes_register() && reads_own_state_of_core(i)) {
        bits::for_each(s.lanes,
                       [&](unsigned lane) { w->state.registers.x[i.rd][lane] = row[lane]; });
    }
    if (i.writes_register() && !check_row(s, *w, i.rd, row)) return;
    if (!check_told(s, *w, i)) return;
    if (b.state.threads.barrier_complete() && b.state.call == isa::opcode::barrier) {
        release_barrier(b, s.time);
    }
}

/// What a launch instruction answers is taken from the machine, as what a load answers: buffers,
/// streams and errors depend on the order of others.
template <unsigned Lanes>
void lockstep_checker<Lanes>::launched(const lockstep_step& s, warp_type& w,
                                       const isa::instruction& i, const std::uint32_t* row) {
    if (i.writes_register()) {
        std::uint32_t* const own = w.state.registers.x[i.rd];
        bits::for_each(s.lanes, [&](unsigned lane) { own[lane] = row[lane]; });
        if (!check_row(s, w, i.rd, row)) return;
    }
    ++w.state.instructions;
    w.state.stack.advance(s.pc + 4);
    if (parts_.threads_apart) w.paths.end(w.state.stack);
}

/// The registers that an undefined value reaches; false if it decides something.
template <unsigned Lanes>
bool lockstep_checker<Lanes>::follow_undefined(const lockstep_step& s, warp_type& w,
                                               const isa::instruction& i) {
    const bool decides = i.cls == isa::instruction_class::branch ||
                         i.cls == isa::instruction_class::jump_register ||
                         i.cls == isa::instruction_class::csr;
    for (std::uint32_t left = decides ? source_mask(i) : 0; left != 0; left &= left - 1) {
        if (!check_defined(s, w, bits::first(left), s.lanes, "depends on")) return false;
    }
    w.undefined.execute(i, w.state.registers, s.lanes);
    return true;
}

/// False if a register is undefined in one of the lanes.
template <unsigned Lanes>
bool lockstep_checker<Lanes>::check_defined(const lockstep_step& s, const warp_type& w,
                                            unsigned index, lane_mask lanes, const char* use) {
    const lane_mask undefined = w.undefined.of(index) & lanes;
    if (undefined == 0) return true;
    stop(
        error_kind::kernel_fault,
        "undefined value " +
            text(s, w, bits::first(undefined),
                 fmt::format("{} {}, whose value comes from private memory that this thread has "
                             "never written",
                             use, isa::register_name(index))) +
            "\n  loaded at " +
            simt::place_text(*w.in->state.of->launch.program->image, w.undefined.loaded_at(index)));
    return false;
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::release_barrier(block_type& b, std::uint64_t time) {
    for (warp<Lanes>* w : b.state.warps) {
        if (w->state == warp_state::at_barrier || w->state == warp_state::in_call) {
            w->state = warp_state::ready;
        }
    }
    if (parts_.threads_apart) {
        for (warp_type& w : warps_) {
            if (w.in == &b) w.paths.pass_barrier();
        }
    }
    if (parts_.foreign) {
        for (warp_type& w : warps_) {
            if (w.in != &b) continue;
            for (const auto& write : w.undrained_shared) history_.end(write.id, time);
            w.undrained_shared.clear();
        }
    }
    b.state.threads.release();
    b.races.barrier();
    ++b.untold_releases;
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::fenced(std::uint64_t time, std::uint32_t sm) {
    forgot_[sm] = time;
}

#define HEDDLE_INSTANTIATE(lanes) template class lockstep_checker<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

std::unique_ptr<lockstep> make_lockstep(lockstep_parts parts) {
    const unsigned lanes = parts.machine.warp_size;
    return isa::with_warp_size(lanes, [&](auto size) -> std::unique_ptr<lockstep> {
        return std::make_unique<lockstep_checker<size()>>(std::move(parts));
    });
}

}  // namespace heddle::iss
