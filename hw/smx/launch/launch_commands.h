// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/aggregation.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link.h"

namespace heddle {

/// An SMX's end of its launch links: commands out, acceptance and ends in.
///
/// Kernels go to the KMU one after another, the aggregations of warps to the SMX scheduler. On each
/// of the two links one command at a time waits for its acceptance. Commands leave in the order of
/// send().
class launch_commands {
public:
    /// Where commands go. The sockets belong to the module.
    struct links {
        protocol::initiator_socket_base<protocol::launch_link>& kernels;
        protocol::initiator_socket_base<protocol::aggregation_link>& groups;
    };
    /// `owner` is woken for answers.
    launch_commands(clocked& owner, const links& to);

    [[nodiscard]] pool_ptr<protocol::kernel_launch> make_launch() { return launches_.make(); }
    [[nodiscard]] pool_ptr<protocol::aggregation> make_aggregation() { return groups_.make(); }
    void send(unsigned warp, pool_ptr<protocol::kernel_launch> kernel);
    void send(pool_ptr<protocol::aggregation> groups);

    /// Takes what has come and sends what may go. Calls accepted(warp) for each accepted command.
    template <class Accepted>
    bool cycle(Accepted&& accepted) {
        bool changed = false;
        while (answers_.ready() != nullptr) {
            const answer got = answers_.pop();
            changed = true;
            if (const auto warp = take(got)) accepted(*warp);
        }
        return send_next() || changed;
    }
    /// Whether answers or commands wait.
    [[nodiscard]] bool busy() const noexcept {
        return !answers_.empty() || !kernels_to_send_.empty() || !groups_to_send_.empty();
    }
    /// Launches made by the block that have not ended.
    [[nodiscard]] std::uint32_t open_children(launch_id launch, std::uint32_t block) const;
    [[nodiscard]] std::string waiting_for() const;

    // Backward paths of the links.
    tlm::tlm_sync_enum kernel_answer(protocol::kernel_launch& launch, protocol::launch_phase phase);
    tlm::tlm_sync_enum group_answer(protocol::aggregation& groups,
                                    protocol::aggregation_phase phase);

private:
    struct waiting_kernel {
        unsigned warp = 0;
        pool_ptr<protocol::kernel_launch> launch;
    };
    struct answer {
        bool accepted = false;  ///< else completed
        pool_ptr<protocol::kernel_launch> kernel;
        pool_ptr<protocol::aggregation> groups;
    };

    /// The warp whose command was accepted.
    std::optional<unsigned> take(const answer& got);
    bool send_next();
    void count_open(const protocol::kernel_launch& launch, std::int32_t change);
    [[gnu::cold]] void report(const char* what) const;

    clocked& owner_;
    links links_;
    pool<protocol::kernel_launch> launches_;
    pool<protocol::aggregation> groups_;
    std::deque<waiting_kernel> kernels_to_send_;  ///< the first one may wait for its acceptance
    std::deque<pool_ptr<protocol::aggregation>> groups_to_send_;  ///< likewise
    bool kernel_requested_ = false;
    bool groups_requested_ = false;
    inbox<answer> answers_;
    std::unordered_map<std::uint64_t, std::uint32_t> open_;  ///< by parent block
};

}  // namespace heddle
