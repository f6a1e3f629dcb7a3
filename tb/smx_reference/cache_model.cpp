// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/cache_model.h"

#include <algorithm>

namespace heddle::smx_reference {

std::uint32_t cache_model::set_of(std::uint32_t address) const {
    const std::uint32_t sets = configuration_.size / configuration_.line / configuration_.ways;
    std::uint32_t set = 0;
    if (sets == 1) return 0;
    for (std::uint32_t number = address / configuration_.line; number != 0; number /= sets) {
        set ^= number % sets;
    }
    return set;
}

cache_model::place cache_model::find(std::uint32_t address) {
    return std::find_if(lines_.begin(), lines_.end(),
                        [&](const line& l) { return l.address == address; });
}

std::optional<cache_model::choice> cache_model::choose(std::uint32_t address) {
    std::uint32_t members = 0;
    place oldest = lines_.end();
    for (auto l = lines_.begin(); l != lines_.end(); ++l) {
        if (set_of(l->address) != set_of(address)) continue;
        ++members;
        if (l->fill) continue;
        if (oldest == lines_.end() || l->used < oldest->used) oldest = l;
    }
    if (members < configuration_.ways) return choice{false, lines_.end()};
    if (oldest == lines_.end()) return std::nullopt;
    return choice{true, oldest};
}

void cache_model::give_way(place victim, answer& result) {
    result.displaced = {victim->address, victim->warp};
    ++counts_.evictions;
    if (!victim->dirty.empty()) {
        ++counts_.write_backs;
        result.out = write_back{victim->address, victim->dirty, victim->warp};
    }
    lines_.erase(victim);
}

void cache_model::take_away(place at) {
    if (at->fill) misses_.at(*at->fill).kept = false;
    lines_.erase(at);
}

cache_model::answer cache_model::load(std::uint32_t address, const bytes& wanted, bool is_private,
                                      unsigned room, unsigned warp) {
    answer result;
    const auto refuse = [&](cause why) {
        result.what = outcome::refused;
        result.why = why;
        return result;
    };
    place at = find(address);
    const bool present = at != lines_.end();
    if (present &&
        std::includes(at->valid.begin(), at->valid.end(), wanted.begin(), wanted.end())) {
        at->used = ++clock_;
        ++counts_.loads;
        ++counts_.hits;
        return result;
    }
    if (present && at->fill) {
        miss& pending = misses_.at(*at->fill);
        if (pending.targets == configuration_.mshr_targets) return refuse(cause::mshr_merge_full);
        ++pending.targets;
        ++counts_.loads;
        ++counts_.joins;
        result.what = outcome::joins;
        result.fill = *at->fill;
        return result;
    }
    if (misses_.size() == configuration_.mshrs) return refuse(cause::mshr_full);
    if (!present) {
        const std::optional<choice> chosen = choose(address);
        if (!chosen) return refuse(cause::line_reserved);
        const bool dirty = chosen->full && !chosen->victim->dirty.empty();
        if (room < (dirty ? 2U : 1U)) return refuse(cause::miss_queue_full);
        if (chosen->full) give_way(chosen->victim, result);
        lines_.push_back({address, is_private, warp, {}, {}, 0, {}});
        at = lines_.end() - 1;
    } else if (room < 1) {
        return refuse(cause::miss_queue_full);
    }
    at->fill = fills_++;
    at->used = ++clock_;
    misses_[*at->fill] = {};
    ++counts_.loads;
    ++counts_.misses;
    result.what = outcome::misses;
    result.fill = *at->fill;
    return result;
}

cache_model::answer cache_model::store_private(std::uint32_t address, const bytes& written,
                                               unsigned room, unsigned warp) {
    answer result;
    place at = find(address);
    if (at == lines_.end()) {
        const std::optional<choice> chosen = choose(address);
        result.what = outcome::refused;
        result.why = cause::line_reserved;
        if (!chosen) return result;
        result.why = cause::miss_queue_full;
        if (chosen->full && !chosen->victim->dirty.empty() && room == 0) return result;
        result.what = outcome::hit;
        if (chosen->full) give_way(chosen->victim, result);
        lines_.push_back({address, true, warp, {}, {}, 0, {}});
        at = lines_.end() - 1;
    } else if (at->fill) {
        result.what = outcome::refused;
        result.why = cause::line_reserved;
        return result;
    }
    at->valid.insert(written.begin(), written.end());
    at->dirty.insert(written.begin(), written.end());
    at->used = ++clock_;
    ++counts_.private_stores;
    return result;
}

void cache_model::store_global(std::uint32_t address) {
    const place at = find(address);
    if (at != lines_.end() && at->fill) take_away(at);
}

void cache_model::drop_global(std::uint32_t address) {
    const place at = find(address);
    if (at == lines_.end()) return;
    take_away(at);
    ++counts_.dropped;
}

cache_model::answer cache_model::flush_private(std::uint32_t address, unsigned room) {
    answer result;
    const place at = find(address);
    if (at == lines_.end()) return result;
    if (!at->dirty.empty()) {
        result.what = outcome::refused;
        result.why = at->fill ? cause::line_reserved : cause::miss_queue_full;
        if (at->fill || room == 0) return result;
        result.what = outcome::hit;
        result.out = write_back{at->address, at->dirty, at->warp};
        ++counts_.write_backs;
    }
    take_away(at);
    ++counts_.dropped;
    return result;
}

void cache_model::fill(unsigned number) {
    if (misses_.at(number).kept) {
        for (line& l : lines_) {
            if (l.fill != number) continue;
            l.fill.reset();
            for (std::uint32_t byte = 0; byte < configuration_.line; ++byte) l.valid.insert(byte);
        }
    } else {
        ++counts_.fills_not_kept;
    }
    misses_.erase(number);
}

void cache_model::forget_global() {
    for (auto l = lines_.begin(); l != lines_.end();) {
        if (l->is_private) {
            ++l;
            continue;
        }
        if (l->fill) misses_.at(*l->fill).kept = false;
        l = lines_.erase(l);
        ++counts_.dropped;
    }
}

void cache_model::discard(std::uint64_t low, std::uint64_t high) {
    for (auto l = lines_.begin(); l != lines_.end();) {
        if (!l->is_private || l->address < low || l->address >= high) {
            ++l;
            continue;
        }
        if (l->fill) misses_.at(*l->fill).kept = false;
        l = lines_.erase(l);
        ++counts_.discarded;
    }
}

}  // namespace heddle::smx_reference
