// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Loads, stores and atomics of the lock-step simulation: when they issue.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/base/bits.h"
#include "models/device/access_check.h"
#include "models/device/program_table.h"
#include "models/iss/lockstep_checker.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle::iss {
namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;
using program::private_window;
using program::shared_window;

}  // namespace

template <unsigned Lanes>
bool lockstep_checker<Lanes>::check_operands(const lockstep_step& s, const warp_type& w,
                                             const instruction& i, const std::uint32_t* address,
                                             const lockstep_operands& operands) {
    const auto& x = w.state.registers.x;
    const auto same = [&](const char* what, const std::uint32_t* found, const std::uint32_t* own) {
        for (lane_mask left = s.lanes; left != 0; left &= left - 1) {
            const unsigned lane = bits::first(left);
            if (found[lane] == own[lane]) continue;
            differ(s, w, lane,
                   fmt::format("has the {} 0x{:08x}; expected: 0x{:08x}", what, found[lane],
                               own[lane]));
            return false;
        }
        return true;
    };
    if (!same("address", operands.address, address)) return false;
    if (!writes(i)) return true;
    if (!same("operand", operands.data, x[i.rs2])) return false;
    return i.op != opcode::amocas_w || same("compared value", operands.compare, x[i.rs3]);
}

template <unsigned Lanes>
bool lockstep_checker<Lanes>::in_range(std::uint32_t address, unsigned bytes, bool write) {
    if (known_version_ != parts_.ranges.version() || !known_.contains(address, bytes)) {
        const allocation* const found = parts_.ranges.find(address, bytes);
        if (found == nullptr) return parts_.ranges.in_pool(address, write);
        known_ = *found;
        known_version_ = parts_.ranges.version();
    }
    return known_.writable || !write;
}

/// Why the access is illegal; empty if it is not.
template <unsigned Lanes>
std::string lockstep_checker<Lanes>::refusal(const instruction& i, std::uint32_t address,
                                             const block_type& b) {
    const unsigned bytes = i.access_bytes();
    const char* const verb = i.cls == instruction_class::load    ? "read"
                             : i.cls == instruction_class::store ? "write"
                                                                 : "atomic";
    if (address % bytes != 0) return misaligned_access_text(verb, address, bytes, parts_.ranges);
    bool legal = false;
    if (shared_window.contains(address)) {
        legal = std::uint64_t{address} - shared_window.base + bytes <= b.state.shared.size();
    } else if (private_window.contains(address)) {
        legal = std::uint64_t{address} - private_window.base + bytes <= private_bytes_;
    } else {
        legal = in_range(address, bytes, writes(i));
    }
    if (legal) return {};
    const auto shared = static_cast<std::uint32_t>(b.state.shared.size());
    return illegal_access_text(verb, address, bytes, {shared, private_bytes_, parts_.ranges});
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::accessed(const lockstep_step& s, const lockstep_operands& operands) {
    if (stopped_) return;
    warp_type* const w = begin(s);
    if (w == nullptr) return;
    order_.begin(s, operands.places);
    const program::kernel_code& code = w->in->state.of->launch.kernel->code;
    const instruction& i = code.at(s.pc);
    alignas(64) std::uint32_t address[Lanes];
    isa::effective_addresses<Lanes>(i, w->state.registers, address);
    if (!check_operands(s, *w, i, address, operands)) return;
    if (!check_defined(s, *w, i.rs1, s.lanes, "uses the address in")) return;

    lane_mask global = 0;
    lane_mask shared = 0;
    lane_mask visible = s.lanes;  // to other threads
    lane_mask stale = 0;
    lane_mask undefined = 0;
    for (lane_mask left = s.lanes; left != 0; left &= left - 1) {
        const unsigned lane = bits::first(left);
        w->refused = refusal(i, address[lane], *w->in);
        if (!transaction_allows(*w, s.lanes, i, address[lane])) {
            w->refused = simt::in_transaction_text(i, s.pc);
        }
        if (!w->refused.empty()) {  // and the machine has to say so
            gathered_.drop();
            return told_fault(s, *w, lane, w->refused);
        }
        if (shared_window.contains(address[lane])) {
            shared |= lane_mask{1} << lane;
            if (w->transaction.active(s.lanes)) continue;
            note_shared(s, *w, i, lane, address[lane] - shared_window.base);
            if (!parts_.foreign) continue;
            global |= lane_mask{1} << lane;
            address[lane] += w->in->shared_base - shared_window.base;
        } else if (private_window.contains(address[lane])) {
            visible &= ~(lane_mask{1} << lane);
            note_private(*w, i, lane, address[lane] - private_window.base, stale, undefined);
        } else {
            global |= lane_mask{1} << lane;
        }
    }
    if (i.cls != instruction_class::store) visible = s.lanes;  // an atomic computes with it
    for (const unsigned index : {i.rs2, i.rs3}) {
        if (writes(i) && !check_defined(s, *w, index, visible, "gives other threads")) return;
    }
    // Atomics are made at once: they are outside of transactions.
    const bool waits = w->in->has_transactions && i.cls != instruction_class::atomic;
    const lane_mask later = waits ? shared : 0;
    const lane_mask local = s.lanes & ~global & ~later;
    if (writes(i) && global != 0) {
        std::uint64_t horizon = flying_.empty() ? s.time : flying_.begin()->first;
        if (parts_.foreign) horizon = std::min(horizon, horizon_of_warps());
        if (parts_.stale_loads && (global & ~shared) != 0) {
            horizon = std::min(horizon, *std::min_element(forgot_.begin(), forgot_.end()));
        }
        history_.set_horizon(horizon);
    }
    if (i.cls == instruction_class::store) {
        if (later != 0) put_off(s, *w, i, address, later);
        if (global != 0) store(s, *w, i, address, global);
    } else {
        take_off(s, *w, i, address, global, stale);  // operands before results
        w->flights.back()->in_shared = later;
        w->undefined.write(i.rd, s.lanes, undefined, s.pc);
    }
    const bool gathers = operands.places != nullptr && i.cls != instruction_class::load;
    const lane_mask gathered = gathers ? local & shared : 0;
    gathered_.add(*w, gathered, order_.places());
    if (local != gathered) make(i, s.pc, *w, local & ~gathered);
    if (!s.more) {
        gathered_.take_effect([&](warp_type& by, lane_mask lane) { make(i, s.pc, by, lane); });
    }
    ++w->state.instructions;
    w->state.stack.advance(s.pc + 4);
    if (parts_.threads_apart) w->paths.end(w->state.stack);
    check_told(s, *w, i);
}

/// Some lanes access shared or private memory.
template <unsigned Lanes>
void lockstep_checker<Lanes>::make(const instruction& i, std::uint32_t pc, warp_type& w,
                                   lane_mask lanes) {
    block<Lanes>& in = w.in->state;
    const std::size_t position = in.of->launch.kernel->code.index(pc);
    if (i.cls == instruction_class::store) {
        memory_.store(i, position, in, w.state, lanes);
    } else if (i.cls == instruction_class::load) {
        memory_.load(i, position, in, w.state, lanes);
    } else {
        memory_.atomic(i, in, w.state, lanes);
    }
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::note_shared(const lockstep_step& s, const warp_type& w,
                                          const instruction& i, unsigned lane,
                                          std::uint32_t offset) {
    const auto kind = i.cls == instruction_class::load    ? shared_races::kind::read
                      : i.cls == instruction_class::store ? shared_races::kind::write
                                                          : shared_races::kind::atomic;
    const bool changes = i.cls != instruction_class::store || parts_.foreign ||
                         std::memcmp(&w.in->state.shared[offset], &w.state.registers.x[i.rs2][lane],
                                     i.access_bytes()) != 0;
    const auto warp = static_cast<std::uint16_t>(w.state.index);
    const auto other = w.in->races.note(offset, kind, {warp, s.pc}, changes);
    if (!other || counts_.shared_races++ != 0) return;
    const program::kernel_code& code = w.in->state.of->launch.kernel->code;
    counts_.first_shared_race =
        text(s, w, lane,
             fmt::format("and warp {}'s '{}' without a barrier between them, shared byte {}",
                         other->warp, isa::disassemble(code.at(other->pc), other->pc), offset));
    counts_.first_shared_race +=
        "\n  and " + simt::place_text(*w.in->state.of->launch.program->image, other->pc);
}

/// What a store leaves in private memory is as defined as the register. A load gets bytes that are
/// not (`stale`), of which the machine's are as good, or no others (`undefined`).
template <unsigned Lanes>
void lockstep_checker<Lanes>::note_private(warp_type& w, const instruction& i, unsigned lane,
                                           std::uint32_t offset, lane_mask& stale,
                                           lane_mask& undefined) {
    std::uint8_t& defined = w.written[std::size_t{offset / 4} * Lanes + lane];
    const unsigned wanted = ((1u << i.access_bytes()) - 1) << offset % 4;
    const lane_mask self = lane_mask{1} << lane;
    if (writes(i) && (w.transaction.running() & self) != 0) {
        const std::uint32_t index = offset / 4 * Lanes + lane;
        w.transaction.keep_private(lane, index, w.state.private_words[index], defined);
    }
    if (writes(i)) {
        const bool stores_undefined =
            i.cls == instruction_class::store && (w.undefined.of(i.rs2) & self) != 0;
        defined =
            static_cast<std::uint8_t>(stores_undefined ? defined & ~wanted : defined | wanted);
    } else if ((defined & wanted) != wanted) {
        stale |= self;
        if ((defined & wanted) == 0) undefined |= self;  // else a copy of an object with padding
    }
}

template <unsigned Lanes>
std::uint32_t lockstep_checker<Lanes>::new_source(const lockstep_step& s, const warp_type& w) {
    sources_.push_back({w.in->state.of->launch.id, w.in->index, w.state.index, s.pc});
    return static_cast<std::uint32_t>(sources_.size() - 1);
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::store(const lockstep_step& s, warp_type& w, const instruction& i,
                                    const std::uint32_t* address, lane_mask lanes) {
    const std::uint32_t by = new_source(s, w);
    bits::for_each(lanes, [&](unsigned lane) {
        const word_part part = part_of(i, address[lane], w.state.registers.x[i.rs2][lane]);
        chains_.disturb(part.address);
        const auto write =
            history_.begin(part, order_.at(s, lane), s.time, {by, static_cast<std::uint8_t>(lane)});
        const bool shared = shared_window.contains(part.address);
        (shared ? w.undrained_shared : w.undrained).push_back({write, s.number});
    });
}

/// A load or atomic is under way from now on.
template <unsigned Lanes>
void lockstep_checker<Lanes>::take_off(const lockstep_step& s, warp_type& w, const instruction& i,
                                       const std::uint32_t* address, lane_mask global,
                                       lane_mask stale) {
    if (spare_.empty()) spare_.push_back(std::make_unique<flight_type>());
    std::unique_ptr<flight_type> owned = std::move(spare_.back());
    spare_.pop_back();
    flight_type& f = *owned;
    w.flights.push_back(std::move(owned));
    f.number = s.number;
    f.pc = s.pc;
    f.instruction = &i;
    f.lanes = s.lanes;
    f.delivered = 0;
    f.returned = 0;
    f.excused = 0;
    f.global = global;
    f.stale = stale;
    f.place = order_.places();
    std::copy_n(address, Lanes, f.address.begin());
    if (i.writes_register()) w.pending[i.rd] |= s.lanes;
    if (global == 0) return;
    f.as = {order_.at(s), s.time};
    f.issued = s.time;
    bool cached = false;
    bits::for_each(global,
                   [&](unsigned lane) { cached |= !shared_window.contains(address[lane]); });
    if (parts_.stale_loads && i.cls == instruction_class::load && !i.bypasses_l1() && cached) {
        f.as.from = std::min(f.as.from, forgot_[s.sm]);
    }
    ++flying_[f.as.from];
    if (!writes(i)) return;
    const std::uint32_t by = new_source(s, w);
    std::copy_n(w.state.registers.x[i.rs2], Lanes, f.data.begin());
    std::copy_n(w.state.registers.x[i.rs3], Lanes, f.compare.begin());
    const bool atomic = i.op != opcode::sc_w;
    bits::for_each(global, [&](unsigned lane) {
        const std::uint32_t word = address[lane];
        if (!atomic) {
            chains_.disturb(word);
        } else {
            chains_.began(word, [&] { return history_.store_under_way(word); });
        }
        f.write[lane] = history_.begin_unknown(word, order_.at(s, lane), s.time,
                                               {by, static_cast<std::uint8_t>(lane)}, atomic);
    });
}

#define HEDDLE_INSTANTIATE(lanes) template class lockstep_checker<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
