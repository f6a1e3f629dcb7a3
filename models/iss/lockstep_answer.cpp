// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Loads, stores and atomics of the lock-step simulation: what comes back of them.
#include <fmt/format.h>

#include <algorithm>

#include "models/base/bits.h"
#include "models/isa/atomic.h"
#include "models/iss/lockstep_checker.h"
#include "models/program/address_map.h"

namespace heddle::iss {

using isa::instruction;
using isa::opcode;

namespace {

/// The instruction of a flight, as it was issued.
template <unsigned Lanes>
lockstep_step step_of(const flight<Lanes>& f, std::uint64_t time, std::uint32_t sm, unsigned slot) {
    return {time, sm, slot, f.number, f.pc, f.lanes};
}

/// What a load or atomic at `address` may give.
std::string text_of(const write_history::possible_values& possible, const instruction& i,
                    std::uint32_t address) {
    std::string text;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
    for (const std::uint32_t word : possible.values) {
        add(fmt::format("0x{:08x}", isa::extend_loaded(i, word >> 8 * (address % 4))));
    }
    if (possible.others != 0) add(fmt::format("{} others", possible.others));
    if (possible.open) add("what an atomic under way leaves");
    return "; possible: " + text;
}

}  // namespace

template <unsigned Lanes>
void lockstep_checker<Lanes>::loaded(std::uint64_t time, std::uint32_t sm, unsigned slot,
                                     std::uint64_t number, lane_mask lanes,
                                     const std::uint32_t* values) {
    if (stopped_) return;
    warp_type& w = warp_at(sm, slot);
    const auto found = std::find_if(w.flights.begin(), w.flights.end(),
                                    [&](const auto& f) { return f->number == number; });
    if (found == w.flights.end() || (lanes & ~((*found)->lanes & ~(*found)->delivered)) != 0) {
        return stop(error_kind::wrong_result,
                    fmt::format("difference from the functional simulator at cycle {}: SMX {}, "
                                "warp slot {} gets values that none of its loads waits for",
                                time, sm, slot));
    }
    flight_type& f = **found;
    const instruction& i = *f.instruction;
    const lockstep_step s = step_of(f, time, sm, slot);
    f.delivered |= lanes;
    if (parts_.foreign && !writes(i) && !i.writes_register()) return;
    const lane_mask global = lanes & f.global;
    if ((lanes & f.in_shared) != 0) make_load(s, w, f, lanes & f.in_shared);
    std::uint32_t* const own = w.state.registers.x[i.rd];
    bits::for_each(lanes & ~f.global, [&](unsigned lane) {
        if ((f.stale >> lane & 1) != 0) own[lane] = values[lane];
        if (own[lane] == values[lane] || !i.writes_register()) return;
        differ(s, w, lane,
               fmt::format("gets 0x{:08x} from 0x{:08x}; expected: 0x{:08x}", values[lane],
                           f.address[lane], own[lane]));
    });
    if (global == 0 || stopped_) return;
    if (writes(i)) land_atomics(time, w, f, global, values, s);
    bits::for_each(global, [&](unsigned lane) {
        if (stopped_ || (i.op != opcode::sc_w && !judge(s, w, f, lane, values[lane]))) return;
        own[lane] = values[lane];
    });
    if (!writes(i)) return;
    bits::for_each(global, [&](unsigned lane) { judge_open(f.address[lane]); });
}

/// The atomics of some lanes have taken effect.
template <unsigned Lanes>
void lockstep_checker<Lanes>::land_atomics(std::uint64_t time, warp_type& w, flight_type& f,
                                           lane_mask lanes, const std::uint32_t* values,
                                           const lockstep_step& s) {
    const instruction& i = *f.instruction;
    bits::for_each(lanes, [&](unsigned lane) {
        if (stopped_) return;
        if (i.op == opcode::sc_w) {
            if (values[lane] > 1) {
                return differ(s, w, lane, fmt::format("gives {}; possible: 0, 1", values[lane]));
            }
            if (values[lane] == 1) return history_.cancel(f.write[lane]);
            history_.know(f.write[lane], f.data[lane]);
            return history_.end(f.write[lane], time);
        }
        const std::uint32_t next =
            isa::atomic_result(i.op, values[lane], f.data[lane], f.compare[lane]);
        if (next == values[lane]) {
            history_.cancel(f.write[lane]);  // as a read: nobody can tell the difference
        } else {
            history_.know(f.write[lane], next);
            history_.end(f.write[lane], time);
        }
        const auto wrong = chains_.ended(f.address[lane], values[lane], next);
        if (!wrong) return;
        differ(s, w, lane,
               fmt::format("is the last of the atomics at 0x{:08x}; more of them found 0x{:08x} "
                           "than left it, so one was lost or executed twice",
                           shown_address(f.address[lane], w), *wrong));
    });
}

/// Whether memory can have given the value; false after a difference.
template <unsigned Lanes>
bool lockstep_checker<Lanes>::judge(const lockstep_step& s, const warp_type& w,
                                    const flight_type& f, unsigned lane, std::uint32_t value) {
    const instruction& i = *f.instruction;
    const std::uint32_t address = f.address[lane];
    const word_part part = part_of(i, address, value);
    write_history::read by = f.as;
    if (program::shared_window.contains(address)) by.from = f.issued;
    const bool atomic = writes(i);
    if (atomic) {
        by.at.lane = f.place[lane];
        by.takes_part = true;
    }
    counts_.loaded_values += atomic ? 0 : 1;
    const auto verdict = history_.judge(part, by);
    const bool extended = isa::extend_loaded(i, value) == value;
    if (verdict == write_history::verdict::exact && extended) return true;
    const auto got = [&] {
        return fmt::format("gets 0x{:08x} from 0x{:08x}", value, shown_address(address, w));
    };
    if (verdict == write_history::verdict::one_of_several && extended) {
        // Atomics are there to meet.
        if (atomic || counts_.racing_values++ != 0) return true;
        counts_.first_racing = text(s, w, lane, got() + " in a race with another thread's store");
        return true;
    }
    if (verdict == write_history::verdict::open && extended) {
        open_.push_back({part, by, &i, address, text(s, w, lane, got()), place_of(s, w, lane)});
        ++flying_[by.from];  // until it is judged
        return true;
    }
    differ(s, w, lane, got() + text_of(history_.possible(part, by), i, address));
    return false;
}

/// An atomic at the word has got its value: it may explain what others have read.
template <unsigned Lanes>
void lockstep_checker<Lanes>::judge_open(std::uint32_t word) {
    for (std::size_t n = 0; n < open_.size();) {
        const open_value& waiting = open_[n];
        const auto verdict = waiting.found.address == word
                                 ? history_.judge(waiting.found, waiting.by)
                                 : write_history::verdict::open;
        if (verdict == write_history::verdict::open) {
            ++n;
            continue;
        }
        if (verdict == write_history::verdict::impossible) {
            std::string text = waiting.text;  // what the thread got ends the first line
            text.insert(text.find('\n'), text_of(history_.possible(waiting.found, waiting.by),
                                                 *waiting.load, waiting.address));
            return stop(error_kind::wrong_result,
                        "difference from the functional simulator " + text, waiting.at);
        }
        const auto flying = flying_.find(waiting.by.from);
        if (--flying->second == 0) flying_.erase(flying);
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(n));
    }
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::completed(std::uint64_t time, std::uint32_t sm, unsigned slot,
                                        std::uint64_t number, const register_rows& rows) {
    if (stopped_) return;
    warp_type& w = warp_at(sm, slot);
    const auto found = std::find_if(w.flights.begin(), w.flights.end(),
                                    [&](const auto& f) { return f->number == number; });
    if (found == w.flights.end()) return make_store(time, sm, slot, number);
    const flight_type& f = **found;
    const instruction& i = *f.instruction;
    const lockstep_step s = step_of(f, time, sm, slot);
    const lane_mask missing = f.lanes & ~(f.delivered | f.excused);
    if (missing != 0) {
        return differ(s, w, bits::first(missing), "completes without a value");
    }
    if (i.writes_register()) {
        w.pending[i.rd] &= ~(f.lanes & ~f.returned);
        if (rows && !check_row(s, w, i.rd, rows(i.rd))) return;
    }
    if (f.global != 0) {
        const auto flying = flying_.find(f.as.from);
        if (--flying->second == 0) flying_.erase(flying);
    }
    spare_.push_back(std::move(*found));
    w.flights.erase(found);
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::returned(std::uint32_t sm, unsigned slot, std::uint64_t number,
                                       lane_mask lanes) {
    warp_type& w = warp_at(sm, slot);
    for (const auto& f : w.flights) {
        if (f->number != number) continue;
        const lane_mask come = lanes & f->delivered;
        f->returned |= come;
        // Those that came before may wait for another load into the register by now.
        if (f->instruction->writes_register()) w.pending[f->instruction->rd] &= ~come;
    }
}

template <unsigned Lanes>
void lockstep_checker<Lanes>::drained(std::uint64_t time, std::uint32_t sm, unsigned slot,
                                      std::uint64_t up_to) {
    warp_type& w = warp_at(sm, slot);
    for (auto* const writes : {&w.undrained, &w.undrained_shared}) {
        std::size_t done = 0;
        for (; done < writes->size() && (*writes)[done].number <= up_to; ++done) {
            history_.end((*writes)[done].id, time);
        }
        writes->erase(writes->begin(), writes->begin() + static_cast<std::ptrdiff_t>(done));
    }
}

#define HEDDLE_INSTANTIATE(lanes) template class lockstep_checker<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
