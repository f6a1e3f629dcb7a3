// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/axi/burst.h"

namespace heddle::axi {

namespace {

constexpr unsigned fixed_beats = 16;

std::string text_of(const address_beat& a) {
    return fmt::format("ID {}, address {:#x}, {} beats of {} bytes", a.id, a.address, a.beats(),
                       a.beat_bytes());
}

/// The oldest transaction of an ID; end() if there is none.
template <class Transactions>
auto oldest(Transactions& open, std::uint32_t id) {
    return std::find_if(open.begin(), open.end(),
                        [&](const auto& one) { return one.burst.id == id; });
}

}  // namespace

rule_checker::rule_checker(const bus_limits& limits, listener report)
    : limits_(limits), report_(std::move(report)) {}

void rule_checker::report(rule which, const std::string& what) const {
    report_(which, fmt::format("clock {}: {}; {}: {}", clocks_, what, describe(which).name,
                               describe(which).text));
}

// ---- handshakes -------------------------------------------------------------------------------

template <class Payload>
bool rule_checker::shown(stall<Payload>& channel, bool valid, bool ready, const Payload& payload) {
    const bool first = valid && !channel.waits;
    if (channel.waits && !valid) {
        report(rule::valid_dropped, fmt::format("{}VALID falls without READY", channel.name));
    } else if (channel.waits && !(channel.payload == payload)) {
        report(rule::payload_changed, fmt::format("{} changes while it waits", channel.name));
    }
    if (first) channel.since = clocks_;
    channel.waits = valid && !ready;
    if (channel.waits) channel.payload = payload;
    if (limits_.longest_wait != 0 && channel.waits &&
        clocks_ - channel.since == limits_.longest_wait) {
        report(rule::long_wait,
               fmt::format("{}VALID has waited {} clocks", channel.name, limits_.longest_wait));
    }
    return first;
}

void rule_checker::clock(const manager_side& m, const subordinate_side& s) {
    // (1) responses, as far as handshakes before this clock allow them
    if (shown(b_, s.b_valid, m.b_ready, s.b)) show_b(s.b, m);
    if (shown(r_, s.r_valid, m.r_ready, s.r)) show_r(s.r);
    if (s.b_valid && m.b_ready) take_b(s.b);
    if (s.r_valid && m.r_ready) take_r(s.r);
    // (2) addresses, and data behind them
    if (shown(aw_, m.aw_valid, s.aw_ready, m.aw)) check("AW", m.aw);
    if (shown(ar_, m.ar_valid, s.ar_ready, m.ar)) check("AR", m.ar);
    shown(w_, m.w_valid, s.w_ready, m.w);
    if (m.aw_valid && s.aw_ready) take_write(m.aw);
    if (m.w_valid && s.w_ready) take_data(m.w);
    if (m.ar_valid && s.ar_ready) take_read(m.ar);
    ++clocks_;
}

void rule_checker::reset_clock(const manager_side& m, const subordinate_side& s) {
    const std::pair<const char*, bool> valids[] = {{aw_.name, m.aw_valid},
                                                   {w_.name, m.w_valid},
                                                   {ar_.name, m.ar_valid},
                                                   {b_.name, s.b_valid},
                                                   {r_.name, s.r_valid}};
    for (const auto& [name, valid] : valids) {
        if (valid) report(rule::valid_in_reset, fmt::format("{}VALID is high in reset", name));
    }
    aw_.waits = w_.waits = ar_.waits = b_.waits = r_.waits = false;
    writes_.clear();
    reads_.clear();
    early_.clear();
    ++clocks_;
}

// ---- addresses --------------------------------------------------------------------------------

void rule_checker::check(const char* channel, const address_beat& a) const {
    const auto broken = [&](rule which) {
        report(which, fmt::format("{}: {}", channel, text_of(a)));
    };
    const unsigned n = a.beats();
    if (a.id >= limits_.ids) broken(rule::unknown_id);
    if (a.burst == burst_type::reserved) broken(rule::reserved_burst);
    if (a.beat_bytes() > limits_.bus_bytes) broken(rule::size_too_wide);
    if (a.burst == burst_type::fixed && n > fixed_beats) broken(rule::fixed_too_long);
    if (a.burst == burst_type::wrap) {
        if (n != 2 && n != 4 && n != 8 && n != 16) broken(rule::wrap_length);
        if (a.address % a.beat_bytes() != 0) broken(rule::wrap_unaligned);
    }
    if (crosses_boundary(a)) broken(rule::crosses_4k);
}

/// With what the arithmetic of beats needs.
address_beat rule_checker::mended(address_beat burst) const {
    while (burst.beat_bytes() > limits_.bus_bytes) --burst.size;
    if (burst.burst == burst_type::reserved) burst.burst = burst_type::incr;
    return burst;
}

void rule_checker::take_write(const address_beat& sent) {
    const address_beat burst = mended(sent);
    for (open_read& read : reads_) {
        if (overlap(read.burst, burst)) read.compared = false;
    }
    for (open_write& write : writes_) {
        if (overlap(write.burst, burst)) write.certain = false;
    }
    const bool certain = std::none_of(writes_.begin(), writes_.end(),
                                      [&](const open_write& w) { return overlap(w.burst, burst); });
    writes_.push_back({burst, {}, false, certain});
    while (!early_.empty() && !writes_.back().complete) {
        add_beat(writes_.back(), early_.front());
        early_.pop_front();
    }
}

void rule_checker::take_read(const address_beat& sent) {
    const address_beat burst = mended(sent);
    const bool written = std::any_of(writes_.begin(), writes_.end(),
                                     [&](const open_write& w) { return overlap(w.burst, burst); });
    reads_.push_back({burst, 0, !written});
}

// ---- write data -------------------------------------------------------------------------------

void rule_checker::take_data(const write_beat& beat) {
    const auto next = std::find_if(writes_.begin(), writes_.end(),
                                   [](const open_write& w) { return !w.complete; });
    if (next == writes_.end()) {
        early_.push_back(beat);
    } else {
        add_beat(*next, beat);
    }
}

void rule_checker::add_beat(open_write& to, const write_beat& beat) {
    const auto number = static_cast<unsigned>(to.beats.size());
    const bool is_last = number + 1 == to.burst.beats();
    const auto where = [&] {
        return fmt::format("W: beat {} of the write of {}", number, text_of(to.burst));
    };
    const std::uint64_t lanes = lanes_of(place_of(to.burst, number, limits_.bus_bytes));
    if ((beat.strobe & ~lanes) != 0) {
        report(rule::strobe_outside_beat,
               fmt::format("{} has strobes {:#x} on lanes {:#x}", where(), beat.strobe, lanes));
    }
    if (beat.last && !is_last) report(rule::wlast_early, where());
    if (!beat.last && is_last) report(rule::wlast_missing, where());
    to.beats.push_back(beat);
    to.complete = is_last || beat.last;
}

// ---- responses --------------------------------------------------------------------------------

void rule_checker::show_b(const write_response& b, const manager_side& m) const {
    const auto found = oldest(writes_, b.id);
    if (b.code == response::exokay) {
        report(rule::exokay_without_lock, fmt::format("B of ID {}", b.id));
    }
    if (found == writes_.end()) {
        report(m.aw_valid && m.aw.id == b.id ? rule::b_before_aw : rule::b_without_write,
               fmt::format("B of ID {}", b.id));
    } else if (!found->complete) {
        report(rule::b_before_last_w, fmt::format("B of ID {} after {} of {} beats", b.id,
                                                  found->beats.size(), found->burst.beats()));
    }
}

void rule_checker::take_b(const write_response& b) {
    const auto found = oldest(writes_, b.id);
    if (found == writes_.end() || !found->complete) return;
    found->certain &= b.code == response::okay;
    commit(*found);
    end(writes_, found);
}

template <class Transactions>
void rule_checker::end(Transactions& open, typename Transactions::iterator answered) {
    const std::uint32_t id = answered->burst.id;
    const auto is_of_id = [&](const auto& one) { return one.burst.id == id; };
    ++answered_;
    if (std::any_of(answered + 1, open.end(), is_of_id)) ++orders_.before_younger;
    // The answered one is the oldest of its ID.
    if (answered != open.begin()) ++orders_.before_older;
    open.erase(answered);
}

/// After an error, or with another write at the same time, nobody knows what the memory has.
void rule_checker::commit(const open_write& done) {
    for (unsigned i = 0; i < done.beats.size(); ++i) {
        const beat_place place = place_of(done.burst, i, limits_.bus_bytes);
        for (unsigned byte = 0; byte < place.bytes; ++byte) {
            const unsigned lane = place.lane + byte;
            if ((done.beats[i].strobe >> lane & 1) == 0) continue;
            if (done.certain) {
                known_.set(place.address + byte, done.beats[i].data[lane]);
            } else {
                known_.forget(place.address + byte);
            }
        }
    }
}

void rule_checker::show_r(const read_beat& r) {
    if (r.code == response::exokay) {
        report(rule::exokay_without_lock, fmt::format("R of ID {}", r.id));
    }
    const auto read = oldest(reads_, r.id);
    if (read == reads_.end()) {
        report(rule::r_without_read, fmt::format("R of ID {}", r.id));
        return;
    }
    const bool is_last = read->beat + 1 == read->burst.beats();
    const auto where = [&] {
        return fmt::format("R: beat {} of the read of {}", read->beat, text_of(read->burst));
    };
    if (r.last != is_last) {
        report(r.last ? rule::rlast_early : rule::rlast_missing, where() + younger_like(*read, r));
    }
    if (r.code == response::okay) compare(*read, r);
}

bool rule_checker::fits(const open_read& read, const read_beat& r) const {
    if (!read.compared || read.beat >= read.burst.beats()) return true;
    const beat_place place = place_of(read.burst, read.beat, limits_.bus_bytes);
    for (unsigned byte = 0; byte < place.bytes; ++byte) {
        const auto known = known_.get(place.address + byte);
        if (known && *known != r.data[place.lane + byte]) return false;
    }
    return true;
}

/// RLAST in the wrong place may come from a read in the wrong order.
std::string rule_checker::younger_like(const open_read& read, const read_beat& r) const {
    const auto younger = std::find_if(reads_.begin(), reads_.end(), [&](const open_read& other) {
        return &other != &read && other.burst.id == r.id &&
               r.last == (read.beat + 1 == other.burst.beats()) && read.beat < other.burst.beats();
    });
    if (younger == reads_.end()) return {};
    return fmt::format(" (as of the younger read of {})", text_of(younger->burst));
}

void rule_checker::compare(const open_read& read, const read_beat& r) {
    if (fits(read, r)) return;
    const auto younger = std::find_if(reads_.begin(), reads_.end(), [&](const open_read& other) {
        return &other != &read && other.burst.id == r.id && other.compared && fits(other, r);
    });
    if (younger != reads_.end()) {
        report(rule::same_id_order, fmt::format("R of ID {} has the bytes of {:#x}, and not of the "
                                                "older read of {:#x}",
                                                r.id, younger->burst.address, read.burst.address));
    } else {
        report(rule::read_data,
               fmt::format("R: beat {} of the read of {}", read.beat, text_of(read.burst)));
    }
}

void rule_checker::take_r(const read_beat& r) {
    const auto read = oldest(reads_, r.id);
    if (read == reads_.end()) return;
    if (read->compared && r.code == response::okay) {
        const beat_place place = place_of(read->burst, read->beat, limits_.bus_bytes);
        for (unsigned byte = 0; byte < place.bytes; ++byte) {
            known_.set(place.address + byte, r.data[place.lane + byte]);
        }
    }
    if (++read->beat == read->burst.beats() || r.last) {
        end(reads_, read);
    }
}

void rule_checker::forget(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) known_.forget(address + i);
    for (open_read& read : reads_) {
        if (begin_of(read.burst) < address + bytes && address < end_of(read.burst)) {
            read.compared = false;
        }
    }
    for (open_write& write : writes_) {
        if (begin_of(write.burst) < address + bytes && address < end_of(write.burst)) {
            write.certain = false;
        }
    }
}

void rule_checker::finish() {
    for (const open_write& write : writes_) {
        report(rule::never_answered, "the write of " + text_of(write.burst));
    }
    for (const open_read& read : reads_) {
        report(rule::never_answered, "the read of " + text_of(read.burst));
    }
}

}  // namespace heddle::axi
