// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/dwf/dwf_former.h"

#include <algorithm>
#include <cstring>

#include "hw/smx/thread_pool/dwf/dwf_waves.h"
#include "hw/smx/thread_pool/dwf/warp_policies.h"

namespace heddle {
namespace {

constexpr std::uint64_t never = protocol::thread_turn::never;

thread_places::setting places_of(const dwf_setting& setting) {
    const bool whole = setting.dwf.home_lanes == home_lane_count::warp;
    return {setting.warp_size,
            whole ? setting.warp_size : setting.warp_size / setting.issue_interval,
            setting.dwf.lane_aware, setting.dwf.swizzling};
}

}  // namespace

dwf_former::dwf_former(const dwf_setting& setting)
    : limits_{setting.dwf.patience == 0 ? never : setting.dwf.patience, setting.issue_interval,
              setting.dwf.infinite_resources, setting.dwf.bank_conflicts},
      places_(places_of(setting)),
      lut_(setting.dwf.lut_entries, setting.dwf.lut_ways,
           limits_.unlimited ? full_set::grows : full_set::replaces),
      pool_(limits_.unlimited ? setting.threads : setting.dwf.pool_entries, setting.warp_size),
      overflow_(setting.threads, setting.dwf.overflow_latency),
      policy_(make_warp_policy({setting.dwf, pool_, lut_, setting.threads})) {}

dwf_former::~dwf_former() = default;

void dwf_former::arrive(const protocol::thread_arrival& threads) {
    warp_update_register& into = arrivals_.back();
    into.tag = {threads.pc, static_cast<std::uint16_t>(threads.block.value()), threads.transaction};
    if (threads.starts && places_.fixed()) {
        into.requested = 0;
        bits::for_each(threads.lanes, [&](unsigned lane) {
            const unsigned place = places_.home_lane(threads.threads[lane]);
            into.requested |= bits::one(place);
            into.threads[place] = threads.threads[lane];
        });
    } else {
        into.requested = threads.lanes;
        std::memcpy(into.threads.data(), threads.threads.data(),
                    pool_.warp_size() * sizeof threads.threads[0]);
    }
    arrivals_.push();
    if (threads.starts) policy_->starts(into.requested, into.threads.data());
}

bool dwf_former::idle() const {
    return registers_[0].empty() && registers_[1].empty() && refill_.empty() && !policy_->busy();
}

void dwf_former::pass(std::uint64_t clocks) {
    const std::uint64_t end = clock_ + clocks;
    // What has arrived since the last turn came in the clocks of this turn, the last ones.
    const std::uint64_t turn = end - std::min<std::uint64_t>(clocks, limits_.interval);
    while (clock_ < end) {
        if (clock_ == turn) load_registers();
        if (idle()) {
            const std::uint64_t due = overflow_due();
            const std::uint64_t stop = clock_ < turn ? turn : end;
            if (due > clock_ + 1) {
                clock_ = std::min(stop, due - 1);
                continue;
            }
        }
        ++clock_;
        clock();
    }
}

void dwf_former::load_registers() {
    for (warp_update_register& each : registers_) {
        if (each.empty() && arrivals_.size() != 0) arrivals_.take(each);
        if (limits_.unlimited) return;  // one takes them all, in their order
    }
}

void dwf_former::clock() {
    policy_->clock_begins();
    ++look_up_;
    // Threads that have been in the overflow list for too long take what arrivals would.
    const std::uint64_t out = overflow_.next_out();
    if (out < clock_ && clock_ - out >= limits_.patience) send_for_overflow();
    unsigned ports = 0;
    for (warp_update_register& each : registers_) {
        while (!each.empty()) {
            ++ports;
            if (!insert(each, reserved_)) {
                ++counts_.waits;
                break;
            }
            if (!limits_.unlimited) break;
            ++look_up_;
            if (arrivals_.size() != 0) arrivals_.take(each);
        }
    }
    if (ports < 2) refill();
    policy_->clock_ends();
}

bool dwf_former::insert(warp_update_register& from, unsigned kept) {
    const warp_policy::room room = policy_->room_for(from.tag.pc, kept);
    if (room == warp_policy::room::later) return false;
    const pc_warp_lut::place at = lut_.find(from.tag);
    if (at != pc_warp_lut::none) {
        if (lut_.in_use(at, look_up_)) return false;
        join(at, from, kept);
    } else if (room == warp_policy::room::none || pool_.free() <= kept) {
        spill(from, from.requested);
    } else {
        const pc_warp_lut::place free = lut_.room(from.tag, look_up_);
        if (free == pc_warp_lut::none) return false;
        counts_.lut_replacements += lut_.replaces(free) ? 1 : 0;
        open(free, from, from.requested);
    }
    from.requested = 0;
    return true;
}

void dwf_former::join(pc_warp_lut::place at, const warp_update_register& from, unsigned kept) {
    const pool_index w = lut_[at].warp;
    const isa::lane_mask left = put(w, from, from.requested, false);
    lut_.update(at, {pool_[w].lanes, w}, look_up_);
    counts_.joined += bits::count(from.requested & ~left);
    counts_.conflicts += bits::count(left);
    if (left == 0) return;
    if (pool_.free() <= kept) return spill(from, left);
    open(at, from, left);
}

void dwf_former::open(pc_warp_lut::place at, const warp_update_register& from,
                      isa::lane_mask lanes) {
    const pool_index w = pool_.open(from.tag, clock_);
    // The threads were in one warp, so that all of them fit.
    static_cast<void>(put(w, from, lanes, true));
    lut_.insert(at, from.tag, {pool_[w].lanes, w}, look_up_);
    ++counts_.opened;
    counts_.pool_maximum = std::max<std::uint64_t>(counts_.pool_maximum, pool_.used());
}

isa::lane_mask dwf_former::put(pool_index w, const warp_update_register& from, isa::lane_mask lanes,
                               bool opens) {
    const isa::lane_mask occupied = pool_[w].lanes;
    isa::lane_mask left = 0;
    // Threads of a transaction have opened the warp alone, and keep the lanes of its masks.
    if (places_.fixed() || from.tag.transaction != 0) {
        left = lanes & occupied;
        pool_.add(w, lanes & ~occupied, from.threads.data());
    } else {
        const thread_places places = places_;  // in registers while threads are written
        left = pool_.add(w, lanes, from.threads.data(),
                         [&](unsigned thread) { return places.places(thread); });
    }
    const isa::lane_mask came = pool_[w].lanes & ~occupied;
    if (came != 0) policy_->takes(w, came, opens);
    return left;
}

void dwf_former::spill(const warp_update_register& from, isa::lane_mask lanes) {
    overflow_.put(from, lanes, clock_);
    counts_.overflows += bits::count(lanes);
}

bool dwf_former::can_reserve() const {
    return pool_.free() > reserved_ && policy_->free_entries() > reserved_;
}

void dwf_former::refill() {
    if (overflow_.empty() && refill_.empty()) return;
    if (refill_.empty() && overflow_.is_back(clock_)) overflow_.take(refill_);
    if (!refill_.empty() && insert(refill_, reserved_ - 1)) --reserved_;
    send_for_overflow();
}

void dwf_former::send_for_overflow() {
    if (!overflow_.can_fetch(clock_) || !can_reserve()) return;
    overflow_.fetch(clock_);
    ++reserved_;
}

std::uint64_t dwf_former::overflow_due() const {
    if (overflow_.empty()) return never;
    return std::min(overflow_.next_back(), can_reserve() ? overflow_.next_out() : never);
}

pool_index dwf_former::choose() const {
    const pool_index oldest = pool_.oldest();
    if (oldest == no_pool_index) return oldest;
    const bool patient = clock_ - pool_[oldest].opened < limits_.patience;
    return patient || !policy_->lets_others_go() ? policy_->choose() : oldest;
}

void dwf_former::pick(const issue_filter& filter, protocol::thread_issue& issue) {
    issue.count = 0;
    issue.conflict_clocks = 0;
    const pool_index w = choose();
    if (w == no_pool_index) {
        const bool empty = pool_.used() == 0 && arriving() == 0 && overflow_.empty();
        issue.outcome = empty ? protocol::turn_outcome::nothing : protocol::turn_outcome::forming;
        return;
    }
    const warp_pool::warp& warp = pool_[w];
    issue.parts[0] = {block_slot(warp.tag.block), warp.tag.pc, warp.lanes};
    if (!filter.accepts(warp.tag.pc)) {
        issue.outcome = protocol::turn_outcome::unit_busy;
        return;
    }
    issue.outcome = protocol::turn_outcome::issued;
    issue.count = 1;
    std::memcpy(issue.threads.data(), pool_.threads(w),
                pool_.warp_size() * sizeof issue.threads[0]);
    if (limits_.bank_conflicts) {
        issue.conflict_clocks = places_.conflict_clocks(warp.lanes, pool_.threads(w));
        counts_.conflict_clocks += issue.conflict_clocks;
    }
    counts_.rescues += w != policy_->choose() ? 1 : 0;
    policy_->leaves(w);
    lut_.issued(warp.tag, w);
    pool_.close(w);
}

std::uint64_t dwf_former::next_change() const {
    if (!idle() || arrivals_.size() != 0) return 1;
    std::uint64_t next = overflow_due();
    const pool_index oldest = pool_.oldest();
    if (oldest != no_pool_index && limits_.patience != never) {
        const std::uint64_t end = pool_[oldest].opened + limits_.patience;
        if (end > clock_) next = std::min(next, end);
    }
    if (next == never) return never;
    return next > clock_ ? next - clock_ : 1;
}

unsigned dwf_former::arriving() const {
    return arrivals_.threads() + registers_[0].count() + registers_[1].count() + refill_.count();
}

former_occupancy dwf_former::occupancy() const {
    return {pool_.used(), policy_->heap_entries(), arriving(), overflow_.threads()};
}

}  // namespace heddle
