// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/loads/load_targets.h"

namespace heddle {

/// Loads that go to memory themselves, and ask for whole sectors.
class uncached_loads final : private protocol::naming_requester<load_target> {
public:
    uncached_loads(std::uint32_t sector, const load_environment& environment,
                   load_store_counters& counters, load_targets& targets)
        : sector_(sector),
          requests_(environment.requests),
          counters_(counters),
          targets_(targets) {}

    access_refusal access(const queued_instruction& m, const line_access& a, std::uint64_t edge);

private:
    void expect(const memory_request& answer) const noexcept override {
        targets_.prefetch(name_of(answer));
    }
    void responded(memory_request& answer) override {
        targets_.deliver(name_of(answer), answer.data(), answer);
    }

    const std::uint32_t sector_;  ///< bytes, a power of two
    data_requests& requests_;
    load_store_counters& counters_;
    load_targets& targets_;
};

}  // namespace heddle
