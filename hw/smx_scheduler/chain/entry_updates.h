// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "hw/base/pool.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/launched_block.h"
#include "hw/protocol/link.h"
#include "hw/smx_scheduler/chain/launch_order.h"

namespace heddle {

/// What the SMX scheduler does to Kernel Distributor Entries. Its own account (resident_kernels)
/// changes at once; the Kernel Distributor, whose table is a copy, hears of it a cycle later.
class entry_updates {
public:
    /// All arguments outlive the object, but `name`.
    entry_updates(launch_order& order,
                  protocol::initiator_socket_base<protocol::kde_link>& distributor,
                  const std::string& name)
        : order_(order), distributor_(distributor), updates_(name) {}

    /// A block counts from now on; `of_group`: not to the grid of the entry's own kernel.
    void start_block(const protocol::launched_block& block, bool of_group);
    void end_block(const protocol::launched_block& block);
    /// The last block of the entry's own kernel has been distributed, and the chain has advanced.
    void exhaust(const protocol::launched_block& last);
    /// The first group is to join the entry.
    void hold(kde_index entry);
    /// Frees the entry if nothing is left of it. True: groups had joined it, and it is free.
    bool release_if_over(kde_index entry);

private:
    void tell(protocol::kde_event event, launch_id kernel, kde_index entry, std::uint32_t block = 0,
              bool of_group = false);
    [[nodiscard]] launch_id kernel_of(kde_index entry) const {
        return order_.kernels().kernel(entry)->launch;
    }

    launch_order& order_;
    protocol::initiator_socket_base<protocol::kde_link>& distributor_;
    pool<protocol::kde_update> updates_;
};

}  // namespace heddle
