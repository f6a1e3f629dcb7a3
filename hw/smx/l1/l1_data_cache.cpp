// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/l1/l1_data_cache.h"

#include <cstring>
#include <utility>

#include "hw/base/least_recently_used.h"
#include "models/base/host_cache.h"

namespace heddle {

namespace {

std::uint32_t log2_of(std::uint32_t power) noexcept {
    return static_cast<std::uint32_t>(__builtin_ctz(power));
}

l1_data_cache::answer fail(reservation_fail cause) noexcept {
    return {l1_data_cache::outcome::failed, cause};
}

}  // namespace

l1_data_cache::l1_data_cache(const l1_data_cache_configuration& configuration)
    : line_bytes_(configuration.line),
      line_shift_(log2_of(configuration.line)),
      ways_(configuration.ways),
      set_bits_(0),
      target_limit_(configuration.mshr_targets),
      holds_global_(configuration.cache_global && configuration.size != 0),
      writes_back_(holds_global_ && configuration.policy == write_policy::back),
      allocates_(configuration.missed_store == store_miss::allocate),
      hashes_(configuration.sets == set_index::hashed),
      tags_(configuration.size / configuration.line, no_line),
      lines_(tags_.size()),
      data_(tags_.size() * configuration.line),
      misses_(configuration.mshrs),
      dirty_(writes_back_ ? tags_.size() : 0) {
    if (exists()) set_bits_ = log2_of(static_cast<std::uint32_t>(lines_.size()) / ways_);
    for (std::size_t i = misses_.size(); i-- > 0;) {
        free_misses_.push_back(static_cast<std::uint16_t>(i));
    }
}

std::uint32_t l1_data_cache::first_of(std::uint32_t line) const noexcept {
    if (set_bits_ == 0) return 0;
    const std::uint32_t number = line >> line_shift_;
    std::uint32_t set = number;
    if (hashes_) {
        for (std::uint32_t rest = number >> set_bits_; rest != 0; rest >>= set_bits_) set ^= rest;
    }
    return (set & ((1u << set_bits_) - 1)) * ways_;
}

std::uint32_t l1_data_cache::find(std::uint32_t line, std::uint32_t first) const noexcept {
    for (std::uint32_t place = first; place < first + ways_; ++place) {
        if (tags_[place] == line) return place;
    }
    return nowhere;
}

std::uint32_t l1_data_cache::victim(std::uint32_t first) const noexcept {
    return least_recently_used(
        first, ways_, nowhere, [this](std::uint32_t place) { return tags_[place] == no_line; },
        [this](std::uint32_t place) { return lines_[place].miss == none; },
        [this](std::uint32_t place) { return lines_[place].used; });
}

void l1_data_cache::close(std::uint32_t place) noexcept {
    if (lines_[place].miss != none) misses_[lines_[place].miss].install = false;
    --(lines_[place].is_private ? private_lines_ : global_lines_);
    tags_[place] = no_line;
    lines_[place].valid = {};
    lines_[place].dirty = {};
    lines_[place].miss = none;
}

void l1_data_cache::write_out(std::uint32_t place) {
    const line_state& state = lines_[place];
    has_evicted_ = true;
    evicted_.address = tags_[place];
    evicted_.by = state.by;
    evicted_.is_private = state.is_private;
    evicted_.writers = state.is_private ? owner_set() : dirty_.remove(place);
    evicted_.dirty = state.dirty;
    std::memcpy(evicted_.data.data(), data(place), line_bytes_);
    ++counters_.write_backs;
}

void l1_data_cache::replace(std::uint32_t place, std::uint32_t line, bool is_private,
                            const line_user& by) {
    has_displaced_ = tags_[place] != no_line;
    if (has_displaced_) {
        displaced_ = {tags_[place], lines_[place].by.warp};
        ++counters_.evictions;
        if (is_dirty(place)) write_out(place);
        close(place);
    }
    ++(is_private ? private_lines_ : global_lines_);
    tags_[place] = line;
    lines_[place].is_private = is_private;
    lines_[place].by = by;
}

void l1_data_cache::prefetch(std::uint32_t line) const noexcept {
    if (!exists()) return;
    const std::uint32_t set = first_of(line);
    const std::uint32_t place = find(line, set);
    if (place == nowhere) {  // victim() goes through the set
        for (std::uint32_t way = 0; way < ways_; ++way) __builtin_prefetch(&lines_[set + way]);
        return;
    }
    __builtin_prefetch(&lines_[place]);
    prefetch_bytes(&data_[std::size_t{place} * line_bytes_], line_bytes_);
}

l1_data_cache::answer l1_data_cache::load_global(std::uint32_t line, const byte_mask& bytes,
                                                 unsigned room, const line_user& by) {
    return load(line, bytes, room, false, by);
}

l1_data_cache::answer l1_data_cache::load_private(std::uint32_t line, const byte_mask& bytes,
                                                  unsigned room, const line_user& by) {
    return load(line, bytes, room, true, by);
}

l1_data_cache::answer l1_data_cache::load(std::uint32_t line, const byte_mask& bytes, unsigned room,
                                          bool is_private, const line_user& by) {
    has_evicted_ = false;
    const std::uint32_t set = first_of(line);
    std::uint32_t place = find(line, set);
    if (place != nowhere) {
        line_state& state = lines_[place];
        if (state.valid.covers(bytes)) {
            state.used = ++clock_;
            ++counters_.loads;
            ++counters_.hits;
            return {outcome::hit, {}, {}, data(place)};
        }
        if (state.miss != none) {
            miss_state& miss = misses_[state.miss];
            if (miss.forgotten.any()) return fail(reservation_fail::line_reserved);
            if (miss.targets == target_limit_) return fail(reservation_fail::mshr_merge_full);
            ++miss.targets;
            miss.wanted |= bytes;
            ++counters_.loads;
            ++counters_.mshr_merges;
            return {outcome::pending, {}, miss_register(state.miss)};
        }
    }
    if (free_misses_.empty()) return fail(reservation_fail::mshr_full);
    const bool present = place != nowhere;  // a line of which only some bytes are valid
    if (!present) place = victim(set);
    if (place == nowhere) return fail(reservation_fail::line_reserved);
    const unsigned needed = !present && is_dirty(place) ? 2 : 1;
    if (room < needed) return fail(reservation_fail::miss_queue_full);
    has_displaced_ = false;
    if (!present) replace(place, line, is_private, by);
    const std::uint16_t number = free_misses_.back();
    free_misses_.pop_back();
    ++pending_;
    misses_[number] = {line, place, 1, true, bytes};
    lines_[place].miss = number;
    lines_[place].used = ++clock_;
    ++counters_.loads;
    ++counters_.misses;
    return {outcome::missed, {}, miss_register(number)};
}

l1_data_cache::answer l1_data_cache::store_private(std::uint32_t line, const byte_mask& bytes,
                                                   const std::uint8_t* data, unsigned room,
                                                   const line_user& by) {
    const answer got = store(line, bytes, data, room, true, by);
    counters_.private_stores += got.what == outcome::hit ? 1 : 0;
    return got;
}

l1_data_cache::answer l1_data_cache::keep_global(std::uint32_t line, const byte_mask& bytes,
                                                 const std::uint8_t* data, unsigned room,
                                                 const line_user& by) {
    const std::uint32_t before = find(line);
    const bool same = before != nowhere && !(bytes & ~lines_[before].valid).any() &&
                      equal_bytes(this->data(before), data, bytes);
    answer got = store(line, bytes, data, room, false, by);
    if (got.what != outcome::hit) return got;
    ++counters_.global_stores;
    counters_.changes += same ? 0 : 1;
    const auto place = static_cast<std::uint32_t>((got.data - data_.data()) / line_bytes_);
    got.first_write = dirty_.add(place, by.owner);
    return got;
}

l1_data_cache::answer l1_data_cache::store(std::uint32_t line, const byte_mask& bytes,
                                           const std::uint8_t* data, unsigned room, bool is_private,
                                           const line_user& by) {
    has_evicted_ = false;
    const std::uint32_t set = first_of(line);
    std::uint32_t place = find(line, set);
    if (place == nowhere) {
        place = victim(set);
        if (place == nowhere) return fail(reservation_fail::line_reserved);
        if (is_dirty(place) && room == 0) return fail(reservation_fail::miss_queue_full);
        replace(place, line, is_private, by);
    } else if (holds_back_store(place, bytes)) {
        return fail(reservation_fail::line_reserved);
    }
    line_state& state = lines_[place];
    copy_bytes(this->data(place), data, bytes);
    state.valid |= bytes;
    state.dirty |= bytes;
    state.used = ++clock_;
    return {outcome::hit, {}, {}, this->data(place)};
}

/// Loads that wait for the fill must not see a later store.
bool l1_data_cache::holds_back_store(std::uint32_t place, const byte_mask& bytes) const noexcept {
    const line_state& state = lines_[place];
    if (state.miss == none) return false;
    const miss_state& miss = misses_[state.miss];
    return state.is_private || miss.forgotten.any() || (miss.wanted & bytes).any();
}

void l1_data_cache::store_global(std::uint32_t line, const byte_mask& bytes,
                                 const std::uint8_t* data) {
    if (global_lines_ == 0) return;
    const std::uint32_t place = find(line);
    if (place == nowhere) return;
    if (lines_[place].miss != none) {
        close(place);
        return;
    }
    copy_bytes(this->data(place), data, bytes);
}

void l1_data_cache::change(std::uint32_t address, std::uint8_t value) noexcept {
    if (!exists()) return;
    const std::uint32_t offset = address % line_bytes_;
    const std::uint32_t place = find(address - offset);
    if (place != nowhere) data(place)[offset] = value;
}

l1_data_cache::answer l1_data_cache::drop_global(std::uint32_t line, unsigned room) {
    has_evicted_ = false;
    return flush(global_lines_ == 0 ? nowhere : find(line), room);
}

l1_data_cache::answer l1_data_cache::flush_private(std::uint32_t line, unsigned room) {
    has_evicted_ = false;
    return flush(find(line), room);
}

l1_data_cache::answer l1_data_cache::flush(std::uint32_t place, unsigned room) {
    if (place == nowhere) return {outcome::hit};
    const line_state& state = lines_[place];
    // Loads that wait for the fill may want bytes that are here and that memory has not got.
    const bool waited_for =
        state.miss != none && (state.valid.any() || misses_[state.miss].forgotten.any());
    if (waited_for) return fail(reservation_fail::line_reserved);
    if (is_dirty(place)) {
        if (room == 0) return fail(reservation_fail::miss_queue_full);
        write_out(place);
    }
    close(place);
    ++counters_.lines_dropped;
    return {outcome::hit};
}

l1_data_cache::answer l1_data_cache::clean_global(std::uint32_t line, unsigned room) {
    has_evicted_ = false;
    const std::uint32_t place = dirty_.oldest() == dirty_lines::none ? nowhere : find(line);
    if (place == nowhere || !is_dirty(place)) return {outcome::hit};
    if (room == 0) return fail(reservation_fail::miss_queue_full);
    clean(place);
    return {outcome::hit};
}

void l1_data_cache::clean_oldest() {
    clean(dirty_.oldest());
}

/// Also while a fill is under way: it leaves valid bytes alone.
void l1_data_cache::clean(std::uint32_t place) {
    write_out(place);
    lines_[place].dirty = {};
    ++counters_.lines_cleaned;
}

const std::uint8_t* l1_data_cache::fill(miss_register number, const std::uint8_t* from) {
    miss_state& miss = misses_[number.value()];
    free_misses_.push_back(static_cast<std::uint16_t>(number.value()));
    --pending_;
    if (!miss.install) {
        ++counters_.fills_not_installed;
        return from;
    }
    line_state& state = lines_[miss.place];
    const byte_mask missing = byte_mask::bytes(0, line_bytes_) & ~(state.valid | miss.forgotten);
    copy_bytes(data(miss.place), from, missing);
    state.valid |= missing;
    state.miss = none;
    if (miss.forgotten.any()) forget(miss.place);
    return data(miss.place);
}

void l1_data_cache::invalidate_global() {
    unsigned left = global_lines_;
    for (std::uint32_t place = 0; left != 0; ++place) {
        if (tags_[place] == no_line || lines_[place].is_private) continue;
        --left;
        forget(place);
    }
}

void l1_data_cache::forget(std::uint32_t place) {
    line_state& state = lines_[place];
    if (state.miss != none) {
        byte_mask& forgotten = misses_[state.miss].forgotten;
        if (forgotten.any()) return;
        if (state.valid.any()) {
            std::swap(forgotten, state.valid);
            return;
        }
    } else if (state.dirty.any()) {
        state.valid = state.dirty;
        return;
    }
    close(place);
    ++counters_.lines_dropped;
}

std::optional<std::uint32_t> l1_data_cache::dirty_private(std::uint64_t low, std::uint64_t high,
                                                          std::size_t& from) const {
    if (private_lines_ == 0) from = lines_.size();
    while (from < lines_.size()) {
        const std::uint32_t line = tags_[from];
        const line_state& state = lines_[from++];
        const bool inside = line != no_line && line >= low && line < high;
        if (inside && state.is_private && state.dirty.any()) return line;
    }
    return std::nullopt;
}

void l1_data_cache::discard_private(std::uint64_t low, std::uint64_t high) {
    if (private_lines_ == 0) return;
    for (std::uint32_t place = 0; place < lines_.size(); ++place) {
        if (tags_[place] == no_line || !lines_[place].is_private) continue;
        if (tags_[place] < low || tags_[place] >= high) continue;
        close(place);
        ++counters_.lines_discarded;
    }
}

}  // namespace heddle
