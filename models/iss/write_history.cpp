// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/write_history.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/program/address_map.h"

namespace heddle::iss {
namespace {

/// 0xff in each byte of a word whose bit is set.
std::uint32_t bits_of(std::uint8_t bytes) noexcept {
    std::uint32_t bits = 0;
    for (unsigned b = 0; b < 4; ++b) bits |= (bytes >> b & 1) != 0 ? 0xffu << 8 * b : 0;
    return bits;
}

/// Of one SMX, in one turn, but of different instructions: neither comes first.
bool together(const write_history::place& a, const write_history::place& b) noexcept {
    return a.sm == b.sm && a.turn == b.turn && a.instruction != b.instruction;
}

/// In front of the other one in the order of issue of one SMX.
bool precedes(const write_history::place& a, const write_history::place& b) noexcept {
    if (a.sm != b.sm) return false;
    if (a.turn != b.turn) return a.turn < b.turn;
    return a.instruction == b.instruction && a.lane < b.lane;
}

}  // namespace

write_history::write_history()
    : settled_(program::address_space_bytes),
      pages_(program::address_space_bytes / 4 / page_words) {}

void write_history::set(std::uint32_t address, const void* from, std::size_t bytes) {
    std::memcpy(settled_.data() + address, from, bytes);
}

const write_history::word* write_history::find(std::uint32_t address) const noexcept {
    const page* const p = pages_[address / 4 / page_words].get();
    if (p == nullptr) return nullptr;
    const std::uint32_t index = (*p)[address / 4 % page_words];
    return index == none || words_[index].first == none ? nullptr : &words_[index];
}

void write_history::restart(std::uint32_t address, std::size_t bytes) {
    std::memset(settled_.data() + address, 0, bytes);
    for (std::uint32_t at = address; at - address < bytes; at += 4) {
        const page* const p = pages_[at / 4 / page_words].get();
        const std::uint32_t index = p == nullptr ? none : (*p)[at / 4 % page_words];
        if (index == none) continue;
        std::uint32_t id = words_[index].first;
        while (id != none) {
            const std::uint32_t next = writes_[id].next;
            free_.give_back(id);
            id = next;
        }
        words_[index] = {at};
    }
}

write_history::word& write_history::find_or_make(std::uint32_t address) {
    std::unique_ptr<page>& p = pages_[address / 4 / page_words];
    if (p == nullptr) {
        p = std::make_unique<page>();
        p->fill(none);
    }
    std::uint32_t& index = (*p)[address / 4 % page_words];
    if (index == none) {
        index = static_cast<std::uint32_t>(words_.size());
        words_.push_back({address});
    }
    return words_[index];
}

write_history::write_id write_history::add(const write& added, std::uint32_t address) {
    word& of = find_or_make(address);
    if (of.count > of.prune_above) {
        prune(of);
        of.prune_above = std::max(least_pruned, 2 * of.count);
    }
    write_id id;
    if (free_.empty()) {
        id = static_cast<write_id>(writes_.size());
        writes_.push_back(added);
    } else {
        id = free_.take();
        writes_[id] = added;
    }
    of.whole &= added.bytes == 0xf;
    of.one_writer &= of.whole && (of.first == none || precedes(writes_[of.first].at, added.at));
    writes_[id].next = of.first;
    of.first = id;
    ++of.count;
    return id;
}

write_history::write_id write_history::begin(const word_part& what, const place& at,
                                             std::uint64_t time, origin by) {
    write w;
    w.at = at;
    w.begin = time;
    w.value = what.value;
    w.by = by;
    w.bytes = what.bytes;
    return add(w, what.address);
}

write_history::write_id write_history::begin_unknown(std::uint32_t address, const place& at,
                                                     std::uint64_t time, origin by, bool atomic) {
    write w;
    w.at = at;
    w.begin = time;
    w.by = by;
    w.bytes = 0xf;
    w.known = false;
    w.atomic = atomic;
    return add(w, address);
}

void write_history::know(write_id id, std::uint32_t value) noexcept {
    writes_[id].value = value;
    writes_[id].known = true;
}

void write_history::cancel(write_id id) noexcept {
    writes_[id].cancelled = true;
    writes_[id].known = true;
    writes_[id].end = 0;
}

bool write_history::store_under_way(std::uint32_t address) const noexcept {
    const word* const of = find(address);
    if (of == nullptr) return false;
    for (std::uint32_t id = of->first; id != none; id = writes_[id].next) {
        if (!writes_[id].atomic && writes_[id].end == never) return true;
    }
    return false;
}

/// Writes that come before one which every further read sees can't be read any more.
void write_history::prune(word& of) {
    std::uint64_t replaced_at = 0;
    for (std::uint32_t id = of.first; id != none; id = writes_[id].next) {
        const write& w = writes_[id];
        // One that covers the word replaces whatever there was in it.
        if (w.known && !w.cancelled && w.bytes == 0xf && w.end <= horizon_) {
            replaced_at = std::max(replaced_at, w.begin);
        }
    }
    std::uint32_t* link = &of.first;
    while (*link != none) {
        write& w = writes_[*link];
        if (!w.known || w.end > replaced_at || w.begin == replaced_at) {
            link = &w.next;
            continue;
        }
        free_.give_back(*link);
        *link = w.next;
        --of.count;
    }
}

std::uint32_t write_history::settled_value(std::uint32_t address) const noexcept {
    std::uint32_t value = 0;
    std::memcpy(&value, settled_.data() + address, sizeof value);
    return value;
}

bool write_history::before(const write& a, const write& b) noexcept {
    // Writes that take no time may end when others begin.
    const bool ended = a.end <= b.begin && b.end > a.begin;
    return precedes(a.at, b.at) || (ended && !precedes(b.at, a.at));
}

bool write_history::sees(const read& by, const write& w) noexcept {
    return precedes(w.at, by.at) || (w.end <= by.from && !issued_later(by, w));
}

bool write_history::issued_later(const read& by, const write& w) noexcept {
    return w.at.sm == by.at.sm && !precedes(w.at, by.at) && !together(w.at, by.at);
}

bool write_history::replaced(const word& of, const write* older, std::uint8_t bytes,
                             const read& by) const noexcept {
    for (std::uint32_t id = of.first; id != none; id = writes_[id].next) {
        const write& w = writes_[id];
        if (&w == older || w.cancelled || (w.bytes & bytes) == 0 || !sees(by, w)) continue;
        if (older == nullptr || before(*older, w)) return true;
    }
    return false;
}

bool write_history::may_see(const word& of, const write& w, std::uint8_t bytes,
                            const read& by) const noexcept {
    return !w.cancelled && !issued_later(by, w) && (w.bytes & bytes) != 0 &&
           !replaced(of, &w, bytes, by);
}

write_history::verdict write_history::judge_bytes(const word& of, std::uint8_t bytes,
                                                  std::uint32_t value, const read& by) const {
    const std::uint32_t bits = bits_of(bytes);
    const auto any = [&](auto&& wanted) {
        for (std::uint32_t id = of.first; id != none; id = writes_[id].next) {
            const write& w = writes_[id];
            if (wanted(w) && may_see(of, w, bytes, by)) return true;
        }
        return false;
    };
    const auto same = [&](const write& w) { return w.known && ((w.value ^ value) & bits) == 0; };
    const bool settled_same = ((settled_value(of.address) ^ value) & bits) == 0;
    const bool settled_seen = !replaced(of, nullptr, bytes, by);
    if (!(settled_same && settled_seen) && !any(same)) {
        const bool open = any([](const write& w) { return !w.known; });
        return open ? verdict::open : verdict::impossible;
    }
    if (by.takes_part) return verdict::one_of_several;
    const bool several =
        (settled_seen && !settled_same) || any([&](const write& w) { return !same(w); });
    return several ? verdict::one_of_several : verdict::exact;
}

write_history::verdict write_history::judge_word(const word& of, std::uint8_t bytes,
                                                 std::uint32_t value, const read& by) const {
    const write& newest = writes_[of.first];
    if (of.one_writer && newest.known && !newest.cancelled && sees(by, newest)) {
        // All others come before it.
        const bool same = ((newest.value ^ value) & bits_of(bytes)) == 0;
        return same ? verdict::exact : verdict::impossible;
    }
    if (of.count > believe_above) return verdict::one_of_several;
    if (of.whole) return judge_bytes(of, bytes, value, by);
    verdict worst = verdict::exact;
    for (unsigned b = 0; b < 4; ++b) {
        const auto bit = static_cast<std::uint8_t>(1u << b);
        if ((bytes & bit) != 0) worst = std::max(worst, judge_bytes(of, bit, value, by));
    }
    return worst;
}

write_history::verdict write_history::judge(const word_part& found, const read& by) const {
    if (const word* const of = find(found.address)) {
        return judge_word(*of, found.bytes, found.value, by);
    }
    const std::uint32_t wrong = settled_value(found.address) ^ found.value;
    return (wrong & bits_of(found.bytes)) == 0 ? verdict::exact : verdict::impossible;
}

write_history::possible_values write_history::possible_of_bytes(const word& of, std::uint8_t bytes,
                                                                const read& by) const {
    const std::uint32_t bits = bits_of(bytes);
    possible_values all;
    const auto add = [&](std::uint32_t value) {
        const auto same = [&](std::uint32_t other) { return ((value ^ other) & bits) == 0; };
        if (!std::any_of(all.values.begin(), all.values.end(), same)) all.values.push_back(value);
    };
    for (std::uint32_t id = of.first; id != none; id = writes_[id].next) {
        const write& w = writes_[id];
        if (!may_see(of, w, bytes, by)) continue;
        all.open |= !w.known;
        if (w.known) add(w.value);
    }
    if (!replaced(of, nullptr, bytes, by)) add(settled_value(of.address));
    return all;
}

write_history::possible_values write_history::possible_in(const word& of, const word_part& found,
                                                          const read& by) const {
    std::uint32_t base = found.value;  // with bytes that may be so
    std::uint32_t varying = 0;
    possible_values shown;
    for (unsigned b = 0; b < 4; b += of.whole ? 4 : 1) {
        const auto bytes = static_cast<std::uint8_t>((of.whole ? 0xfu : 1u << b) & found.bytes);
        if (bytes == 0) continue;
        const std::uint32_t bits = bits_of(bytes);
        possible_values all = possible_of_bytes(of, bytes, by);
        const auto same = [&](std::uint32_t value) { return ((value ^ base) & bits) == 0; };
        if (std::any_of(all.values.begin(), all.values.end(), same)) continue;
        if (!all.values.empty()) base = (base & ~bits) | (all.values.front() & bits);
        if (varying != 0) continue;
        varying = bits;
        shown = std::move(all);
    }
    if (varying == 0) return {{base}, 0, false};
    for (std::uint32_t& value : shown.values) value = (base & ~varying) | (value & varying);
    if (shown.values.size() > most_shown) {
        shown.others = shown.values.size() - most_shown;
        shown.values.resize(most_shown);
    }
    return shown;
}

write_history::possible_values write_history::possible(const word_part& found,
                                                       const read& by) const {
    const word* const of = find(found.address);
    return of == nullptr ? possible_values{{settled_value(found.address)}, 0, false}
                         : possible_in(*of, found, by);
}

std::optional<write_history::lost_write> write_history::settle(
    const std::function<std::uint32_t(std::uint32_t, const expected_word&)>& memory) {
    std::sort(words_.begin(), words_.end(),
              [](const word& a, const word& b) { return a.address < b.address; });
    const read last{{none, never}, never};
    std::optional<lost_write> lost;
    for (const word& of : words_) {
        (*pages_[of.address / 4 / page_words])[of.address / 4 % page_words] = none;
        if (of.first == none) continue;
        const auto best = [&](std::uint32_t otherwise) {
            const auto possible = possible_in(of, {of.address, 0xf, otherwise}, last);
            return possible.values.empty() ? otherwise : possible.values.front();
        };
        const std::uint32_t settled = settled_value(of.address);
        const std::uint32_t found = memory(of.address, [&] { return best(settled); });
        if (!lost && judge_word(of, 0xf, found, last) == verdict::impossible) {
            const std::uint32_t expected = best(found);
            lost = lost_write{{of.address, 0xf, expected}, found, {}};
            for (std::uint32_t id = of.first; id != none; id = writes_[id].next) {
                if (((expected ^ found) & bits_of(writes_[id].bytes)) == 0) continue;
                lost->by = writes_[id].by;
                break;
            }
        }
        std::memcpy(settled_.data() + of.address, &found, sizeof found);
    }
    words_.clear();
    writes_.clear();
    free_ = free_list<write_id>();
    return lost;
}

}  // namespace heddle::iss
