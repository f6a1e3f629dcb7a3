// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <initializer_list>

#include "models/base/random.h"
#include "tb/lsu/lsu_rig.h"

namespace heddle {

/// Small and odd sizes, so that everything overflows.
inline lsu_rig_options random_rig(random_stream random, unsigned warps) {
    const auto one = [&](std::initializer_list<std::uint32_t> of) {
        return *(of.begin() + random.below(of.size()));
    };
    lsu_rig_options o;
    o.warps = warps;
    o.lanes = one({8, 16, 32, 64});
    o.shared_bytes = 65536;
    o.l1d.ways = one({1, 2, 4});
    o.l1d.line = one({32, 64, 128, 128});
    o.l1d.size = one({0, 1, 2, 8}) * o.l1d.ways * o.l1d.line;
    o.l1d.hit_latency = one({1, 5, 28});
    o.l1d.mshrs = one({1, 2, 32});
    o.l1d.mshr_targets = one({1, 2, 8});
    o.l1d.cache_global = random.chance(0.7);
    if (o.l1d.cache_global && o.l1d.size != 0 && random.chance(0.5)) {
        o.l1d.policy = write_policy::back;
    }
    o.lsu.queue_depth = one({1, 4, 8});
    o.lsu.request_queue = one({2, 3, 8});
    o.lsu.outstanding = one({16, 512});
    o.lsu.sector = one({4, 32});
    o.shared.latency = one({1, 28});
    o.shared.banks = one({16, 32});
    o.memory.minimum_latency = one({1, 20, 60});
    o.memory.spread = one({0, 50, 200});
    o.memory.accept_in_call = random.chance(0.3);
    if (o.l1d.mshrs <= 2 || o.l1d.size <= 2 * o.l1d.line) {
        // Hardly two misses at a time: a slow memory would take millions of cycles.
        o.memory.minimum_latency = 5;
        o.memory.spread = 20;
    }
    return o;
}

}  // namespace heddle
