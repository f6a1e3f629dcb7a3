// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/clock_domain.h"

#include <algorithm>
#include <utility>

#include "hw/base/crew.h"
#include "hw/base/has_process.h"
#include "hw/base/present.h"
#include "models/base/error.h"

namespace heddle {
namespace {

/// Elaboration, reset and the other callbacks before time 0.
bool before_start() {
    return sc_core::sc_get_status() < sc_core::SC_RUNNING;
}

}  // namespace

clocked::clocked(clock_domain& domain, std::string name)
    : domain_(&domain), index_(0), part_name_(std::move(name)) {
    index_ = domain.add(*this);
}

void clocked::wake_at(std::uint64_t edge) {
    domain_->wake_at(index_, edge);
}

void clocked::wake_at(const sc_core::sc_time& time) {
    if (before_start()) {
        domain_->early_.push_back({index_, true, time.value()});
        return;
    }
    const std::uint64_t ps = domain_->ticks_to_ps_up(time.value());
    domain_->wake_at(index_, domain_->frequency_.first_edge_not_before(ps));
}

std::uint64_t clocked::skipped_edges() const {
    const bool runs = domain_->phase_ != clock_domain::phase::outside || domain_->runs_late();
    return (runs ? domain_->edge() : domain_->edge_count()) - edges_seen_;
}

clock_domain::clock_domain(const sc_core::sc_module_name& name, const frequency& f,
                           const clock_domain_options& options)
    : sc_module(name),
      frequency_(f),
      whole_period_(f.period_numerator() / f.mhz_numerator()),
      part_period_(f.period_numerator() % f.mhz_numerator()),
      control_(options.control),
      no_sleep_(options.no_sleep) {
    HEDDLE_HAS_PROCESS(clock_domain);
    SC_METHOD(run_edge);
    sensitive << edge_event_;
    if (control_ != nullptr) control_->edges().add(*this);
}

clock_domain::~clock_domain() {
    if (control_ != nullptr) control_->edges().remove(*this);
}

void clock_domain::stay_with_kernel() {
    if (control_ != nullptr) control_->edges().stay();
}

std::uint32_t clock_domain::add(clocked& part) {
    if (!before_start()) {
        throw configuration_error("clock domain '" + std::string(sc_module::name()) + "': part '" +
                                  part.part_name() +
                                  "' was constructed after the start of the simulation");
    }
    parts_.push_back(&part);
    awake_.resize((parts_.size() + 63) / 64);
    next_.resize(awake_.size());
    return static_cast<std::uint32_t>(parts_.size() - 1);
}

void clock_domain::reverse_parts() {
    if (!before_start()) {
        throw configuration_error("clock domain '" + std::string(sc_module::name()) +
                                  "': its parts were reversed after the start of the simulation");
    }
    const auto last = static_cast<std::uint32_t>(parts_.size() - 1);
    for (early_wake& early : early_) early.part = last - early.part;
    std::reverse(parts_.begin(), parts_.end());
    for (clocked* part : parts_) part->index_ = last - part->index_;
}

void clock_domain::end_of_elaboration() {
    const double resolution = sc_core::sc_get_time_resolution().to_seconds();
    if (resolution > 1.000001e-12) {
        throw configuration_error("clock domain '" + std::string(name()) +
                                  "': the time resolution is " +
                                  sc_core::sc_get_time_resolution().to_string() +
                                  ", but clock edges need 1 ps or finer: call "
                                  "sc_set_time_resolution(1, SC_PS) first, or not at all");
    }
    ticks_per_ps_ = sc_core::sc_time(1, sc_core::SC_PS).value();
}

void clock_domain::start_of_simulation() {
    due_.resize(parts_.size());
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        next_[part / 64] |= std::uint64_t{1} << (part % 64);
    }
    scheduled_edge_ = scheduled_time_ = 0;
    for (clocked* part : parts_) {
        part->reset();
    }
}

std::uint64_t clock_domain::edge_outside() const {
    const std::uint64_t count = edge_count();
    return count == 0 ? 0 : count - 1;
}

std::uint64_t clock_domain::edge_count() const {
    return phase_ != phase::outside ? edge_ + 1 : next_edge_outside();
}

sc_core::sc_time clock_domain::edge_time(std::uint64_t edge) const {
    // Also asked for before elaboration has ended, so that ticks_per_ps_ is of no use here.
    return sc_core::sc_time::from_value(frequency_.edge_time(edge) *
                                        sc_core::sc_time(1, sc_core::SC_PS).value());
}

std::uint64_t clock_domain::next_edge_outside() const {
    if (runs_late()) return late_.edge + 1;
    const std::uint64_t now = present::ticks();
    if (now != asked_at_) {
        if (before_start()) return 0;  // and nothing is kept: asked_at_ stays `never`
        asked_at_ = now;
        // Edges lie on whole picoseconds, so that flooring a finer time loses nothing here.
        asked_next_ = frequency_.first_edge_after(now / ticks_per_ps_);
    }
    return asked_next_;
}

std::vector<std::string> clock_domain::waiting_parts() const {
    std::vector<std::string> lines;
    for (const clocked* part : parts_) {
        const std::string text = part->waiting_for();
        if (!text.empty()) {
            lines.push_back(part->part_name() + ": " + text);
        }
    }
    return lines;
}

void clock_domain::wake_at(std::uint32_t part, std::uint64_t edge) {
    if (phase_ != phase::alone) {
        wake_outside(part, edge);
    } else if (edge <= edge_ + 1) {
        wake(part);
    } else {
        due_.add(part, edge, edge_);
    }
}

std::uint64_t clock_domain::ticks_to_ps_up(std::uint64_t ticks) const {
    return ticks / ticks_per_ps_ + (ticks % ticks_per_ps_ != 0 ? 1 : 0);
}

void clock_domain::wake_outside(std::uint32_t part, std::uint64_t edge) {
    if (crew::sharing()) {
        crew::stage_wake(*this, part, edge);
        return;
    }
    if (before_start()) {
        early_.push_back({part, false, edge});
        return;
    }
    // Whether this domain's own process has already run at this instant or not makes no
    // difference: only edges strictly after now are considered.
    const std::uint64_t next = next_edge_outside();
    const std::uint64_t target = std::max(edge, next);
    if (target == edge_ + 1 && scheduled_edge_ > edge_) {
        next_[part >> 6] |= std::uint64_t{1} << (part & 63);
    } else {
        due_.add(part, target, next - 1);
    }
    if (target < scheduled_edge_) {
        schedule(target, frequency_.edge_time(target));
        if (control_ == nullptr || !control_->edges().at_work()) notify_kernel();
    }
}

void clock_domain::notify_kernel() {
    if (scheduled_edge_ == never) return;
    present::notify_at(edge_event_, scheduled_time_ * ticks_per_ps_);
}

void clock_domain::run_edge() {
    if (control_ != nullptr && control_->edges().ahead()) {
        control_->edges().run(*this);
    } else if (run_scheduled_edge()) {
        notify_kernel();
    }
}

/// One function for the steps, as it runs at each edge.
[[gnu::flatten]] bool clock_domain::run_scheduled_edge() {
    begin_edge();
    run_awake();
    return finish_edge();
}

void clock_domain::begin_edge() {
    move_to(scheduled_edge_);
    if (control_ != nullptr) control_->look_before(edge_time_);
    phase_ = phase::alone;
    if (edge_ == 0) {
        for (const early_wake& early : early_) {
            const std::uint64_t edge =
                early.is_time ? frequency_.first_edge_not_before(ticks_to_ps_up(early.value))
                              : early.value;
            if (edge != 0) {
                due_.add(early.part, edge, 0);
            }  // everybody is awake at edge 0
        }
        early_.clear();
    }
    for_each_word([this](std::size_t word) { awake_[word] = std::exchange(next_[word], 0); });
    due_.take(edge_, awake_.data());
    if (no_sleep_) {
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            awake_[part / 64] |= std::uint64_t{1} << (part % 64);
        }
    }
}

void clock_domain::count_edge() {
    phase_ = phase::outside;
    for_each_word([this](std::size_t word) {
        evaluations_ += static_cast<std::uint64_t>(__builtin_popcountll(awake_[word]));
    });
    ++executed_edges_;
}

bool clock_domain::finish_edge() {
    count_edge();
    if (control_ != nullptr && control_->stop_requested()) {
        schedule(never, never);
        control_->stop();
        return false;
    }
    schedule_next();
    return true;
}

void clock_domain::run_awake() {
    const present::at_edge now(edge_time_ * ticks_per_ps_);
    for_each_word([this](std::size_t word) {
        clocked* const* const parts = &parts_[word * 64];
        for (std::uint64_t bits = awake_[word]; bits != 0;) {
            clocked* const part = parts[__builtin_ctzll(bits)];
            bits &= bits - 1;
            if (bits != 0) __builtin_prefetch(parts[__builtin_ctzll(bits)]);
            part->evaluate();
        }
    });
    update_awake();
}

void clock_domain::update_awake() {
    const std::uint64_t seen = edge_ + 1;
    for_each_word([this, seen](std::size_t word) {
        clocked* const* const parts = &parts_[word * 64];
        std::uint64_t stay = 0;
        for (std::uint64_t bits = awake_[word]; bits != 0;) {
            const int index = __builtin_ctzll(bits);
            clocked* const part = parts[index];
            bits &= bits - 1;
            if (bits != 0) __builtin_prefetch(parts[__builtin_ctzll(bits)]);
            stay |= static_cast<std::uint64_t>(part->update()) << index;
            part->edges_seen_ = seen;
        }
        next_[word] |= stay;
    });
}

void clock_domain::schedule_next() {
    std::uint64_t any = no_sleep_ || kept_until_.load(std::memory_order_relaxed) > edge_ ||
                                keepers_.load(std::memory_order_relaxed) != 0
                            ? 1
                            : 0;
    for_each_word([&](std::size_t word) { any |= next_[word]; });
    const std::uint64_t next = any != 0 ? edge_ + 1 : due_.next_after(edge_);
    if (next == never) {
        schedule(never, never);
    } else if (next == edge_ + 1) {
        schedule(next, edge_time_ + whole_period_ +
                           (edge_remainder_ + part_period_ >= frequency_.mhz_numerator() ? 1 : 0));
    } else {
        schedule(next, frequency_.edge_time(next));
    }
}

void clock_domain::move_to(std::uint64_t edge) {
    if (edge == edge_ + 1) {
        edge_time_ += whole_period_;
        edge_remainder_ += part_period_;
        if (edge_remainder_ >= frequency_.mhz_numerator()) {
            edge_remainder_ -= frequency_.mhz_numerator();
            ++edge_time_;
        }
    } else if (edge != edge_) {
        edge_time_ = frequency_.edge_time(edge);
        edge_remainder_ = frequency_.edge_remainder(edge);
    }
    edge_ = edge;
}

}  // namespace heddle
