// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/l2_cache.h"

#include "hw/l2/line_operations.h"
#include "models/base/bits.h"
#include "models/base/round_up.h"
#include "models/device/written_pages.h"

namespace heddle {

using protocol::memory_access;

l2_cache::l2_cache(const l2_configuration& configuration)
    : configuration_(configuration),
      line_shift_(bits::first(configuration.line)),
      keeps_lines_(configuration.size != 0),
      lines_(configuration),
      misses_(configuration.mshrs, configuration.mshr_targets),
      write_buffer_(configuration.write_buffer, configuration.line) {}

l2_cache::outcome l2_cache::stalled(stall why) {
    reason_ = why;
    return outcome::stalled;
}

void l2_cache::count(const memory_access& access) {
    ++counts_.accesses;
    if (access.kind == protocol::memory_kind::atomic) {
        ++counts_.atomics;
    } else {
        ++(writes(access) ? counts_.stores : counts_.loads);
    }
}

byte_mask l2_cache::missing(const payload& request, const memory_access& access,
                            line_store::index way) const {
    return bytes_read(request, access, configuration_.line) & ~lines_.at(way).valid;
}

void l2_cache::perform(payload& request, memory_access& access, line_store::index way) {
    const bool changed = perform_access(request, access, lines_.at(way), lines_.data(way),
                                        configuration_.line, reserved_);
    // Without lines of its own the bank never holds a store's bytes; the memory tells.
    const bool known = keeps_lines_ || access.kind == protocol::memory_kind::atomic;
    counts_.changes += changed && known ? 1 : 0;
    if (written_ != nullptr && writes(access)) written_->mark(request.get_address());
    lines_.touch(way);
}

void l2_cache::evict(line_store::index way) {
    const line_store::state& state = lines_.at(way);
    if (lines_.line(way) == line_store::no_line) {
        return;
    }
    ++counts_.evictions;
    if (state.dirty.any()) {
        write_buffer_.take(lines_.line(way), lines_.data(way), state.dirty, state.writer);
    }
    lines_.release(way);
}

line_store::index l2_cache::bring_in(std::uint64_t line) {
    const line_store::index way = lines_.victim(line);
    if (way == line_store::none) {
        stalled(stall::ways);
        return way;
    }
    const std::uint64_t old = lines_.line(way);
    if (old != line_store::no_line && lines_.at(way).dirty.any() && !write_buffer_.can_take(old)) {
        stalled(stall::write_buffer);
        return line_store::none;
    }
    evict(way);
    lines_.install(way, line);
    lines_.at(way).valid = write_buffer_.overlay(line, lines_.data(way));
    return way;
}

bool l2_cache::can_leave(const memory_access& access, line_store::index way,
                         std::uint64_t line) const {
    const bool dirty = writes(access) || (way != line_store::none && lines_.at(way).dirty.any());
    return keeps_lines_ || !dirty || write_buffer_.can_take(line);
}

l2_cache::outcome l2_cache::access(payload& request, memory_access& access) {
    const std::uint64_t line = request.get_address() >> line_shift_;
    line_store::index way = lines_.find(line);
    // (1) a line that is being fetched: wait behind the others, in order
    const line_store::miss fetching =
        way == line_store::none ? line_store::no_miss : lines_.fetched_by(way);
    if (fetching != line_store::no_miss) {
        miss_table::entry& entry = misses_.at(fetching);
        if (entry.targets.full()) {
            return stalled(stall::mshr_targets);
        }
        entry.targets.push(&request);
        ++counts_.mshr_merges;
        count(access);
        return outcome::merged;
    }
    // (2) the line is here, or is given a place
    const bool is_new = way == line_store::none;
    if (is_new) {
        const bool may_fetch = bytes_read(request, access, configuration_.line).any();
        if (may_fetch && misses_.full()) {
            return stalled(stall::misses);
        }
        if (!can_leave(access, way, line)) {
            return stalled(stall::write_buffer);
        }
        way = bring_in(line);
        if (way == line_store::none) {
            return outcome::stalled;
        }
    }
    // (3) bytes that are needed and not there are fetched
    const byte_mask lacking = missing(request, access, way);
    if (lacking.any()) {
        if (misses_.full()) {
            return stalled(stall::misses);
        }
        const miss_table::index at = misses_.allocate(way);
        lines_.fetch(way, at);
        misses_.at(at).targets.push(&request);
        want_fetch(at, lacking);
        ++counts_.misses;
        count(access);
        return outcome::missed;
    }
    // (4) everything is here
    perform(request, access, way);
    ++(is_new ? counts_.misses : counts_.hits);
    count(access);
    if (!keeps_lines_) {
        evict(way);
    }
    return outcome::performed;
}

void l2_cache::want_fetch(miss_table::index at, const byte_mask& bytes) {
    miss_table::entry& entry = misses_.at(at);
    const unsigned sector = configuration_.sector;
    entry.first = bytes.first() / sector * sector;
    entry.length = static_cast<unsigned>(round_up(bytes.end(), sector)) - entry.first;
    misses_.to_fetch().push(at);
}

l2_cache::payload* l2_cache::replay() {
    const miss_table::index at = misses_.ready().front();
    miss_table::entry& entry = misses_.at(at);
    payload& request = *entry.targets.front();
    memory_access& access = *protocol::access_of(request);
    reason_ = stall::none;
    if (entry.targets.size() == 1 && !can_leave(access, entry.way, lines_.line(entry.way))) {
        stalled(stall::write_buffer);
        return nullptr;
    }
    if (entry.status != tlm::TLM_OK_RESPONSE) {
        request.set_response_status(entry.status);
        entry.status = tlm::TLM_OK_RESPONSE;  // the next access tries for itself
        ++counts_.errors;
    } else {
        const byte_mask lacking = missing(request, access, entry.way);
        if (lacking.any()) {
            misses_.ready().pop();
            want_fetch(at, lacking);
            return nullptr;
        }
        perform(request, access, entry.way);
        access.times.fetch = entry.times;
    }
    entry.targets.pop();
    if (entry.targets.empty()) {
        close(at);
    }
    return &request;
}

void l2_cache::close(miss_table::index at) {
    const line_store::index way = misses_.at(at).way;
    misses_.ready().pop();
    misses_.free(at);
    lines_.fetched(way);
    if (!keeps_lines_) {
        evict(way);
    }
}

l2_cache::memory_request l2_cache::next_memory_request() {
    using kind = memory_request::kind;
    memory_request request;
    const bool fetches = !misses_.to_fetch().empty();
    const write_buffer::index waiting =
        fetches && !write_buffer_.full() ? write_buffer::none : write_buffer_.next();
    if (waiting != write_buffer::none) {
        write_buffer::entry& entry = write_buffer_.at(waiting);
        const std::uint64_t base = write_buffer_.line(waiting) * configuration_.line;
        request.slot = waiting;
        request.launch = entry.writer;
        if (write_buffer_.needs_fill(waiting)) {
            request.what = kind::fill;
            request.address = base;
            request.length = configuration_.line;
            request.data = entry.fill;
            request.enabled = byte_mask::bytes(0, configuration_.line);
            return request;
        }
        const unsigned sector = configuration_.sector;
        const unsigned first = entry.dirty.first() / sector * sector;
        request.what = kind::write;
        request.address = base + first;
        request.length = static_cast<unsigned>(round_up(entry.dirty.end(), sector)) - first;
        request.data = entry.data + first;
        request.enabled = entry.dirty.moved_down(first);
        request.whole = request.enabled == byte_mask::bytes(0, request.length);
        return request;
    }
    if (fetches) {
        const miss_table::index at = misses_.to_fetch().front();
        miss_table::entry& entry = misses_.at(at);
        request.what = kind::fetch;
        request.slot = at;
        request.address = lines_.line(entry.way) * configuration_.line + entry.first;
        request.length = entry.length;
        request.data = entry.data + entry.first;
        request.enabled = byte_mask::bytes(0, entry.length);
        request.cause = protocol::access_of(*entry.targets.front());
        request.launch = request.cause->launch;
    }
    return request;
}

void l2_cache::sent(const memory_request& request) {
    using kind = memory_request::kind;
    switch (request.what) {
        case kind::fetch:
            misses_.to_fetch().pop();
            ++counts_.fetches;
            break;
        case kind::fill:
            write_buffer_.set_stage(request.slot, write_buffer::stage::filling);
            ++counts_.fetches;
            break;
        case kind::write:
            write_buffer_.set_stage(request.slot, write_buffer::stage::writing);
            ++counts_.write_backs;
            break;
        case kind::none:
            break;
    }
}

void l2_cache::answered(const request_name& request, tlm::tlm_response_status status,
                        const protocol::fetch_times& times) {
    using kind = request_name::kind;
    if (request.what == kind::fetch) {
        miss_table::entry& entry = misses_.at(request.slot);
        entry.status = status;
        entry.times = times;
        if (status == tlm::TLM_OK_RESPONSE) {
            line_store::state& line = lines_.at(entry.way);
            const byte_mask filled = byte_mask::bytes(entry.first, entry.length) & ~line.valid;
            copy_bytes(lines_.data(entry.way), entry.data, filled);
            line.valid |= filled;
        }
        misses_.ready().push(request.slot);
        return;
    }
    if (request.what == kind::fill) {
        if (status == tlm::TLM_OK_RESPONSE) {
            write_buffer_.filled(request.slot);
        } else {
            write_buffer_.finished(request.slot);  // the bank has reported it
        }
    } else if (status == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE && !request.whole) {
        write_buffer_.demand_whole_lines();
        write_buffer_.set_stage(request.slot, write_buffer::stage::waiting);
    } else {
        write_buffer_.finished(request.slot);
    }
}

byte_mask l2_cache::read_debug(std::uint64_t line, std::uint8_t* data) const {
    byte_mask found = write_buffer_.overlay(line, data);
    const line_store::index way = lines_.find(line);
    if (way != line_store::none) {
        copy_bytes(data, lines_.data(way), lines_.at(way).valid);
        found |= lines_.at(way).valid;
    }
    return found;
}

void l2_cache::write_debug(std::uint64_t line, const std::uint8_t* data, const byte_mask& bytes) {
    write_buffer_.write_debug(line, data, bytes);
    const line_store::index way = lines_.find(line);
    if (way != line_store::none) {
        // valid from now on, so that a fetch under way does not bring older bytes
        copy_bytes(lines_.data(way), data, bytes);
        lines_.at(way).valid |= bytes;
    }
    const std::uint64_t first = line * configuration_.line;
    for (unsigned word = 0; word < configuration_.line && !reserved_.empty(); word += 4) {
        if ((bytes & byte_mask::bytes(word, 4)).any()) {
            reserved_.broken(first + word);
        }
    }
}

}  // namespace heddle
