// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/reservations.h"

namespace heddle {

namespace {

std::uint64_t thread_key(sm_id sm, unsigned thread) {
    return (std::uint64_t{sm.value()} << 32) | thread;
}

}  // namespace

void reservations::reserve(sm_id sm, unsigned thread, std::uint64_t word) {
    const auto [reserved, is_new] = words_.try_emplace(word, versions_ + 1);
    versions_ += is_new ? 1 : 0;
    threads_[thread_key(sm, thread)] = {word, reserved->second};
}

bool reservations::release(sm_id sm, unsigned thread, std::uint64_t word) {
    const auto held = threads_.find(thread_key(sm, thread));
    if (held == threads_.end()) {
        return false;
    }
    const auto reserved = words_.find(word);
    const bool holds = held->second.word == word && reserved != words_.end() &&
                       reserved->second == held->second.version;
    threads_.erase(held);
    return holds;
}

}  // namespace heddle
