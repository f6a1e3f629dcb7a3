// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/crew.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <string>
#include <thread>

#include "hw/base/clock_domain.h"
#include "hw/base/crew_hand.h"
#include "hw/base/present.h"
#include "hw/base/report_error.h"
#include "hw/base/turn.h"
#include "models/base/host_cache.h"
#include "models/base/wait_until.h"

namespace heddle {
namespace {

/// Progress is instant << order_bits | order of the part that comes next.
constexpr unsigned order_bits = 24;
constexpr std::uint64_t evaluated = (std::uint64_t{1} << order_bits) - 1;

constexpr std::uint64_t instants_of_a_deal = 10'000;
/// Of an instant for which threads were asleep. They are awake in some 50 us where they get cores.
constexpr std::uint64_t long_instant = 1'000'000;

/// In ns.
std::uint64_t host_time() noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

/// Of this thread; null outside of step (2) and (3) of the first instants.
thread_local void* here = nullptr;
/// The part that this thread evaluates has called in_order().
thread_local bool has_turn = false;

}  // namespace

crew::crew(const settings& chosen) : settings_(chosen), lanes_(chosen.threads) {
    for (unsigned i = 0; i < settings_.threads; ++i) {
        hand& made = *hands_.emplace_back(std::make_unique<hand>());
        made.owner = this;
        made.number = i;
        made.letters.resize(settings_.threads);
        made.senders.reserve(settings_.threads);
        made.random = settings_.delay_seed * 2654435761U + i + 1;
    }
}

crew::~crew() {
    gate_.close();
    for (const auto& each : hands_) {
        if (each->thread.joinable()) each->thread.join();
    }
}

void crew::prepare(const std::vector<clock_domain*>& all, const std::vector<clock_domain*>& due) {
    domains_ = all;
    list_orders(due);
    late_.prepare();
    lanes_.prepare(all, late_.domain());
    for (const auto& each : hands_) {
        for (clock_domain* const domain : all) each->next.emplace_back(domain->awake_.size());
    }
    for (std::size_t i = 1; i < hands_.size(); ++i) {
        hand& self = *hands_[i];
        self.thread = start_thread([this, &self] { serve(self); });
    }
}

void crew::list_orders(const std::vector<clock_domain*>& due) {
    const auto add = [this](const void* first, const void* end) {
        const char* at = static_cast<const char*>(first);
        for (; at < static_cast<const char*>(end); at += host_line_bytes) orders_.push_back(at);
    };
    add(&due_, &contention_);
    add(&due, &due + 1);
    add(due.data(), due.data() + due.size());
    add(&sharing_, &sharing_ + 1);
    add(present::memory(), static_cast<const char*>(present::memory()) + 1);
    for (const clock_domain* const domain : domains_) {
        add(&domain->phase_, &domain->due_);
        add(domain->awake_.data(), domain->awake_.data() + domain->awake_.size());
    }
}

bool crew::worth(const std::vector<clock_domain*>& all, const std::vector<clock_domain*>& due) {
    if (lanes_.empty()) return false;
    if (domains_.empty()) prepare(all, due);
    const std::uint32_t weight = lanes_.awake_weight(due);
    const bool looks = looks_ && looks_();
    const bool enough = threshold_.reached(weight) && !contention_.rests() && !looks;
    const bool faster = pace_.shares(enough ? weight : 0, host_time);
    bool wanted = settings_.work != nullptr || faster;
    if (settings_.delay_seed != 0) wanted = draw(*hands_.front()) % 8 != 0;
    shares_ = wanted && !looks;
    if (!shares_) ++lone_instants_;
    return shares_;
}

bool crew::may_be_late(const clock_domain& due) {
    if (!shares_ || late_.domain() != &due) return false;
    return settings_.delay_seed == 0 || draw(*hands_.front()) % 4 != 0;
}

// ---- an instant, main thread
// ------------------------------------------------------------------

void crew::run(const std::vector<clock_domain*>& due, clock_domain* late) {
    const present::at_edge now(due.front()->edge_time_ * due.front()->ticks_per_ps_);
    due_ = &due;
    late_domain_ = late;
    if (++shared_instants_ % instants_of_a_deal == 0) lanes_.deal();
    if (settings_.work != nullptr) settings_.work->begin_instant();
    // (1)
    evaluate_others();
    for (clock_domain* const domain : due) domain->phase_ = clock_domain::phase::shared;
    // Parts ask the other domains for their next edge: from now on these only
    // read the answer.
    for (const clock_domain* const domain : domains_) (void)domain->next_edge();
    if (late != nullptr) late_.begin();
    if (settings_.work != nullptr) settings_.work->other_work();
    sharing_ = true;
    const bool all_awake = gate_.open(shared_instants_);
    const std::uint64_t woken = all_awake ? 0 : host_time();
    hand& self = *hands_.front();
    self.waited_long = false;
    work(self);
    for (const auto& each : hands_) {
        self.waited_long |= wait_until(
            [&] { return each->done.load(std::memory_order_acquire) == shared_instants_; });
    }
    sharing_ = false;
    if (all_awake || host_time() - woken > long_instant) contention_.shared(self.waited_long);
    // (4)
    for (clock_domain* const domain : due) domain->phase_ = clock_domain::phase::alone;
    if (late != nullptr) gather_late();
    gather();
    update_others();
    if (late != nullptr) {
        late->phase_ = clock_domain::phase::outside;
        late->schedule_next();
    }
    if (settings_.work != nullptr) settings_.work->other_work();
}

void crew::evaluate_others() {
    for (clock_domain* const domain : *due_) {
        const std::vector<std::uint32_t>& weights = lanes_.weights(domain->place_);
        domain->for_each_awake([&](std::size_t p) {
            if (weights[p] == 0) domain->parts_[p]->evaluate();
        });
    }
}

void crew::update_others() {
    for (clock_domain* const domain : *due_) {
        const std::vector<std::uint32_t>& weights = lanes_.weights(domain->place_);
        domain->for_each_awake([&](std::size_t p) {
            if (weights[p] == 0 && domain->update(*domain->parts_[p]) == activity::busy) {
                domain->next_[p / 64] |= std::uint64_t{1} << (p % 64);
            }
        });
    }
}

/// As if the domain had been at its last edge up to now.
void crew::gather_late() {
    late_edges::share all;
    for (const auto& each : hands_) {
        all.edges |= each->late.edges;
        all.evaluations += each->late.evaluations;
        pace_.add(each->late.weight);
    }
    late_.end(all);
    late_domain_->phase_ = clock_domain::phase::alone;
    ++late_instants_;
}

/// What the threads have left for the main thread.
void crew::gather() {
    for (const auto& each : hands_) each->fetch_results();
    const hand* first = nullptr;
    bool overflow = false;
    for (const auto& each : hands_) {
        for (clock_domain* const domain : *due_) each->tell_next(*domain);
        if (late_domain_ != nullptr) each->tell_next(*late_domain_);
        for (const hand::wake& wake : each->wakes) wake.domain->wake_at(wake.part, wake.edge);
        overflow |= each->overflow;
        if (each->thrown && (first == nullptr || each->thrown_by < first->thrown_by)) {
            first = each.get();
        }
    }
    if (first != nullptr) std::rethrow_exception(first->thrown);
    if (overflow) report_error("heddle/crew/inbox", "an inbox got more than it has room for");
}

// ---- an instant, each thread
// ------------------------------------------------------------------

void crew::serve(hand& self) {
    while (gate_.wait(self.instant)) {
        // All at once: one after the other would take as many times as long.
        for (const char* const each : orders_) __builtin_prefetch(each);
        work(self);
    }
}

void crew::work(hand& self) {
    here = &self;
    self.instant = gate_.piece();
    // (2)
    evaluate(self);
    self.part = nullptr;
    self.progress.store(self.instant << order_bits | evaluated, std::memory_order_release);
    self.ended.store(self.instant, std::memory_order_release);
    for (const auto& other : hands_) {
        self.waited_long |= wait_until(
            [&] { return other->ended.load(std::memory_order_acquire) >= self.instant; });
    }
    // (3)
    try {
        take_letters(self);
        if (settings_.work != nullptr) settings_.work->delivered();
        update(self);
        if (late_domain_ != nullptr) {
            self.for_each_late(*late_domain_, [&](std::size_t p) { late_.caught_up(p); });
        }
    } catch (...) {
        if (!self.thrown) {
            self.thrown = std::current_exception();
            self.thrown_by = std::numeric_limits<std::uint32_t>::max();
        }
    }
    self.done.store(self.instant, std::memory_order_release);
}

/// Behind the other parts, which may have to wait for a turn.
void crew::evaluate_late(hand& self) {
    std::size_t base = 0;
    for (const clock_domain* const domain : *due_) base += domain->parts_.size();
    const std::size_t place = late_domain_->place_;
    self.for_each_late(*late_domain_, [&](std::size_t p) {
        self.part = late_domain_->parts_[p];
        self.order = static_cast<std::uint32_t>(base + p);
        self.progress.store(self.instant << order_bits | self.order, std::memory_order_release);
        has_turn = false;
        if (settings_.delay_seed != 0) delay(self);
        const std::uint32_t before = self.late.evaluations;
        if (late_.run(p, self.late)) self.next[place][p / 64] |= std::uint64_t{1} << (p % 64);
        const std::uint32_t evaluations = self.late.evaluations - before;
        self.late.weight += evaluations * lanes_.weights(place)[p];
        lanes_.count(self.number, place, p, evaluations);
    });
}

void crew::evaluate(hand& self) {
    self.late = {};
    for (auto& to : self.letters) to.clear();
    self.addressed = 0;
    for (auto& words : self.next) std::fill(words.begin(), words.end(), 0);
    self.wakes.clear();
    try {
        self.for_each_part(*due_, [&](clock_domain& domain, std::uint32_t p, std::uint32_t order) {
            self.order = order;
            self.part = domain.parts_[p];
            has_turn = false;
            self.progress.store(self.instant << order_bits | order, std::memory_order_release);
            if (settings_.delay_seed != 0) delay(self);
            domain.parts_[p]->evaluate();
            if (settings_.work != nullptr) settings_.work->evaluated(*self.part);
            lanes_.count(self.number, domain.place_, p);
        });
        if (late_domain_ != nullptr) evaluate_late(self);
    } catch (...) {
        self.thrown = std::current_exception();
        self.thrown_by = self.order;
    }
}

/// In the order of their senders. The letters of one thread are in this order.
void crew::take_letters(hand& self) {
    self.senders.clear();
    for (const auto& from : hands_) {
        if ((from->addressed >> self.number & 1) == 0) continue;
        self.senders.push_back({&from->letters[self.number], 0});
    }
    while (!self.senders.empty()) {
        const auto next = std::min_element(
            self.senders.begin(), self.senders.end(),
            [](const hand::sender& a, const hand::sender& b) { return a.order() < b.order(); });
        self.overflow |= !next->take();
        if (next->taken == next->letters->size()) self.senders.erase(next);
    }
}

void crew::update(hand& self) {
    self.for_each_part(*due_, [&](clock_domain& domain, std::uint32_t p, std::uint32_t) {
        const activity left = domain.update(*domain.parts_[p]);
        if (settings_.work != nullptr) settings_.work->updated(*domain.parts_[p]);
        if (left == activity::idle) return;
        self.next[domain.place_][p / 64] |= std::uint64_t{1} << (p % 64);
    });
}

std::uint64_t crew::draw(hand& self) {
    self.random ^= self.random << 13;
    self.random ^= self.random >> 7;
    self.random ^= self.random << 17;
    return self.random >> 20;
}

void crew::delay(hand& self) {
    const std::uint64_t drawn = draw(self);
    if (drawn % 256 == 0) nap();
    for (std::uint64_t turns = drawn % 16 == 1 ? drawn / 16 % 400 : 0; turns != 0; --turns)
        pause_core();
}

// ---- calls of parts, inboxes and domains
// ------------------------------------------------------------

void crew::wait_for_turn() {
    const hand& self = *static_cast<hand*>(here);
    if (self.part == nullptr) return;  // step (3)
    const std::uint64_t turn = self.instant << order_bits | self.order;
    for (const auto& other : self.owner->hands_) {
        wait_until([&] { return other->progress.load(std::memory_order_acquire) >= turn; });
    }
    has_turn = true;
}

void expect_turn() {
    if (!crew::sharing() || has_turn) return;
    report_error("heddle/crew/turn",
                 "a part that has not waited for its turn sends to one that "
                 "serves several; legal: after crew::in_order()");
}

crew::letter& crew::next_letter(const clocked& owner) {
    hand& self = *static_cast<hand*>(here);
    if (self.part == nullptr) {
        report_error("heddle/crew/letter",
                     "something is sent to " + owner.part_name() + " by an update()");
    }
    self.addressed |= std::uint64_t{1} << owner.lane_;
    letter& made = self.letters[owner.lane_].emplace_back();
    made.order = self.order;
    return made;
}

void crew::stage_wake(clock_domain& domain, std::uint32_t part, std::uint64_t edge) {
    hand& self = *static_cast<hand*>(here);
    if (self.owner->late_.wake(domain, edge)) return;
    if (domain.phase_ == clock_domain::phase::shared && edge <= domain.edge_ + 1) {
        self.next[domain.place_][part / 64] |= std::uint64_t{1} << (part % 64);
    } else {
        self.wakes.push_back({&domain, part, edge});
    }
}

void crew::check_lane(const clocked& part) {
    if (!sharing_) return;
    const hand& self = *static_cast<hand*>(here);
    const bool mine = self.part != nullptr ? self.part == &part : part.lane_ == self.number;
    if (mine) return;
    report_error("heddle/crew/lane",
                 "the state of " + part.part_name() + " was touched from outside" +
                     (self.part != nullptr ? ", by " + self.part->part_name() : ""));
}

}  // namespace heddle
