// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

#include "hw/smx/thread_pool/dwf/dwf_former.h"
#include "hw/smx/thread_pool/dwf/warp_policies.h"

namespace heddle {

/// Threads that issued together.
struct issued_group {
    std::uint32_t pc = 0;
    unsigned block = 0;
    isa::lane_mask lanes = 0;
    std::vector<unsigned> threads;  ///< by lane, lowest first
    unsigned conflict_clocks = 0;
};

/// Dynamic warp formation, driven turn by turn. Code begins at PC 0.
struct dwf_fixture {
    static constexpr unsigned code_words = 4096;
    issue_needs needs;
    protocol::thread_program code;
    dwf_configuration configuration;
    dwf_setting setting;
    std::unique_ptr<dwf_former> former;
    std::uint32_t accepting = 1;
    protocol::turn_outcome outcome = protocol::turn_outcome::nothing;
    protocol::thread_issue issue;

    dwf_fixture(unsigned warp_size, unsigned interval, dwf_configuration with = {},
                unsigned threads = 0)
        : configuration(with),
          setting{warp_size, threads == 0 ? 64 * warp_size : threads, interval, configuration} {
        needs.of.assign(code_words, 0);
        code.flags.assign(code_words, 0);
        former = std::make_unique<dwf_former>(setting);
        former->use_program(code);
    }

    [[nodiscard]] static dwf_configuration with(warp_policy_kind policy) {
        dwf_configuration configuration;
        configuration.policy = policy;
        return configuration;
    }

    /// Threads of home warp `warp` that return to their home lanes.
    void arrive(std::uint32_t pc, unsigned warp, isa::lane_mask lanes, bool starts = false,
                unsigned block = 0, std::uint16_t transaction = 0) {
        protocol::thread_arrival arrival;
        arrival.block = block_slot(block);
        arrival.pc = pc;
        arrival.lanes = lanes;
        arrival.starts = starts;
        arrival.transaction = transaction;
        bits::for_each(lanes, [&](unsigned lane) {
            arrival.threads[lane] = static_cast<std::uint16_t>(warp * setting.warp_size + lane);
        });
        former->arrive(arrival);
    }
    void arrive(std::uint32_t pc, const issued_group& group, isa::lane_mask lanes) {
        protocol::thread_arrival arrival;
        arrival.block = block_slot(group.block);
        arrival.pc = pc;
        arrival.lanes = lanes;
        std::size_t next = 0;
        bits::for_each(group.lanes, [&](unsigned lane) {
            arrival.threads[lane] = static_cast<std::uint16_t>(group.threads[next++]);
        });
        former->arrive(arrival);
    }
    /// The group that issues; no lanes if none does.
    issued_group pick() {
        former->pick(issue_filter(needs, accepting), issue);
        outcome = issue.outcome;
        issued_group group;
        if (outcome != protocol::turn_outcome::issued) return group;
        EXPECT_EQ(issue.count, 1U);
        group = {issue.parts[0].pc,
                 issue.parts[0].block.value(),
                 issue.parts[0].lanes,
                 {},
                 issue.conflict_clocks};
        bits::for_each(group.lanes,
                       [&](unsigned lane) { group.threads.push_back(issue.threads[lane]); });
        return group;
    }
    issued_group turn() {
        former->pass(setting.issue_interval);
        return pick();
    }
    /// PCs of the groups that issue in as many turns; ~0 where none does.
    std::vector<std::uint32_t> turns(unsigned count) {
        std::vector<std::uint32_t> pcs;
        for (unsigned i = 0; i < count; ++i) {
            const issued_group group = turn();
            pcs.push_back(group.lanes == 0 ? ~0U : group.pc);
        }
        return pcs;
    }
};

}  // namespace heddle
