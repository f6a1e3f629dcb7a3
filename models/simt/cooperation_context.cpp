// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/cooperation_context.h"

#include <algorithm>

namespace heddle::simt {

bool cooperation_context::offer_kill(std::uint32_t id, const cooperation_terms& terms) noexcept {
    // After an end at the barrier the highest block is gone already, and the others keep their ids.
    if (!rules_.resizes || terms.wanted == 0 || expected_ != groups_) return false;
    if (id == 0 || id != groups_ - 1) return false;
    --groups_;
    --expected_;
    return true;
}

std::uint32_t cooperation_context::room(const cooperation_terms& terms) const noexcept {
    if (!rules_.resizes || terms.wanted != 0) return 0;
    return std::min(most_ - groups_, terms.places);
}

std::uint32_t cooperation_context::request_fork(const cooperation_terms& terms) noexcept {
    if (expected_ != groups_) return 0;  // as in offer_kill()
    const std::uint32_t forked = room(terms);
    groups_ += forked;
    expected_ += forked;
    return forked;
}

cooperation_context::arrival cooperation_context::arrive(std::uint32_t id, bool resizing,
                                                         const cooperation_terms& terms) noexcept {
    const bool first = arrived_ == 0 && expected_ == groups_;
    if (first) resizing_ = resizing;
    if (resizing_ != resizing) return arrival::mixed;
    const bool offers = resizing && rules_.resizes && !rules_.query;
    if (offers && terms.wanted != 0 && id != 0 && id == expected_ - 1) {
        --expected_;
        return arrival::ends;
    }
    ++arrived_;
    return arrival::waits;
}

cooperation_change cooperation_context::release(const cooperation_terms& terms) noexcept {
    groups_ = expected_;
    cooperation_change change{groups_, 0, 0};
    if (resizing_) {
        change.forked = room(terms);
        if (rules_.resizes && rules_.query) change.killed = std::min(terms.wanted, groups_ - 1);
    }
    groups_ += change.forked;
    groups_ -= change.killed;
    expected_ = groups_;
    arrived_ = 0;
    return change;
}

}  // namespace heddle::simt
