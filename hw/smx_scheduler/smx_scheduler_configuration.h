// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// Parameters of the SMX scheduler, keys `smx_scheduler.*`.
struct smx_scheduler_configuration {
    unsigned blocks_per_cycle = 1;

    void declare(parameter_list& p) {
        p.add("blocks_per_cycle", blocks_per_cycle, range(1, 64), "block",
              "Thread blocks that are distributed in one cycle, at most one to each SMX")
            .larger_is_better();
    }
};

/// With what a group's entry of the Aggregated Group Table becomes free.
enum class group_hold : std::uint8_t {
    group,   ///< the end of its last block
    kernel,  ///< the end of the kernel that it has joined, with all its groups
};

/// The Aggregated Group Table, keys `agt.*`.
struct group_table_configuration {
    unsigned entries = 1024;  ///< Wang et al., ISCA 2015, 4.2 and 5.2
    unsigned chains = 1;      ///< kde_chain.h
    group_hold hold = group_hold::group;

    void declare(parameter_list& p) {
        p.add("entries", entries, range(1, 65536), "entry",
              "Entries of the Aggregated Group Table: a power of two")
            .larger_is_better();
        p.add("chains", chains, range(1, 16), "chain",
              "Chains of an entry of the kernel distributor, which its groups join in turn: as "
              "many records of groups without an entry are fetched at a time")
            .larger_is_better();
        p.add("hold", hold, {{"group", group_hold::group}, {"kernel", group_hold::kernel}},
              "An entry of the table is held until its group ends, or until the kernel ends that "
              "the group has joined");
        p.require({"entries"}, "agt.entries is a power of two",
                  [this] { return (entries & (entries - 1)) == 0; });
    }
};

}  // namespace heddle
