// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace heddle::smx_reference {

using kind = event::kind;

comparison::comparison(testbench& bench, smx_bench& device, const smx_settings& settings,
                       const program::image& image, std::uint64_t cycles)
    : clocked(device.domain(), "comparison"),
      bench_(bench),
      device_(device),
      model_(settings, image, device.ranges()),
      code_(image.code()),
      cycles_(cycles),
      dispatches_(*this, 4),
      credits_(*this, 4),
      answers_(*this, settings.memory.unit.outstanding + 1),
      return_latency_(settings.memory.unit.return_latency) {
    device.block().core().observe(this);
}

void comparison::block_link(protocol::block_dispatch& block, protocol::block_phase phase,
                            bool forward) {
    if (forward) {
        (void)dispatches_.push(pool_ptr<protocol::block_dispatch>(&block));
    } else {
        tell(phase == protocol::block_phase::started ? kind::started : kind::done,
             block.slot.value());
    }
}

void comparison::memory_link(tlm::tlm_generic_payload& payload, protocol::memory_phase phase,
                             bool forward) {
    switch (phase) {
        case protocol::memory_phase::begin_request:
            begun_ = &payload;
            return tell(kind::request,
                        static_cast<std::uint64_t>(protocol::access_of(payload)->kind),
                        payload.get_address(), payload.get_data_length());
        case protocol::memory_phase::end_request:
            (void)credits_.push(true);
            return;
        default:
            if (!forward) (void)answers_.push(&payload, return_latency_);
    }
}

void comparison::executed(const issued_instruction& issued, const register_file&) {
    tell(kind::issue, issued.warp, issued.number.value(), issued.pc, issued.lanes);
}
void comparison::accessed(const issued_instruction& issued, const memory_instruction&) {
    tell(kind::issue, issued.warp, issued.number.value(), issued.pc, issued.lanes);
}
void comparison::loaded(std::uint64_t, unsigned warp, issue_number number, isa::lane_mask lanes,
                        const std::uint32_t*) {
    tell(kind::loaded, warp, number.value(), lanes);
}
void comparison::completed(std::uint64_t, unsigned warp, issue_number number,
                           const register_file&) {
    tell(kind::completed, warp, number.value());
}
void comparison::writes_drained(std::uint64_t, unsigned warp) {
    tell(kind::drained, warp);
}
void comparison::fenced(std::uint64_t, unsigned warp) {
    tell(kind::fenced, warp);
}

void comparison::hand_over_arrivals() {
    while (credits_.ready() != nullptr) {
        (void)credits_.pop();
        model_.credit();
    }
    while (answers_.ready() != nullptr) {
        const auto at = under_way_.find(answers_.pop());
        model_.answer(at->second);
        under_way_.erase(at);
    }
    while (dispatches_.ready() != nullptr) model_.dispatch(dispatches_.pop());
}

void comparison::evaluate() {
    if (differs_) return;
    hand_over_arrivals();
    model_.cycle(domain().edge());
    compare_events();
    if (!differs_) compare_counts();
    if (model_.begun() != nullptr) under_way_[begun_] = model_.begun();
    found_.clear();
    ++compared_;
    bench_.progress();
    if (differs_ || compared_ == cycles_) bench_.finish();
}

void comparison::differ(const std::string& text) {
    differs_ = true;
    bench_.check(false, fmt::format("cycle {}: {}", domain().edge(), text));
}

void comparison::compare_events() {
    std::vector<event> wanted = model_.events();
    std::sort(wanted.begin(), wanted.end());
    std::sort(found_.begin(), found_.end());
    if (wanted == found_) return;
    std::vector<event> more;
    std::vector<event> missing;
    std::set_difference(found_.begin(), found_.end(), wanted.begin(), wanted.end(),
                        std::back_inserter(more));
    std::set_difference(wanted.begin(), wanted.end(), found_.begin(), found_.end(),
                        std::back_inserter(missing));
    std::string text;
    for (const event& e : more) text += " only the SMX: " + text_of(e) + ";";
    for (const event& e : missing) text += " only the reference: " + text_of(e) + ";";
    differ(text);
}

std::string comparison::text_of(const event& e) const {
    if (e.what != kind::issue) return e.text();
    const auto pc = static_cast<std::uint32_t>(e.values[2]);
    return e.text() + " '" + isa::disassemble(code_.at(pc), pc) + "'";
}

namespace {

void add(std::vector<std::pair<std::string, std::uint64_t>>& to, const std::string& name,
         std::uint64_t value) {
    to.emplace_back(name, value);
}

}  // namespace

void comparison::compare_counts() {
    const smx_counts found = device_.block().core().counts(domain().edge() + 1);
    const smx_model::counts& wanted = model_.counted();
    const load_store_model::counts& memory = model_.memory().counted();
    named_counts have;
    named_counts want;
    const auto both = [&](const std::string& name, std::uint64_t smx, std::uint64_t reference) {
        add(have, name, smx);
        add(want, name, reference);
    };
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        both(cycle_cause_names[cause], found.issue_slots[cause], wanted.issue_slots[cause]);
    }
    both("fetches", found.fetches, wanted.fetches);
    both("fetch_misses", found.fetch_misses, wanted.fetch_misses);
    both("writeback_conflicts", found.writeback_conflicts, wanted.writeback_conflicts);
    both("second_issues", found.second_issues, wanted.second_issues);
    both("resident_warps", found.resident_warp_cycles, wanted.resident_warps);
    both("active_cycles", found.active_cycles, wanted.active_cycles);
    both("executing_warps", found.in_flight_warp_cycles, wanted.executing_warps);
    std::uint64_t l1d_fails = 0;
    for (unsigned cause = 0; cause < 4; ++cause) l1d_fails += memory.fails[cause];
    both("l1d.reservation_fails", found.l1d.reservation_fails, l1d_fails);
    both("constant_cache.reservation_fails", found.constants.reservation_fails,
         memory.fails[load_store_model::constant]);
    both("read_only_cache.reservation_fails", found.read_only.reservation_fails,
         memory.fails[load_store_model::read_only]);
    for (std::size_t n = 0; n < have.size(); ++n) {
        if (have[n].second == want[n].second) continue;
        differ(fmt::format("{} is {}, the reference has {}", have[n].first, have[n].second,
                           want[n].second));
    }
}

void comparison::compare_statistics() {
    if (differs_) return;
    statistics found;
    device_.block().collect(found, "smx");
    const load_store_model::counts& unit = model_.memory().counted();
    named_counts want = {{"lsu.loads", unit.loads},
                         {"lsu.stores", unit.stores},
                         {"lsu.atomics", unit.atomics},
                         {"lsu.line_accesses", unit.line_accesses},
                         {"lsu.shared_accesses", unit.shared_accesses},
                         {"lsu.uncached_loads", unit.uncached_loads},
                         {"lsu.write_requests", unit.write_requests},
                         {"lsu.atomic_requests", unit.atomic_requests},
                         {"shared_memory.bank_conflicts", unit.shared_conflicts},
                         {"shared_memory.bank_conflict_cycles", unit.shared_conflict_turns},
                         {"l1d.bank_conflicts", unit.bank_conflicts},
                         {"l1d.lost_localities", unit.lost_localities}};
    const auto cache = [&](const std::string& name, const cache_model& model) {
        const cache_model::counts& c = model.counted();
        const named_counts of = {
            {"accesses", c.loads},       {"hits", c.hits},
            {"mshr_merges", c.joins},    {"misses", c.misses},
            {"evictions", c.evictions},  {"fills_not_installed", c.fills_not_kept},
            {"lines_dropped", c.dropped}};
        for (const auto& [each, value] : of) add(want, name + "." + each, value);
    };
    cache("l1d", model_.memory().l1d());
    cache("constant_cache", model_.memory().constants());
    cache("read_only_cache", model_.memory().read_only_data());
    const cache_model::counts& l1d = model_.memory().l1d().counted();
    add(want, "l1d.private_stores", l1d.private_stores);
    add(want, "l1d.write_backs", l1d.write_backs);
    add(want, "l1d.lines_discarded", l1d.discarded);
    static constexpr const char* causes[] = {"mshr_full", "mshr_merge_full", "miss_queue_full",
                                             "line_reserved"};
    for (unsigned cause = 0; cause < 4; ++cause) {
        add(want, std::string("l1d.reservation_fails.") + causes[cause], unit.fails[cause]);
    }
    for (const auto& [name, value] : want) {
        const std::uint64_t have = std::get<std::uint64_t>(found.find("smx." + name)->value);
        bench_.check(have == value,
                     fmt::format("{} is {}, the reference has {}", name, have, value));
    }
}

}  // namespace heddle::smx_reference
