// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cstring>

#include "hw/smx/lsu/load_store_unit.h"
#include "models/program/address_map.h"

/// One access of the instruction at the queue's head, and what comes back of it.
namespace heddle {

using isa::instruction_class;
using isa::lane_mask;
using protocol::local_command;
using protocol::memory_kind;

namespace {

constexpr auto data_queue = memory_port::queue::data;

template <class Function>
void for_each_lane(lane_mask lanes, Function&& f) {
    for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctzll(lanes)));
}

}  // namespace

bool load_store_unit::access(std::uint64_t edge, reservation_fail& cause) {
    queued_instruction& m = head();
    if (m.left.shared != 0) {
        access_shared(edge);
        m.left.shared = 0;
        return true;
    }
    const bool of_thread = m.left.of_thread != 0;
    lane_mask& left = of_thread ? m.left.of_thread : m.left.global;
    if (left == 0) return true;  // no lane was active
    if (!next_known_) {
        next_ = coalescer::next_access(m.address, left, m.instruction->access_bytes(), line_bytes_,
                                       environment_.lanes);
        next_known_ = true;
    }
    if (!access_line(next_, of_thread, edge, cause)) return false;
    left &= ~next_.lanes;
    next_known_ = false;
    if (banks_ > 1 && left != 0) access_other_banks(next_, of_thread, edge);
    return true;
}

bool load_store_unit::access_line(const line_access& a, bool of_thread, std::uint64_t edge,
                                  reservation_fail& cause) {
    bool done = false;
    switch (head().instruction->cls) {
        case instruction_class::load:
            done = load_line(a, of_thread, edge, cause);
            break;
        case instruction_class::store:
            done = store_line(a, of_thread, cause);
            break;
        default:
            done = atomic_line(a, of_thread, cause);
            break;
    }
    counters_.line_accesses += done ? 1 : 0;
    return done;
}

bool load_store_unit::uses_bank(const line_access& a, bool of_thread) noexcept {
    const isa::instruction& i = *head().instruction;
    return i.cls != instruction_class::atomic && is_cached(a.line, of_thread) &&
           (of_thread || !i.bypasses_l1());
}

void load_store_unit::access_other_banks(const line_access& first, bool of_thread,
                                         std::uint64_t edge) {
    if (!uses_bank(first, of_thread)) return;
    queued_instruction& m = head();
    lane_mask& left = of_thread ? m.left.of_thread : m.left.global;
    const auto bank_of = [&](const line_access& a) { return a.line / line_bytes_ % banks_; };
    std::uint64_t used = std::uint64_t{1} << bank_of(first);
    bool conflict = false;
    for (lane_mask untried = left; untried != 0;) {
        const line_access a = coalescer::next_access(
            m.address, untried, m.instruction->access_bytes(), line_bytes_, environment_.lanes);
        untried &= ~a.lanes;
        const std::uint64_t bank = std::uint64_t{1} << bank_of(a);
        if ((used & bank) != 0) {
            conflict = true;
            continue;
        }
        reservation_fail cause{};
        if (!uses_bank(a, of_thread) || !access_line(a, of_thread, edge, cause)) break;
        used |= bank;
        left &= ~a.lanes;
    }
    counters_.bank_conflicts += conflict ? 1 : 0;
}

void load_store_unit::access_shared(std::uint64_t edge) {
    const queued_instruction& m = head();
    const isa::instruction& i = *m.instruction;
    const unsigned lanes = environment_.lanes;
    protocol::local_access& payload = *local_;
    payload.launch = m.launch;
    payload.warp = m.warp;
    payload.block = m.block;
    payload.bytes = static_cast<std::uint8_t>(i.access_bytes());
    payload.lanes = m.left.shared;
    payload.response = protocol::local_response::incomplete;
    payload.operation = isa::opcode::illegal;
    payload.command = local_command::load;
    const std::uint32_t move = m.shared_base - program::shared_window.base;
    for (unsigned lane = 0; lane < lanes; ++lane) payload.address[lane] = m.address[lane] + move;
    if (i.cls != instruction_class::load) {
        payload.command = local_command::store;
        std::copy_n(m.data, lanes, payload.data.begin());
    }
    if (i.cls == instruction_class::atomic) {
        payload.command = local_command::atomic;
        payload.operation = i.op;
        std::copy_n(m.compare, lanes, payload.compare.begin());
    }
    sc_core::sc_time delay;
    environment_.local->b_transport(payload, delay);
    if (payload.response != protocol::local_response::ok) {
        SC_REPORT_ERROR("heddle/smx/local_memory", "a legal access to shared memory was refused");
    }
    ++counters_.shared_accesses;
    if (cycle_ticks_ == 0) cycle_ticks_ = environment_.domain.edge_time(1).value();
    const std::uint64_t cycles = (delay.value() + cycle_ticks_ / 2) / cycle_ticks_;
    const std::uint64_t conflicts = cycles > local_latency_ ? cycles - local_latency_ : 0;
    busy_until_ = edge + 1 + conflicts;
    if (i.cls == instruction_class::store) return;
    if (i.access_bytes() != 4) {
        for_each_lane(payload.lanes, [&](unsigned lane) {
            payload.data[lane] = isa::extend_loaded(i, payload.data[lane]);
        });
    }
    environment_.client.loaded(m.warp, m.number, i.rd, payload.lanes, payload.data.data());
    ++pending_[m.pending].accesses;
    shared_.push(edge + std::max<std::uint64_t>(cycles, 1), m.pending);
}

bool load_store_unit::is_cached(std::uint32_t line, bool of_thread) const noexcept {
    if (of_thread) return cache_.exists();
    return cache_global_ && !program::reserve_window.contains(line);
}

bool load_store_unit::load_line(const line_access& a, bool of_thread, std::uint64_t edge,
                                reservation_fail& cause) {
    const queued_instruction& m = queue_[first_];
    const isa::instruction& i = *m.instruction;
    const unsigned room = environment_.port.room(data_queue);
    if (!is_cached(a.line, of_thread) || (i.bypasses_l1() && !of_thread)) {
        cause = reservation_fail::miss_queue_full;
        if (room == 0) return false;
        request_sectors(a, edge);
        return true;
    }
    const l1_data_cache::answer got = of_thread ? cache_.load_private(a.line, a.bytes, room, m.warp)
                                                : cache_.load_global(a.line, a.bytes, room, m.warp);
    switch (got.what) {
        case l1_data_cache::outcome::failed:
            cause = got.cause;
            return false;
        case l1_data_cache::outcome::hit:
            coalescer::find_offsets(m.address, a.line, environment_.lanes, offsets_);
            coalescer::gather(i, offsets_, a.lanes, got.data, environment_.lanes, values_.data());
            environment_.client.loaded(m.warp, m.number, i.rd, a.lanes, values_.data());
            ++pending_[m.pending].accesses;
            hits_.push(edge + hit_latency_, m.pending);
            if (is_timed(of_thread)) latency_.add_hit(edge + hit_latency_ - m.queued);
            return true;
        case l1_data_cache::outcome::missed:
            if (victims_ != nullptr) note_victims(a.line);
            write_back_evicted();
            request_line(a, got.miss);
            break;
        case l1_data_cache::outcome::pending:
            break;
    }
    const std::uint32_t target = new_target(a, a.line, edge);
    target_list& list = waiting_[got.miss];
    (list.last == none ? list.first : targets_[list.last].next) = target;
    list.last = target;
    return true;
}

bool load_store_unit::store_line(const line_access& a, bool of_thread, reservation_fail& cause) {
    const queued_instruction& m = head();
    const unsigned bytes = m.instruction->access_bytes();
    const unsigned room = environment_.port.room(data_queue);
    if (is_cached(a.line, of_thread) && of_thread) {
        coalescer::find_offsets(m.address, a.line, environment_.lanes, offsets_);
        coalescer::scatter(bytes, offsets_, a.lanes, m.data, environment_.lanes, line_.data());
        const auto got = cache_.store_private(a.line, a.bytes, line_.data(), room, m.warp);
        cause = got.cause;
        if (got.what == l1_data_cache::outcome::failed) return false;
        write_back_evicted();
        return true;
    }
    cause = reservation_fail::miss_queue_full;
    if (room == 0) return false;
    const unsigned low = a.bytes.first() & ~3u;
    const unsigned high = (a.bytes.last() | 3u) + 1;
    memory_request& request = new_request(memory_kind::store, a.line + low, high - low);
    request.access().byte_mask = a.bytes.shifted_down(low).words;
    coalescer::find_offsets(m.address, a.line + low, environment_.lanes, offsets_);
    coalescer::scatter(bytes, offsets_, a.lanes, m.data, environment_.lanes, request.data());
    if (cache_global_) {
        std::memcpy(line_.data() + low, request.data(), high - low);
        cache_.store_global(a.line, a.bytes, line_.data());
    }
    ++counters_.write_requests;
    ++writes_[m.warp.value()];
    environment_.port.send(data_queue, request);
    return true;
}

bool load_store_unit::atomic_line(const line_access& a, bool of_thread, reservation_fail& cause) {
    const queued_instruction& m = head();
    if (of_thread && cache_.exists()) {
        const auto got = cache_.flush_private(a.line, environment_.port.room(data_queue));
        cause = got.cause;
        if (got.what == l1_data_cache::outcome::failed) return false;
        write_back_evicted();
    } else {
        cache_.drop_global(a.line);
    }
    cause = reservation_fail::miss_queue_full;
    if (!environment_.port.can_send(data_queue)) return false;
    const unsigned low = a.bytes.first();
    memory_request& request =
        new_request(memory_kind::atomic, a.line + low, a.bytes.last() + 1 - low);
    protocol::memory_access& access = request.access();
    access.operation = m.instruction->op;
    for_each_lane(a.lanes, [&](unsigned lane) {
        access.atomics[access.atomic_count++] = {
            static_cast<std::uint8_t>(lane),
            static_cast<std::uint8_t>(m.address[lane] - (a.line + low)), m.data[lane],
            m.compare[lane], 0};
    });
    request.tag = m.pending;
    ++pending_[m.pending].accesses;
    ++writes_[m.warp.value()];
    ++counters_.atomic_requests;
    environment_.port.send(data_queue, request);
    return true;
}

memory_request& load_store_unit::new_request(memory_kind kind, std::uint32_t address,
                                             unsigned length) {
    memory_request& request = environment_.port.make();
    request.prepare(kind, address, length);
    request.requester = this;
    const queued_instruction& m = head();
    protocol::memory_access& access = request.access();
    access.launch = m.launch;
    access.warp = m.warp;
    access.slot = m.block;
    access.block = m.block_index;
    return request;
}

void load_store_unit::request_line(const line_access& a, std::uint16_t miss) {
    memory_request& request = new_request(memory_kind::load, a.line, line_bytes_);
    request.tag = fill_tag | miss;
    environment_.port.send(data_queue, request);
}

void load_store_unit::request_sectors(const line_access& a, std::uint64_t edge) {
    const unsigned low = a.bytes.first() & ~(sector_ - 1);
    const unsigned high = (a.bytes.last() | (sector_ - 1)) + 1;
    memory_request& request = new_request(memory_kind::load, a.line + low, high - low);
    request.access().byte_mask = a.bytes.shifted_down(low).words;
    request.access().bypass_l1 = true;
    request.tag = new_target(a, a.line + low, edge);
    ++counters_.uncached_loads;
    environment_.port.send(data_queue, request);
}

void load_store_unit::write_back_evicted() {
    const l1_data_cache::eviction* const lost = cache_.evicted();
    if (lost == nullptr) return;
    const unsigned low = lost->dirty.first() & ~3u;
    const unsigned high = (lost->dirty.last() | 3u) + 1;
    memory_request& request = new_request(memory_kind::write_back, lost->address + low, high - low);
    request.access().byte_mask = lost->dirty.shifted_down(low).words;
    request.access().warp = lost->owner;
    std::memcpy(request.data(), lost->data.data() + low, high - low);
    ++writes_[lost->owner.value()];
    environment_.port.send(data_queue, request);
}

void load_store_unit::keep_victim_tags(unsigned entries, unsigned ways) {
    victims_ = std::make_unique<victim_tags>(environment_.warps, entries, ways, line_bytes_);
}

/// The head's load has missed on `line`, which may have pushed out another. What private stores
/// push out is not remembered.
void load_store_unit::note_victims(std::uint32_t line) {
    const l1_data_cache::lost_line* const lost = cache_.displaced();
    if (lost != nullptr) victims_->lose(lost->owner, lost->address);
    if (!victims_->missed(head().warp, line)) return;
    ++counters_.lost_localities;
    environment_.client.lost_locality(head().warp);
}

std::uint32_t load_store_unit::new_target(const line_access& a, std::uint32_t base,
                                          std::uint64_t edge) {
    if (free_targets_ == none) {
        targets_.emplace_back();
        free_targets_ = static_cast<std::uint32_t>(targets_.size() - 1);
    }
    const std::uint32_t number = free_targets_;
    load_target& target = targets_[number];
    free_targets_ = target.next;
    const queued_instruction& m = head();
    target.pending = m.pending;
    target.next = none;
    target.lanes = a.lanes;
    target.queued = is_timed(m.left.of_thread != 0) ? m.queued : not_timed;
    target.joined = edge;
    coalescer::find_offsets(m.address, base, environment_.lanes, target.offsets);
    ++pending_[m.pending].accesses;
    return number;
}

void load_store_unit::deliver(std::uint32_t number, const std::uint8_t* data,
                              memory_request& answer) {
    load_target& target = targets_[number];
    if (target.queued != not_timed) {
        latency_.add(split_load(target.queued, std::max(target.joined, answer.sent),
                                environment_.domain.edge(), answer.access().times,
                                edges_per_picosecond_));
    }
    const pending_instruction& p = pending_[target.pending];
    coalescer::gather(*p.instruction, target.offsets, target.lanes, data, environment_.lanes,
                      values_.data());
    environment_.client.loaded(p.warp, p.number, p.instruction->rd, target.lanes, values_.data());
    const std::uint32_t pending = target.pending;
    target.next = free_targets_;
    free_targets_ = number;
    finish_access(pending);
}

void load_store_unit::deliver_atomic(memory_request& request) {
    const protocol::memory_access& access = request.access();
    const pending_instruction& p = pending_[request.tag];
    lane_mask lanes = 0;
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        values_[access.atomics[i].lane] = access.atomics[i].result;
        lanes |= lane_mask{1} << access.atomics[i].lane;
    }
    environment_.client.loaded(p.warp, p.number, p.instruction->rd, lanes, values_.data());
    finish_access(request.tag);
    write_done(access.warp);
}

}  // namespace heddle
