// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/kernel_distributor/kernel_entries.h"
#include "hw/smx_scheduler/groups/group_table.h"
#include "tb/kit/testbench.h"

namespace heddle::launch_tb {

/// Walks the chains of aggregated groups now and then: from NAGEI of each entry of the distributor
/// along Next, as far as groups are in the AGT. No group may come twice, in one chain or in two.
class chain_walk final : public clocked {
public:
    chain_walk(const std::string& name, clock_domain& domain, testbench& bench,
               const kernel_entries& entries, const group_table& table)
        : clocked(domain, name), bench_(bench), entries_(entries), table_(table) {}

    void evaluate() override {
        if (domain().edge() % interval != 0) return;
        std::vector<bool> seen(table_.size());
        for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
            const kernel_entry& e = entries_[kde_index(entry)];
            if (e.valid) walk(e, seen);
        }
    }
    [[nodiscard]] activity update() override {
        wake_at(domain().edge() + interval - domain().edge() % interval);
        return activity::idle;
    }
    /// Groups of the longest part of a chain that was in the AGT.
    [[nodiscard]] unsigned longest() const noexcept { return longest_; }

private:
    static constexpr std::uint64_t interval = 7;

    void walk(const kernel_entry& from, std::vector<bool>& seen) {
        unsigned length = 0;
        group_index at = from.next_group;
        // The distributor is a cycle late: its NAGEI may have ended.
        while (at != null_group && !at.is_spilled() && table_.in_use(at.entry())) {
            const std::uint32_t entry = at.entry().value();
            if (!bench_.check(!seen[entry],
                              "group " + std::to_string(entry) + " is in the chains twice")) {
                return;
            }
            seen[entry] = true;
            longest_ = std::max(longest_, ++length);
            at = table_.next(at.entry());
        }
    }

    testbench& bench_;
    const kernel_entries& entries_;
    const group_table& table_;
    unsigned longest_ = 0;
};

}  // namespace heddle::launch_tb
