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
#include "hw/base/present.h"
#include "hw/base/turn.h"
#include "models/base/wait_until.h"

namespace heddle {
namespace {

/// Progress is instant << order_bits | order of the part that comes next.
constexpr unsigned order_bits = 24;
constexpr std::uint64_t evaluated = (std::uint64_t{1} << order_bits) - 1;

constexpr std::uint64_t instants_of_a_deal = 10'000;

std::uint64_t host_time() noexcept {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

/// What a thread has of its own.
struct crew::hand {
    struct wake {
        clock_domain* domain;
        std::uint32_t part;
        std::uint64_t edge;
    };

    alignas(bytes_apart) std::atomic<std::uint64_t> progress{0};
    std::atomic<std::uint64_t> done{0};  ///< the last instant that this thread has completed

    alignas(bytes_apart) crew* owner = nullptr;
    unsigned number = 0;
    std::uint64_t instant = 0;
    std::uint32_t order = 0;                       ///< of `part`
    const clocked* part = nullptr;                 ///< that is being evaluated
    std::vector<std::vector<std::uint64_t>> next;  ///< by domain: awake at the next edge
    std::vector<wake> wakes;
    std::vector<std::vector<letter>> letters;  ///< by the thread that gets them
    std::vector<std::size_t> taken;            ///< by the thread that they are from
    bool waited_long = false;                  ///< in this instant
    bool overflow = false;                     ///< an inbox had no room
    std::exception_ptr thrown;
    std::uint32_t thrown_by = 0;  ///< order
    std::uint64_t random = 0;
    std::thread thread;

    template <class Each>
    void for_each_part(const std::vector<clock_domain*>& due, const Each& each) const;
};

namespace {

/// Of this thread; null outside of step (2) and (3) of the first instants.
thread_local void* here = nullptr;
/// The part that this thread evaluates has called in_order().
thread_local bool has_turn = false;

}  // namespace

crew::crew(const settings& chosen) : settings_(chosen), lanes_(chosen.threads) {
    for (unsigned i = 0; i < settings_.threads; ++i) {
        hands_.push_back(std::make_unique<hand>());
        hand& made = *hands_.back();
        made.owner = this;
        made.number = i;
        made.letters.resize(settings_.threads);
        made.taken.resize(settings_.threads);
        made.random = settings_.delay_seed * 2654435761U + i + 1;
    }
}

crew::~crew() {
    gate_.close();
    for (const auto& each : hands_) {
        if (each->thread.joinable()) each->thread.join();
    }
}

void crew::prepare(const std::vector<clock_domain*>& all) {
    domains_ = all;
    lanes_.prepare(all);
    for (const auto& each : hands_) {
        for (clock_domain* const domain : all) each->next.emplace_back(domain->awake_.size());
    }
    for (std::size_t i = 1; i < hands_.size(); ++i) {
        hand& self = *hands_[i];
        self.thread = start_thread([this, &self] { serve(self); });
    }
}

bool crew::worth(const std::vector<clock_domain*>& all, const std::vector<clock_domain*>& due) {
    if (lanes_.empty()) return false;
    if (domains_.empty()) prepare(all);
    const std::uint32_t weight = lanes_.awake_weight(due);
    const bool enough = threshold_.reached(weight) && !contention_.rests();
    const bool faster = pace_.shares(enough ? weight : 0, host_time);
    const bool wanted = settings_.delay_seed != 0 || settings_.work != nullptr || faster;
    const bool shares = wanted && !(looks_ && looks_());
    if (!shares) ++lone_instants_;
    return shares;
}

// ---- an instant, main thread
// ------------------------------------------------------------------

void crew::run(const std::vector<clock_domain*>& due) {
    const present::at_edge now(due.front()->edge_time_ * due.front()->ticks_per_ps_);
    due_ = &due;
    if (++shared_instants_ % instants_of_a_deal == 0) lanes_.deal();
    if (settings_.work != nullptr) settings_.work->begin_instant();
    // (1)
    evaluate_others();
    for (clock_domain* const domain : due) domain->phase_ = clock_domain::phase::shared;
    // Parts ask the other domains for their next edge: from now on these only
    // read the answer.
    for (const clock_domain* const domain : domains_) (void)domain->next_edge();
    if (settings_.work != nullptr) settings_.work->other_work();
    sharing_ = true;
    const bool all_awake = gate_.open(shared_instants_);
    hand& self = *hands_.front();
    self.waited_long = false;
    work(self);
    for (const auto& each : hands_) {
        self.waited_long |= wait_until(
            [&] { return each->done.load(std::memory_order_acquire) == shared_instants_; });
    }
    sharing_ = false;
    if (all_awake) contention_.shared(self.waited_long);
    // (4)
    for (clock_domain* const domain : due) domain->phase_ = clock_domain::phase::alone;
    gather();
    update_others();
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

/// What the threads have left for the main thread.
void crew::gather() {
    const hand* first = nullptr;
    bool overflow = false;
    for (const auto& each : hands_) {
        for (clock_domain* const domain : *due_) {
            const std::vector<std::uint64_t>& next = each->next[domain->place_];
            for (std::size_t word = 0; word < next.size(); ++word) {
                domain->next_[word] |= next[word];
            }
        }
        for (const hand::wake& wake : each->wakes) wake.domain->wake_at(wake.part, wake.edge);
        overflow |= each->overflow;
        if (each->thrown && (first == nullptr || each->thrown_by < first->thrown_by)) {
            first = each.get();
        }
    }
    if (first != nullptr) std::rethrow_exception(first->thrown);
    if (overflow) SC_REPORT_ERROR("heddle/crew/inbox", "an inbox got more than it has room for");
}

// ---- an instant, each thread
// ------------------------------------------------------------------

void crew::serve(hand& self) {
    while (gate_.wait(self.instant)) work(self);
}

void crew::work(hand& self) {
    here = &self;
    self.instant = gate_.piece();
    // (2)
    evaluate(self);
    self.part = nullptr;
    self.progress.store(self.instant << order_bits | evaluated, std::memory_order_release);
    for (const auto& other : hands_) {
        self.waited_long |= wait_until([&] {
            return other->progress.load(std::memory_order_acquire) >=
                   (self.instant << order_bits | evaluated);
        });
    }
    // (3)
    try {
        take_letters(self);
        if (settings_.work != nullptr) settings_.work->delivered();
        update(self);
    } catch (...) {
        if (!self.thrown) {
            self.thrown = std::current_exception();
            self.thrown_by = std::numeric_limits<std::uint32_t>::max();
        }
    }
    self.done.store(self.instant, std::memory_order_release);
}

template <class Each>
void crew::hand::for_each_part(const std::vector<clock_domain*>& due, const Each& each) const {
    std::uint32_t base = 0;
    for (clock_domain* const domain : due) {
        const std::vector<std::uint64_t>& mine = owner->lanes_.of(number, domain->place_);
        for (std::size_t word = 0; word < mine.size(); ++word) {
            for (std::uint64_t bits = domain->awake_[word] & mine[word]; bits != 0;
                 bits &= bits - 1) {
                const auto p = static_cast<std::uint32_t>(word * 64) +
                               static_cast<std::uint32_t>(__builtin_ctzll(bits));
                each(*domain, p, base + p);
            }
        }
        base += static_cast<std::uint32_t>(domain->parts_.size());
    }
}

void crew::evaluate(hand& self) {
    for (auto& to : self.letters) to.clear();
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
    } catch (...) {
        self.thrown = std::current_exception();
        self.thrown_by = self.order;
    }
}

/// In the order of their senders. The letters of one thread are in this order.
void crew::take_letters(hand& self) {
    std::fill(self.taken.begin(), self.taken.end(), 0);
    for (;;) {
        letter* first = nullptr;
        std::size_t from = 0;
        for (std::size_t i = 0; i < hands_.size(); ++i) {
            std::vector<letter>& sent = hands_[i]->letters[self.number];
            if (self.taken[i] == sent.size()) continue;
            letter& next = sent[self.taken[i]];
            if (first != nullptr && first->order < next.order) continue;
            first = &next;
            from = i;
        }
        if (first == nullptr) return;
        ++self.taken[from];
        self.overflow |= !first->deliver(*first);
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

void crew::delay(hand& self) const {
    self.random ^= self.random << 13;
    self.random ^= self.random >> 7;
    self.random ^= self.random << 17;
    const std::uint64_t draw = self.random >> 20;
    if (draw % 256 == 0) nap();
    for (std::uint64_t turns = draw % 16 == 1 ? draw / 16 % 400 : 0; turns != 0; --turns)
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
    SC_REPORT_ERROR("heddle/crew/turn",
                    "a part that has not waited for its turn sends to one that "
                    "serves several; legal: after crew::in_order()");
}

crew::letter& crew::next_letter(const clocked& owner) {
    hand& self = *static_cast<hand*>(here);
    if (self.part == nullptr) {
        SC_REPORT_ERROR("heddle/crew/letter",
                        ("something is sent to " + owner.part_name() + " by an update()").c_str());
    }
    letter& made = self.letters[owner.lane_].emplace_back();
    made.order = self.order;
    return made;
}

void crew::stage_wake(clock_domain& domain, std::uint32_t part, std::uint64_t edge) {
    hand& self = *static_cast<hand*>(here);
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
    SC_REPORT_ERROR("heddle/crew/lane",
                    ("the state of " + part.part_name() + " was touched from outside" +
                     (self.part != nullptr ? ", by " + self.part->part_name() : ""))
                        .c_str());
}

}  // namespace heddle
