// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/base/frequency.h"
#include "hw/protocol/block_dispatch.h"
#include "models/base/machine_configuration.h"
#include "models/base/statistics.h"
#include "models/base/warp_slots.h"
#include "models/device/launch_table.h"
#include "tb/kit/testbench.h"

namespace heddle::launch_tb {

/// What every launch of a storm is, and which of its blocks have run:
///  - each block is dispatched once with its launch's data, and once more for each time that it
///    was suspended, as the same block, after all launches that it has made;
///  - a private region has one owner, from the first dispatch to the end of the block, and is one
///    of as many as SMXs hold warps, beside those of suspended blocks;
///  - waiting and call times are those of the first block that starts.
class storm_ledger final : public launch_observer {
public:
    storm_ledger(testbench& bench, const machine_configuration& machine)
        : bench_(bench),
          warp_size_(machine.warp_size),
          resident_regions_(resident_warps(machine)) {}

    void launched(const prepared_launch& launch) override;
    void dispatched(const protocol::block_dispatch& block);
    /// The block says so at `edge` of the clock.
    void started(const protocol::block_dispatch& block, std::uint64_t edge, const frequency& clock);
    void suspended(const protocol::block_dispatch& block);
    void finished(const protocol::block_dispatch& block);

    /// Whether the launch and all below it have run.
    [[nodiscard]] bool over(launch_id id) const;
    [[nodiscard]] std::size_t launches() const noexcept { return records_.size(); }
    [[nodiscard]] std::size_t ended() const noexcept { return ended_; }
    [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }
    [[nodiscard]] std::uint64_t suspensions() const noexcept { return suspensions_; }
    /// Suspended blocks that have gone on on another SMX.
    [[nodiscard]] std::uint64_t moves() const noexcept { return moves_; }
    /// Checks the times in the statistics of launches (launch_counts.h).
    void check_times(const statistics& counted) const;
    /// Nothing belongs to a block any more.
    [[nodiscard]] bool empty() const noexcept { return regions_.empty(); }

private:
    enum class state : std::uint8_t { waits, runs, suspended, ended };
    struct block_record {
        state is = state::waits;
        sm_id sm{};
        protocol::context_id context{};
        dim3 position{};
        std::uint32_t saved = 0;  ///< address of the state
    };
    struct record {
        prepared_launch what;
        std::vector<block_record> blocks;
        std::size_t ended = 0;
        bool started = false;
        std::vector<launch_id> children;
    };
    struct times {
        std::uint64_t launches = 0, waiting = 0, calling = 0;
    };

    void check_data(const record& r, const protocol::block_dispatch& block) const;
    void comes_back(block_record& b, const protocol::block_dispatch& block);
    [[nodiscard]] bool children_over(launch_id launch, std::uint32_t block) const;
    void own_regions(const protocol::block_dispatch& block, bool take);
    [[nodiscard]] std::uint32_t warps_of(const protocol::block_dispatch& block) const {
        return block.kernel->per_block.threads / warp_size_;
    }
    [[nodiscard]] static std::string text(const protocol::block_dispatch& block) {
        return "block " + std::to_string(block.block) + " of launch " + to_text(block.launch) + " ";
    }

    testbench& bench_;
    const std::uint32_t warp_size_;
    const std::uint64_t resident_regions_;
    std::unordered_map<launch_id, record> records_;
    std::unordered_map<std::uint32_t, launch_id> regions_;  ///< owner
    times times_[3];  ///< of launches by the host, of kernels, of groups
    std::uint64_t suspended_regions_ = 0;
    std::size_t ended_ = 0;
    std::uint64_t blocks_ = 0;
    std::uint64_t suspensions_ = 0;
    std::uint64_t moves_ = 0;
};

}  // namespace heddle::launch_tb
