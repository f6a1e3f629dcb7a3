// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/load_store_model.h"

#include <algorithm>
#include <map>

#include "models/program/address_map.h"

namespace heddle::smx_reference {

using isa::instruction_class;
using protocol::memory_kind;

namespace {

bool none_left(const memory_operation& m) {
    return m.shared.empty() && m.constants.empty() && m.read_only.empty() && m.in_private.empty() &&
           m.global.empty();
}

/// The lanes of `left` whose address lies in the piece of `size` bytes of the lowest one.
lane_list together(const lane_list& left, std::uint32_t size) {
    lane_list found;
    for (const lane_address& a : left) {
        if (a.address / size == left.front().address / size) found.push_back(a);
    }
    return found;
}

void remove(lane_list& left, const lane_list& done) {
    for (const lane_address& d : done) {
        left.erase(std::find_if(left.begin(), left.end(),
                                [&](const lane_address& a) { return a.lane == d.lane; }));
    }
}

cache_model::bytes bytes_of(const lane_list& lanes, std::uint32_t line, unsigned size) {
    cache_model::bytes found;
    for (const lane_address& a : lanes) {
        for (unsigned byte = 0; byte < size; ++byte) found.insert(a.address - line + byte);
    }
    return found;
}

constexpr std::uint32_t word = 4;

}  // namespace

load_store_model::load_store_model(const load_store_settings& settings, port_model& port,
                                   unsigned warps, load_store_news news)
    : settings_(settings),
      port_(port),
      news_(std::move(news)),
      l1d_(settings.l1d),
      constants_{cache_model(settings.constant.as_data_cache()), word, settings.constant.ports,
                 settings.constant.hit_latency},
      read_only_{cache_model(settings.read_only.as_data_cache()), settings.read_only.line,
                 settings.read_only.ports, settings.read_only.hit_latency},
      instructions_(warps),
      writes_(warps),
      victims_(warps) {}

void load_store_model::begin_launch() {
    constants_.cache.forget_global();
    read_only_.cache.forget_global();
    l1d_.forget_global();
}

bool load_store_model::takes_constants(std::uint64_t edge) const {
    const bool head_has_some = !queue_.empty() && !queue_.front()->constants.empty();
    return has_constants() && !head_has_some && queue_.size() <= settings_.unit.queue_depth &&
           is_free(constants_, edge);
}

void load_store_model::accept(const operation& what, std::uint64_t edge) {
    const instruction_class cls = what->instruction->cls;
    ++instructions_[what->warp];
    if (cls != instruction_class::load) ++writes_[what->warp];
    ++(cls == instruction_class::load    ? counts_.loads
       : cls == instruction_class::store ? counts_.stores
                                         : counts_.atomics);
    what->accesses = 1;
    const bool only_constants = !what->constants.empty() && what->shared.empty() &&
                                what->read_only.empty() && what->in_private.empty() &&
                                what->global.empty();
    if (only_constants && takes_constants(edge)) {
        (void)access_ported(constants_, what, what->constants, edge);
        if (what->constants.empty()) return end_access(what);
    }
    queue_.push_back(what);
}

void load_store_model::complete(std::uint64_t edge) {
    std::vector<timed_end> later;
    std::vector<timed_end> now;
    for (const timed_end& e : ends_) (e.due <= edge ? now : later).push_back(e);
    ends_ = later;
    for (const timed_end& e : now) end_access(e.what);
}

void load_store_model::cycle(std::uint64_t edge) {
    if (queue_.empty() || edge < banks_busy_until_) return;
    const operation head = queue_.front();
    memory_operation& m = *head;
    if (m.shared.empty() && !m.constants.empty() && !is_free(constants_, edge)) return;
    const refusal why = access(m, head, edge);
    refused_ = why.has_value();
    if (why) {
        ++counts_.fails[*why];
    } else if (none_left(m)) {
        leave_queue();
    }
}

load_store_model::refusal load_store_model::access(memory_operation& m, const operation& head,
                                                   std::uint64_t edge) {
    if (!m.shared.empty()) {
        access_shared(head, edge);
        return {};
    }
    if (!m.constants.empty()) {
        return access_ported(constants_, head, m.constants, edge) ? refusal{} : constant;
    }
    if (!m.read_only.empty()) {
        if (!access_ported(read_only_, head, m.read_only, edge)) return read_only;
        while (!m.read_only.empty() && is_free(read_only_, edge)) {
            if (!access_ported(read_only_, head, m.read_only, edge)) break;
        }
        return {};
    }
    if (!m.in_private.empty()) return access_lines(head, m.in_private, true, edge);
    return access_lines(head, m.global, false, edge);
}

void load_store_model::leave_queue() {
    const operation head = queue_.front();
    queue_.pop_front();
    const bool is_store = head->instruction->cls == instruction_class::store;
    end_access(head);
    if (is_store || head->instruction->cls == instruction_class::atomic) end_write(head->warp);
}

void load_store_model::end_access(const operation& what) {
    if (--what->accesses != 0) return;
    --instructions_[what->warp];
    news_.completed(*what);
}

void load_store_model::end_write(unsigned warp) {
    if (--writes_[warp] == 0) news_.drained(warp);
}

void load_store_model::access_shared(const operation& m, std::uint64_t edge) {
    const instruction_class cls = m->instruction->cls;
    std::map<std::uint32_t, std::vector<std::uint32_t>> words;  // by bank
    for (const lane_address& a : m->shared) {
        auto& bank = words[a.address / word % settings_.shared.banks];
        const bool known = std::find(bank.begin(), bank.end(), a.address / word) != bank.end();
        if (cls == instruction_class::atomic || !known) bank.push_back(a.address / word);
    }
    std::size_t turns = 0;
    for (const auto& [bank, wanted] : words) turns = std::max(turns, wanted.size());
    const bool writes = cls != instruction_class::load;
    banks_busy_until_ = edge + turns * (writes ? settings_.shared.write_interval : 1);
    ++counts_.shared_accesses;
    counts_.shared_conflicts += turns > 1 ? 1 : 0;
    counts_.shared_conflict_turns += turns - 1;
    const lane_list lanes = m->shared;
    m->shared.clear();
    if (cls == instruction_class::store) return;
    news_.loaded(*m, lanes);
    ++m->accesses;
    ends_.push_back(
        {edge + settings_.shared.latency + (turns - 1) * settings_.shared.replay_latency, m});
}

/// True if the access was made.
bool load_store_model::access_ported(ported_cache& c, const operation& m, lane_list& left,
                                     std::uint64_t edge) {
    const lane_list lanes = together(left, c.granule);
    if (load_line(c.cache, c.hit_latency, m, lanes, false, edge)) return false;
    remove(left, lanes);
    c.made = c.last == edge ? c.made + 1 : 1;
    c.last = edge;
    return true;
}

bool load_store_model::uses_l1d(const isa::instruction& i, std::uint32_t line,
                                bool is_private) const {
    if (is_private) return l1d_.exists();
    return l1d_.has_global() && !program::reserve_window.contains(line) && !i.bypasses_l1();
}

load_store_model::refusal load_store_model::access_lines(const operation& m, lane_list& left,
                                                         bool is_private, std::uint64_t edge) {
    const lane_list lanes = together(left, l1d_.line_bytes());
    if (const refusal why = access_line(m, lanes, is_private, edge)) return why;
    remove(left, lanes);
    const std::uint32_t first = lanes.front().address / l1d_.line_bytes();
    if (settings_.l1d.banks > 1) other_banks(m, left, is_private, first, edge);
    return {};
}

void load_store_model::other_banks(const operation& m, lane_list& left, bool is_private,
                                   std::uint32_t first, std::uint64_t edge) {
    const isa::instruction& i = *m->instruction;
    const std::uint32_t size = l1d_.line_bytes();
    if (i.cls == instruction_class::atomic || !uses_l1d(i, first * size, is_private)) return;
    std::set<std::uint32_t> used{first % settings_.l1d.banks};
    bool conflict = false;
    lane_list untried = left;
    while (!untried.empty()) {
        const lane_list lanes = together(untried, size);
        remove(untried, lanes);
        const std::uint32_t line = lanes.front().address / size;
        if (used.count(line % settings_.l1d.banks) != 0) {
            conflict = true;
            continue;
        }
        if (!uses_l1d(i, line * size, is_private) || access_line(m, lanes, is_private, edge)) break;
        used.insert(line % settings_.l1d.banks);
        remove(left, lanes);
    }
    counts_.bank_conflicts += conflict ? 1 : 0;
}

load_store_model::refusal load_store_model::access_line(const operation& m, const lane_list& lanes,
                                                        bool is_private, std::uint64_t edge) {
    const isa::instruction& i = *m->instruction;
    const std::uint32_t line = lanes.front().address / l1d_.line_bytes() * l1d_.line_bytes();
    refusal why;
    if (i.cls == instruction_class::store) {
        why = store_line(m, lanes, is_private, edge);
    } else if (i.cls == instruction_class::atomic) {
        why = atomic_line(m, lanes, is_private, edge);
    } else if (uses_l1d(i, line, is_private)) {
        why = load_line(l1d_, settings_.l1d.hit_latency, m, lanes, is_private, edge);
    } else if (port_.room(port_model::data) == 0) {
        why = miss_queue_full;
    } else {
        load_sectors(m, lanes, edge);
    }
    counts_.line_accesses += why ? 0 : 1;
    return why;
}

load_store_model::refusal load_store_model::load_line(cache_model& cache, std::uint32_t hit_latency,
                                                      const operation& m, const lane_list& lanes,
                                                      bool is_private, std::uint64_t edge) {
    const std::uint32_t size = cache.line_bytes();
    const std::uint32_t line = lanes.front().address / size * size;
    const auto wanted = bytes_of(lanes, line, m->instruction->access_bytes());
    const cache_model::answer got =
        cache.load(line, wanted, is_private, port_.room(port_model::data), m->warp);
    if (got.what == cache_model::outcome::refused) return static_cast<cause>(got.why);
    ++m->accesses;
    if (got.what == cache_model::outcome::hit) {
        news_.loaded(*m, lanes);
        ends_.push_back({edge + hit_latency, m});
        return {};
    }
    if (got.what == cache_model::outcome::misses) {
        if (&cache == &l1d_) note_miss(m->warp, line, got);
        write_back(got, edge);
        port_.send(port_model::data,
                   {memory_kind::load, line, size,
                    [this, &cache, fill = got.fill] { filled(cache, fill); }},
                   edge);
    }
    targets_.push_back({&cache, got.fill, m, lanes});
    return {};
}

void load_store_model::filled(cache_model& cache, unsigned fill) {
    cache.fill(fill);
    std::vector<target> others;
    std::vector<target> served;
    for (const target& t : targets_) {
        (t.cache == &cache && t.fill == fill ? served : others).push_back(t);
    }
    targets_ = others;
    for (const target& t : served) {
        news_.loaded(*t.what, t.lanes);
        end_access(t.what);
    }
}

void load_store_model::load_sectors(const operation& m, const lane_list& lanes,
                                    std::uint64_t edge) {
    const std::uint32_t sector = settings_.unit.sector;
    std::uint32_t low = ~0U;
    std::uint32_t high = 0;
    for (const lane_address& a : lanes) {
        low = std::min(low, a.address / sector * sector);
        high = std::max(high, (a.address / sector + 1) * sector);
    }
    ++m->accesses;
    ++counts_.uncached_loads;
    port_.send(port_model::data,
               {memory_kind::load, low, high - low,
                [this, m, lanes] {
                    news_.loaded(*m, lanes);
                    end_access(m);
                }},
               edge);
}

void load_store_model::write_back(const cache_model::answer& got, std::uint64_t edge) {
    if (!got.out) return;
    const std::uint32_t low = got.out->address + *got.out->dirty.begin() / word * word;
    const std::uint32_t high = got.out->address + (*got.out->dirty.rbegin() / word + 1) * word;
    const unsigned warp = got.out->warp;
    ++writes_[warp];
    port_.send(port_model::data,
               {memory_kind::write_back, low, high - low, [this, warp] { end_write(warp); }}, edge);
}

load_store_model::refusal load_store_model::store_line(const operation& m, const lane_list& lanes,
                                                       bool is_private, std::uint64_t edge) {
    const std::uint32_t size = l1d_.line_bytes();
    const std::uint32_t line = lanes.front().address / size * size;
    const auto written = bytes_of(lanes, line, m->instruction->access_bytes());
    const unsigned room = port_.room(port_model::data);
    if (is_private && l1d_.exists()) {
        const cache_model::answer got = l1d_.store_private(line, written, room, m->warp);
        if (got.what == cache_model::outcome::refused) return static_cast<cause>(got.why);
        write_back(got, edge);
        return {};
    }
    if (room == 0) return miss_queue_full;
    if (l1d_.has_global()) l1d_.store_global(line);
    const std::uint32_t low = line + *written.begin() / word * word;
    const std::uint32_t high = line + (*written.rbegin() / word + 1) * word;
    ++counts_.write_requests;
    ++writes_[m->warp];
    port_.send(port_model::data,
               {memory_kind::store, low, high - low, [this, warp = m->warp] { end_write(warp); }},
               edge);
    return {};
}

load_store_model::refusal load_store_model::atomic_line(const operation& m, const lane_list& lanes,
                                                        bool is_private, std::uint64_t edge) {
    const std::uint32_t size = l1d_.line_bytes();
    const std::uint32_t line = lanes.front().address / size * size;
    if (is_private && l1d_.exists()) {
        const cache_model::answer got = l1d_.flush_private(line, port_.room(port_model::data));
        if (got.what == cache_model::outcome::refused) return static_cast<cause>(got.why);
        write_back(got, edge);
    } else {
        l1d_.drop_global(line);
    }
    if (port_.room(port_model::data) == 0) return miss_queue_full;
    const auto touched = bytes_of(lanes, line, word);
    ++m->accesses;
    ++writes_[m->warp];
    ++counts_.atomic_requests;
    port_.send(
        port_model::data,
        {memory_kind::atomic, line + *touched.begin(), *touched.rbegin() + 1 - *touched.begin(),
         [this, m, lanes] {
             news_.loaded(*m, lanes);
             end_access(m);
             end_write(m->warp);
         }},
        edge);
    return {};
}

/// Each warp remembers the lines that it has brought and lost, in sets by the number of the line.
void load_store_model::note_miss(unsigned warp, std::uint32_t line,
                                 const cache_model::answer& got) {
    if (!settings_.victims) return;
    const std::uint32_t ways = settings_.victims->victim_ways;
    const std::uint32_t sets = settings_.victims->victim_tags / ways;
    const auto set_of = [&](std::uint32_t l) { return l / l1d_.line_bytes() % sets; };
    if (got.displaced) {
        auto& lost = victims_[got.displaced->second];
        const std::uint32_t gone = got.displaced->first;
        lost.erase(std::remove(lost.begin(), lost.end(), gone), lost.end());
        lost.insert(lost.begin(), gone);
        std::uint32_t members = 0;
        for (auto l = lost.begin(); l != lost.end();) {
            members += set_of(*l) == set_of(gone) ? 1 : 0;
            l = set_of(*l) == set_of(gone) && members > ways ? lost.erase(l) : l + 1;
        }
    }
    auto& own = victims_[warp];
    const auto found = std::find(own.begin(), own.end(), line);
    if (found == own.end()) return;
    own.erase(found);
    ++counts_.lost_localities;
    news_.lost_locality(warp);
}

}  // namespace heddle::smx_reference
