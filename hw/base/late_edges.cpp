// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/late_edges.h"

#include <algorithm>
#include <utility>

#include "hw/base/clock_domain.h"

namespace heddle {

void late_edges::add(clocked& part, late_part& how) {
    added_.push_back(&part);
    hows_.push_back(&how);
}

void late_edges::prepare() {
    if (added_.empty()) return;
    clock_domain& domain = added_.front()->domain();
    parts_.assign(domain.parts_.size(), nullptr);
    for (std::size_t i = 0; i < added_.size(); ++i) {
        if (&added_[i]->domain() == &domain) parts_[added_[i]->index_] = hows_[i];
    }
    const bool all = std::find(parts_.begin(), parts_.end(), nullptr) == parts_.end();
    if (!all || domain.no_sleep()) return;
    for (const late_part* const part : parts_) lookahead_ = std::min(lookahead_, part->lookahead());
    awake_.resize(parts_.size());
    domain_ = &domain;
}

bool late_edges::may_wait_until(std::uint64_t time) {
    first_ = domain_->scheduled_edge_;
    if (time > domain_->frequency_.edge_time(first_ + lookahead_)) return false;
    last_ = domain_->frequency_.first_edge_after(time) - 1;
    if (last_ - first_ >= most_edges) return false;
    return std::all_of(
        parts_.begin(), parts_.end(),
        [edges = last_ - first_ + 1](const late_part* part) { return part->may_be_late(edges); });
}

void late_edges::begin() {
    clock_domain::any_late_ = true;
    std::fill(awake_.begin(), awake_.end(), 0);
    std::vector<std::uint64_t>& mask = domain_->awake_;
    for (std::uint64_t edge = first_; edge <= last_; ++edge) {
        for (std::size_t word = 0; word < mask.size(); ++word) {
            mask[word] = std::exchange(domain_->next_[word], 0);
        }
        domain_->due_.take(edge, mask.data());
        domain_->for_each_awake(
            [&](std::size_t part) { awake_[part] |= std::uint64_t{1} << (edge - first_); });
    }
}

bool late_edges::run(std::size_t part, share& of_this_thread) const {
    struct place {
        explicit place(const clock_domain* domain) { clock_domain::late_.domain = domain; }
        ~place() { clock_domain::late_.domain = nullptr; }
    };
    clock_domain::late_point& now = clock_domain::late_;
    clocked& evaluated = *domain_->parts_[part];
    const place here(domain_);
    bool busy = false;
    for (now.awake = awake_[part]; now.awake != 0;) {
        const auto step = static_cast<unsigned>(__builtin_ctzll(now.awake));
        now.awake &= now.awake - 1;
        now.edge = first_ + step;
        evaluated.evaluate();
        busy = evaluated.update() == activity::busy;
        evaluated.edges_seen_ = now.edge + 1;
        of_this_thread.edges |= std::uint64_t{1} << step;
        ++of_this_thread.evaluations;
        if (!busy || now.edge == last_) continue;
        now.awake |= std::uint64_t{2} << step;
        busy = false;
    }
    return busy;
}

bool late_edges::wake(const clock_domain& domain, std::uint64_t& edge) const {
    clock_domain::late_point& now = clock_domain::late_;
    if (now.domain != &domain) return false;
    edge = std::max(edge, now.edge + 1);
    if (edge > last_) return false;
    now.awake |= std::uint64_t{1} << (edge - first_);
    return true;
}

void late_edges::end(const share& all) const {
    clock_domain::any_late_ = false;
    domain_->move_to(last_);
    domain_->evaluations_ += all.evaluations;
    domain_->executed_edges_ += static_cast<std::uint64_t>(__builtin_popcountll(all.edges));
}

}  // namespace heddle
