// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>

#include "hw/smx_scheduler/chain/fcfs_controller.h"
#include "hw/smx_scheduler/chain/kde_chain.h"

namespace heddle {

/// The `tlm` implementation: registers of each entry, and the FCFS controller. O(1), no allocation
/// after construction.
class fcfs_chain final : public kde_chain {
public:
    explicit fcfs_chain(unsigned entries, unsigned chains = 1)
        : fcfs_(entries), entries_(entries), chains_(chains) {}

    [[nodiscard]] bool empty() const override { return fcfs_.empty(); }
    [[nodiscard]] source head() const override;
    [[nodiscard]] registers operator[](kde_index entry) const override;
    [[nodiscard]] unsigned chains() const override { return chains_; }
    [[nodiscard]] group_index ahead(kde_index entry, unsigned places) const override {
        const state& s = entries_[entry];
        return s.chains[(s.leaves + places) % chains_].next;
    }
    [[nodiscard]] const std::uint64_t* marks() const override { return fcfs_.marks(); }
    [[nodiscard]] bool start(kde_index entry, std::uint32_t rank = 0, bool stays = true) override;
    group_index append(kde_index entry, group_index group) override;
    void advance(group_index next = null_group) override;

private:
    struct chain {
        group_index next = null_group;  ///< NAGEI
        group_index last = null_group;  ///< LAGEI
    };
    struct state {
        bool first_time = false;
        unsigned joins = 0;   ///< chain that the next group joins
        unsigned leaves = 0;  ///< chain whose turn it is
        std::array<chain, maximum_chains> chains{};
    };

    [[nodiscard]] unsigned after(unsigned chain) const noexcept {
        return chain + 1 == chains_ ? 0 : chain + 1;
    }

    fcfs_controller fcfs_;
    strong_vector<kde_index, state> entries_;
    unsigned chains_;
};

}  // namespace heddle
