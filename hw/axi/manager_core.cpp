// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/manager_core.h"

#include <algorithm>

#include "hw/axi/burst.h"
#include "hw/axi/tlm_status.h"

namespace heddle::axi {

manager_core::manager_core(const manager_settings& settings)
    : settings_(settings),
      table_(settings.ids),
      free_(settings.ids),
      reads_(settings.ids),
      writes_(settings.ids),
      read_bursts_(settings.ids, settings.ids),
      write_bursts_(settings.ids, settings.ids),
      data_(settings.ids),
      free_ids_(settings.ids),
      id_users_(settings.ids),
      finished_(settings.ids) {
    open_.reserve(settings.ids);
}

void manager_core::take(payload& request) {
    const index at = free_.take();
    transaction& t = table_[at];
    t = {};
    t.request = &request;
    t.next = request.get_address();
    t.end = t.next + request.get_data_length();
    open_.push_back(at);
    (request.is_write() ? writes_ : reads_).push(at);
}

// ---- a clock ----------------------------------------------------------------------------------

void manager_core::clock(const subordinate_side& in, const held_channels& held) {
    // (1) what has moved at this edge: responses first, which cannot be to what moves with them
    if (in.b_valid && out_.b_ready) take_b(in.b);
    if (in.r_valid && out_.r_ready) take_r(in.r);
    if (in.aw_ready) out_.aw_valid = false;
    if (in.w_ready && out_.w_valid) {
        out_.w_valid = false;
        data_moved_ += out_.w.last ? 1 : 0;
    }
    if (in.ar_ready) out_.ar_valid = false;
    // (2) what comes next on a channel that is free
    if (!out_.aw_valid && !held.aw && !data_.full()) {
        send_address(writes_, write_bursts_, out_.aw_valid, out_.aw);
    }
    if (!out_.w_valid && !held.w) send_data();
    if (!out_.ar_valid && !held.ar) send_address(reads_, read_bursts_, out_.ar_valid, out_.ar);
    out_.b_ready = !held.b;
    out_.r_ready = !held.r;
}

bool manager_core::begin(index at) {
    transaction& t = table_[at];
    const bool write = is_write(at);
    const std::uint64_t first = first_line(at), last = last_line(at);
    std::uint32_t id = no_id;
    for (const index other : open_) {
        if (other == at) break;
        if (first_line(other) > last || last_line(other) < first) continue;
        if (is_write(other) != write) return false;
        const bool same_line = first == last && first_line(other) == last_line(other);
        if (same_line) {
            id = table_[other].id;
        } else if (write) {
            return false;
        }
    }
    if (id == no_id) {
        if (free_ids_.empty()) return false;
        id = free_ids_.take();
    }
    ++id_users_[id];
    t.id = id;
    t.begun = true;
    writes_begun_ += write ? 1 : 0;
    return true;
}

void manager_core::send_address(ring<index>& waiting, id_queues<open_burst>& bursts, bool& valid,
                                address_beat& address) {
    if (waiting.empty() || bursts.full()) return;
    const index at = waiting.front();
    transaction& t = table_[at];
    const bool write = is_write(at);
    bool& blocked = write ? writes_blocked_ : reads_blocked_;
    if (!t.begun && (paused_ || blocked || !begin(at))) {
        blocked = blocked || !paused_;
        return;
    }
    const piece next = first_piece(t.next, t.end - t.next, settings_.bus_bytes);
    address = next.burst;
    address.id = t.id;
    valid = true;
    const std::uint64_t number = write ? addresses_sent_++ : 0;
    const open_burst& sent = bursts.push(t.id, {at, next.bytes, 0, address, number});
    if (write) data_.push(sent);
    ++t.bursts;
    t.next += next.bytes;
    if (t.next == t.end) waiting.pop();
}

void manager_core::send_data() {
    if (data_.empty()) return;
    open_burst& burst = data_.front();
    const payload& request = *table_[burst.owner].request;
    const beat_place place = place_of(burst.burst, burst.beat, settings_.bus_bytes);
    const std::uint64_t end = burst.burst.address + burst.bytes;
    out_.w = {};
    for (unsigned i = 0; i < place.bytes && place.address + i < end; ++i) {
        const std::uint64_t from = place.address + i - request.get_address();
        if (!enabled(request, from)) continue;
        out_.w.data[place.lane + i] = request.get_data_ptr()[from];
        out_.w.strobe |= std::uint64_t{1} << (place.lane + i);
    }
    out_.w.last = ++burst.beat == burst.burst.beats();
    out_.w_valid = true;
    if (out_.w.last) data_.pop();
}

// ---- responses --------------------------------------------------------------------------------

void manager_core::ignore(char channel, std::uint32_t id) noexcept {
    ++unexpected_;
    unexpected_channel_ = channel;
    unexpected_id_ = id;
}

void manager_core::take_b(const write_response& b) {
    if (!write_bursts_.has(b.id) || write_bursts_.front(b.id).number >= data_moved_) {
        return ignore('B', b.id);
    }
    answered(write_bursts_.pop(b.id).owner, b.code);
}

void manager_core::take_r(const read_beat& r) {
    if (!read_bursts_.has(r.id)) return ignore('R', r.id);
    open_burst& burst = read_bursts_.front(r.id);
    transaction& t = table_[burst.owner];
    const beat_place place = place_of(burst.burst, burst.beat, settings_.bus_bytes);
    const std::uint64_t end = burst.burst.address + burst.bytes;
    for (unsigned i = 0; i < place.bytes && place.address + i < end; ++i) {
        const std::uint64_t to = place.address + i - t.request->get_address();
        if (enabled(*t.request, to)) t.request->get_data_ptr()[to] = r.data[place.lane + i];
    }
    t.worst = std::max(t.worst, r.code);
    if (++burst.beat == burst.burst.beats()) {
        const index owner = read_bursts_.pop(r.id).owner;
        answered(owner, r.code);
    }
}

void manager_core::answered(index at, response code) {
    transaction& t = table_[at];
    t.worst = std::max(t.worst, code);
    if (--t.bursts != 0 || t.next != t.end) return;
    t.request->set_response_status(status_of(t.worst));
    if (--id_users_[t.id] == 0) free_ids_.give_back(t.id);
    writes_begun_ -= is_write(at) ? 1 : 0;
    finished_.push(t.request);
    open_.erase(std::find(open_.begin(), open_.end(), at));
    free_.give_back(at);
    reads_blocked_ = writes_blocked_ = false;
}

manager_core::payload* manager_core::finished() {
    return finished_.empty() ? nullptr : finished_.pop();
}

void manager_core::overlay(payload& read, bool begun) const {
    for (const index at : open_) {
        if (is_write(at) && table_[at].begun == begun) axi::overlay(read, *table_[at].request);
    }
}

}  // namespace heddle::axi
