// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/load_targets.h"

namespace heddle {

/// Loads that go to memory themselves, and ask for whole sectors.
class uncached_loads {
public:
    uncached_loads(std::uint32_t sector, const line_access_environment& environment,
                   load_targets& targets)
        : sector_(sector),
          requests_(environment.requests),
          counters_(environment.counters),
          targets_(targets) {}

    access_refusal access(const queued_instruction& m, const line_access& a, std::uint64_t edge);
    void expect(const memory_request& answer) const noexcept { targets_.prefetch(answer.back.tag); }
    void answered(memory_request& answer) {
        targets_.deliver(answer.back.tag, answer.data(), answer);
    }

private:
    const std::uint32_t sector_;  ///< bytes, a power of two
    data_requests& requests_;
    load_store_counters& counters_;
    load_targets& targets_;
};

}  // namespace heddle
