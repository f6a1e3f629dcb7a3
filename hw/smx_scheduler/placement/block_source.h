// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/protocol/launched_block.h"
#include "hw/smx_scheduler/placement/smx_accounts.h"

namespace heddle {

/// Where blocks come from that go to an SMX (block_distribution.h asks all sources in turn).
class block_source {
public:
    /// The block that goes next; null: there is none, or it may not go in this cycle. Valid until
    /// the source changes.
    [[nodiscard]] virtual const protocol::launched_block* next() = 0;
    /// next() has its place on an SMX. True if the SMX has to invalidate its L1D.
    [[nodiscard]] virtual bool placed(sm_id sm) = 0;
    /// It has been sent there.
    virtual void sent() {}
    /// next() has no place in this cycle.
    virtual void lacks(block_limit) {}
    /// Its blocks have been promised their places: they go before all others, and no block leaves
    /// for them.
    [[nodiscard]] virtual bool promised() const { return false; }
    /// A block may go in the next cycle.
    [[nodiscard]] virtual bool pending() const = 0;
    [[nodiscard]] virtual bool empty() const = 0;

protected:
    ~block_source() = default;
};

}  // namespace heddle
