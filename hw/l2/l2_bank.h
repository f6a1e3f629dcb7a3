// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/credit_latch.h"
#include "hw/base/inbox.h"
#include "hw/base/waveform.h"
#include "hw/l2/l2_configuration.h"
#include "hw/protocol/memory_access.h"
#include "models/base/run_status.h"
#include "models/base/statistics.h"
#include "models/base/strong_index.h"

namespace heddle {

inline constexpr statistic_declaration l2_statistics[] = {
    {"accesses", "access", "Loads, stores, atomics and instruction fetches"},
    {"hits", "access", "Accesses that found the bytes they needed"},
    {"misses", "access", "Accesses that brought a line in or fetched bytes"},
    {"merges", "access", "Accesses that joined a fetch under way"},
};

struct l2_counts {
    std::uint64_t accesses = 0, hits = 0, misses = 0, merges = 0;
};

class l2_bank final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<l2_bank, protocol::memory_link> network_socket;
    protocol::initiator_socket_of<l2_bank, protocol::base_link> memory_socket;

    /// `waves` may be null; it, `domain` and `status` outlive the bank.
    l2_bank(const sc_core::sc_module_name& name, clock_domain& domain, bank_id bank,
            const l2_configuration& configuration, run_status& status, waveform* waves = nullptr);
    ~l2_bank() override;

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// Nothing is queued or under way; lines may be dirty.
    [[nodiscard]] bool empty() const;
    /// gpu.l2_miss_rate = misses / accesses of all banks.
    [[nodiscard]] const l2_counts& counts() const noexcept;
    /// Declares l2_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;
};

}  // namespace heddle
