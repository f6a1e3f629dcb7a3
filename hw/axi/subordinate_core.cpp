// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/subordinate_core.h"

#include <algorithm>

#include "hw/axi/burst.h"

namespace heddle::axi {

namespace {

constexpr std::uint8_t on = 0xff;

}  // namespace

subordinate_core::subordinate_core(const subordinate_settings& settings)
    : settings_(settings),
      bursts_(std::size_t{2} * settings.queue),
      free_writes_(settings.queue),
      free_reads_(settings.queue),
      filling_(settings.queue),
      to_memory_(std::size_t{2} * settings.queue),
      write_order_(maximum_ids, settings.queue),
      read_order_(maximum_ids, settings.queue),
      ready_writes_(settings.queue),
      ready_reads_(settings.queue) {}

void subordinate_core::clock(const manager_side& in, const held_channels& held) {
    // (1) what has moved at this edge
    if (in.b_ready) out_.b_valid = false;
    if (in.r_ready) out_.r_valid = false;
    if (in.w_valid && out_.w_ready) take_data(in.w);
    if (in.aw_valid && out_.aw_ready) take_address(in.aw, true);
    if (in.ar_valid && out_.ar_ready) take_address(in.ar, false);
    // (2) what comes next
    if (!out_.b_valid && !held.b) send_b();
    if (!out_.r_valid && !held.r) send_r();
    out_.aw_ready = !held.aw && !free_writes_.empty();
    out_.ar_ready = !held.ar && !free_reads_.empty();
    out_.w_ready = !held.w && !filling_.empty();
}

bool subordinate_core::legal(const address_beat& a) const {
    return a.burst == burst_type::incr && a.beat_bytes() <= settings_.bus_bytes &&
           !crosses_boundary(a);
}

void subordinate_core::take_address(const address_beat& a, bool write) {
    const index at = write ? free_writes_.take() : settings_.queue + free_reads_.take();
    burst& b = bursts_[at];
    b.what = {a, write, a.address, bytes_of(a), nullptr, nullptr};
    b.beat = 0;
    b.code = response::okay;
    b.answered = false;
    b.data.resize(b.what.bytes);
    b.what.data = b.data.data();
    ++open_;
    (write ? write_order_ : read_order_).push(a.id, at);
    if (write) {
        b.enables.resize(b.what.bytes);
        filling_.push(at);
    } else if (legal(a)) {
        to_memory_.push(at);
    } else {
        answered(at, response::slverr);
    }
}

void subordinate_core::take_data(const write_beat& w) {
    const index at = filling_.front();
    burst& b = bursts_[at];
    const bool moves = legal(b.what.burst);
    if (moves) {
        const beat_place place = place_of(b.what.burst, b.beat, settings_.bus_bytes);
        const std::uint64_t offset = place.address - b.what.burst.address;
        for (unsigned i = 0; i < place.bytes; ++i) {
            b.data[offset + i] = w.data[place.lane + i];
            b.enables[offset + i] = (w.strobe >> (place.lane + i) & 1) != 0 ? on : 0;
        }
    }
    if (++b.beat != b.what.burst.beats()) return;
    filling_.pop();
    if (!moves) {
        answered(at, response::slverr);
        return;
    }
    cut(b);
    if (b.what.bytes == 0) {
        answered(at, response::okay);
    } else {
        to_memory_.push(at);
    }
}

/// Leaves out what has no strobes before the first byte and behind the last one.
void subordinate_core::cut(burst& write) {
    const auto first = std::find(write.enables.begin(), write.enables.end(), on);
    const auto last = std::find(write.enables.rbegin(), write.enables.rend(), on).base();
    access& a = write.what;
    if (first >= last) {
        a.bytes = 0;
        return;
    }
    const auto offset = static_cast<std::size_t>(first - write.enables.begin());
    a.address = a.burst.address + offset;
    a.bytes = static_cast<std::uint32_t>(last - first);
    a.data = write.data.data() + offset;
    const bool all = std::find(first, last, std::uint8_t{0}) == last;
    a.enables = all ? nullptr : write.enables.data() + offset;
}

bool subordinate_core::next(index& at) {
    if (to_memory_.empty()) return false;
    at = to_memory_.pop();
    return true;
}

// ---- responses --------------------------------------------------------------------------------

void subordinate_core::answered(index at, response code) {
    burst& b = bursts_[at];
    b.code = code;
    b.answered = true;
    b.beat = 0;
    id_queues<index>& order = b.what.write ? write_order_ : read_order_;
    const std::uint32_t id = b.what.burst.id;
    if (order.front(id) == at) make_ready(order, id, b.what.write ? ready_writes_ : ready_reads_);
}

/// The oldest of an ID may be sent, if it has been answered.
void subordinate_core::make_ready(id_queues<index>& order, std::uint32_t id, ring<index>& ready) {
    if (order.has(id) && bursts_[order.front(id)].answered) ready.push(order.front(id));
}

void subordinate_core::send_b() {
    if (ready_writes_.empty()) return;
    const index at = ready_writes_.pop();
    const std::uint32_t id = bursts_[at].what.burst.id;
    out_.b = {id, bursts_[at].code};
    out_.b_valid = true;
    write_order_.pop(id);
    make_ready(write_order_, id, ready_writes_);
    give_back(at);
}

void subordinate_core::send_r() {
    if (ready_reads_.empty()) return;
    const index at = ready_reads_.front();
    burst& b = bursts_[at];
    const address_beat& a = b.what.burst;
    const bool last = b.beat + 1 == a.beats();
    out_.r = {{}, a.id, b.code, last};
    out_.r_valid = true;
    if (legal(a)) {
        const beat_place place = place_of(a, b.beat, settings_.bus_bytes);
        std::copy_n(b.data.begin() + static_cast<std::ptrdiff_t>(place.address - a.address),
                    place.bytes, out_.r.data.begin() + place.lane);
    }
    ++b.beat;
    if (!last) return;
    ready_reads_.pop();
    read_order_.pop(a.id);
    make_ready(read_order_, a.id, ready_reads_);
    give_back(at);
}

void subordinate_core::give_back(index at) {
    --open_;
    if (at < settings_.queue) {
        free_writes_.give_back(at);
    } else {
        free_reads_.give_back(at - settings_.queue);
    }
}

}  // namespace heddle::axi
