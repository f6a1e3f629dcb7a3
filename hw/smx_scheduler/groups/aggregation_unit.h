// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "hw/base/pool.h"
#include "hw/protocol/aggregation.h"
#include "hw/protocol/launched_block.h"
#include "hw/smx_scheduler/chain/resident_kernels.h"
#include "hw/smx_scheduler/groups/group_chain.h"

namespace heddle {

/// What an aggregation unit tells its scheduler, at once.
class aggregation_listener {
public:
    /// The first group is to join the entry.
    virtual void held(kde_index entry) = 0;
    virtual void joined(const pool_ptr<protocol::kernel_launch>& group, kde_index entry) = 0;
    /// No kernel takes the group.
    virtual void refused(const pool_ptr<protocol::kernel_launch>& group) = 0;
    /// All groups of a command have been dealt with.
    virtual void accepted(protocol::aggregation& command) = 0;
    /// All its groups, and all that they have caused, have ended.
    virtual void completed(protocol::aggregation& command) = 0;

protected:
    ~aggregation_listener() = default;
};

/// Takes the aggregation commands of SMXs one after another. Wang et al., "Dynamic Thread Block
/// Launch", ISCA 2015, 4.2, steps 4 to 8.
///
/// Two stages, each with one command:
///  - search: looks at one Kernel Distributor Entry a cycle, for all groups of the command. The
///    first entry that takes a group is pinned for it. Ends with the last entry, or when all groups
///    have found one;
///  - append: deals with one group a cycle, in the order of the threads: the group gets its place
///    in the AGT or in memory and joins the chain of its entry, or is refused.
/// Both go on beside the allocation of the parameter buffers (4.3): as many steps as that has taken
/// cycles need none of their own, so that the slower of the two decides. Their effects come when
/// the command has come.
class aggregation_unit {
public:
    using command_ptr = pool_ptr<protocol::aggregation>;

    /// All arguments outlive the unit.
    aggregation_unit(resident_kernels& kernels, group_chain& groups, aggregation_listener& listener)
        : kernels_(kernels), groups_(groups), listener_(listener) {}

    void take(command_ptr command) { waiting_.push_back(std::move(command)); }
    /// One cycle of both stages. True: it has done something.
    bool cycle();
    /// A launch and all that it has caused have ended; nothing happens if no command has brought
    /// it.
    void launch_ended(launch_id launch);

    /// No command is under way; groups may still run.
    [[nodiscard]] bool idle() const noexcept {
        return waiting_.empty() && !search_.command && !append_.command;
    }
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
    [[nodiscard]] std::size_t commands() const noexcept {
        return waiting_.size() + (search_.command ? 1 : 0) + (append_.command ? 1 : 0);
    }

private:
    struct stage {
        command_ptr command;  ///< null: empty
        std::array<kde_index, protocol::maximum_lanes> found{};
        std::uint32_t matched = 0;
        std::uint32_t at = 0;          ///< next entry, or next group
        std::uint32_t overlapped = 0;  ///< steps that need no cycle any more
    };
    /// A command whose groups have not all ended.
    struct running {
        command_ptr command;
        std::uint32_t open = 0;
    };

    void begin_search();
    void search();
    void look_at(kde_index entry);
    void append();
    void append_next();

    resident_kernels& kernels_;
    group_chain& groups_;
    aggregation_listener& listener_;
    std::deque<command_ptr> waiting_;
    stage search_;
    stage append_;
    std::uint64_t commands_ = 0;
    std::unordered_map<std::uint64_t, running> running_;       ///< by number of the command
    std::unordered_map<launch_id, std::uint64_t> command_of_;  ///< number
    std::uint64_t refused_ = 0;
};

}  // namespace heddle
