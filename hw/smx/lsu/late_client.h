// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/smx/lsu/memory_client.h"

namespace heddle {

/// Stands for a client that is built after the load-store unit.
class late_client final : public memory_client {
public:
    /// Before the first instruction. `client` outlives the calls.
    void connect(memory_client& client) noexcept { to_ = &client; }

    void loaded(const memory_flight& flight, isa::lane_mask lanes,
                const std::uint32_t* values) override {
        to_->loaded(flight, lanes, values);
    }
    void completed(const memory_flight& flight) override { to_->completed(flight); }
    void returned(const memory_flight& flight, isa::lane_mask lanes) override {
        to_->returned(flight, lanes);
    }
    void writes_drained(access_owner owner) override { to_->writes_drained(owner); }
    void access_fault(const memory_flight& flight, unsigned lane, std::uint32_t address,
                      const std::string& what) override {
        to_->access_fault(flight, lane, address, what);
    }
    void lost_locality(warp_slot warp) override { to_->lost_locality(warp); }

private:
    memory_client* to_ = nullptr;
};

}  // namespace heddle
