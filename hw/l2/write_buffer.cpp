// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/write_buffer.h"

#include <algorithm>

namespace heddle {

write_buffer::write_buffer(std::uint32_t entries, std::uint32_t line_bytes)
    : line_bytes_(line_bytes), heads_(entries), entries_(entries), free_(entries) {
    order_.reserve(entries);
}

write_buffer::index write_buffer::newest(std::uint64_t line) const {
    if (alike(line) == 0) return none;
    for (std::size_t i = order_.size(); i-- > 0;) {
        if (heads_[order_[i]].line == line) {
            return order_[i];
        }
    }
    return none;
}

bool write_buffer::can_take(std::uint64_t line) const {
    if (!full()) {
        return true;
    }
    const index at = newest(line);
    return at != none && heads_[at].now == stage::waiting;
}

void write_buffer::take(std::uint64_t line, const std::uint8_t* data, const byte_mask& dirty,
                        protocol::launch_id writer) {
    index at = newest(line);
    if (at == none || heads_[at].now != stage::waiting) {
        at = free_.take();
        order_.push_back(at);
        ++alike(line);
        change_stage(at, stage::waiting);
        heads_[at].line = line;
        entries_[at].dirty = {};
    }
    entry& e = entries_[at];
    copy_bytes(e.data, data, dirty);
    e.dirty |= dirty;
    e.writer = writer;
}

byte_mask write_buffer::overlay(std::uint64_t line, std::uint8_t* data) const {
    byte_mask found;
    if (alike(line) == 0) return found;
    for (const index at : order_) {  // oldest first: newer bytes replace older ones
        if (heads_[at].line == line) {
            const entry& e = entries_[at];
            copy_bytes(data, e.data, e.dirty);
            found |= e.dirty;
        }
    }
    return found;
}

void write_buffer::write_debug(std::uint64_t line, const std::uint8_t* data,
                               const byte_mask& bytes) {
    if (alike(line) == 0) return;
    for (const index at : order_) {
        if (heads_[at].line == line) {
            entry& e = entries_[at];
            copy_bytes(e.data, data, bytes);
            if (heads_[at].now == stage::filling) {
                e.dirty |= bytes;  // what the fill brings may be older
            }
        }
    }
}

void write_buffer::set_stage(index at, stage now) {
    change_stage(at, now);
    if (now == stage::waiting) first_ = 0;
}

void write_buffer::change_stage(index at, stage now) {
    waiting_ += (now == stage::waiting ? 1U : 0U) - (heads_[at].now == stage::waiting ? 1U : 0U);
    heads_[at].now = now;
}

write_buffer::index write_buffer::next() {
    if (waiting_ == 0) return none;
    while (heads_[order_[first_]].now != stage::waiting) ++first_;
    for (std::size_t i = first_; i < order_.size(); ++i) {
        const head& e = heads_[order_[i]];
        const auto same_line = [&](index older) { return heads_[older].line == e.line; };
        if (e.now == stage::waiting &&
            (alike(e.line) == 1 ||
             std::none_of(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(i),
                          same_line))) {
            return order_[i];
        }
    }
    return none;
}

bool write_buffer::needs_fill(index at) const {
    return whole_lines_ && entries_[at].dirty != byte_mask::bytes(0, line_bytes_);
}

void write_buffer::filled(index at) {
    entry& e = entries_[at];
    const byte_mask whole = byte_mask::bytes(0, line_bytes_);
    copy_bytes(e.data, e.fill, whole & ~e.dirty);
    e.dirty = whole;
    set_stage(at, stage::waiting);
}

void write_buffer::finished(index at) {
    change_stage(at, stage::free);
    --alike(heads_[at].line);
    const auto place = std::find(order_.begin(), order_.end(), at);
    if (static_cast<std::size_t>(place - order_.begin()) < first_) --first_;
    order_.erase(place);
    free_.give_back(at);
}

}  // namespace heddle
