// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/l1/line_user.h"
#include "hw/smx/lsu/queue/memory_flight.h"
#include "models/base/strong_index.h"
#include "models/isa/instruction.h"

namespace heddle {

/// What the load-store unit tells the pipeline. No call may call back into accept().
class memory_client {
public:
    /// Values of some lanes of a load or atomic, extended as the instruction says. They may be
    /// written to rd (row 32 is the sink) at once: the scoreboard hides them until completed().
    virtual void loaded(const memory_flight& flight, isa::lane_mask lanes,
                        const std::uint32_t* values) = 0;
    /// Load, atomic: all lanes have their value and rd may be read at this edge. Store: it has left
    /// the queue. Called once per accepted instruction.
    virtual void completed(const memory_flight& flight) = 0;
    /// An access for the log of private memory is over: outstanding_instructions() has changed.
    virtual void log_accessed() {}
    /// Lanes of a transactional access to shared memory have lost their transaction just now. Their
    /// words have their old values.
    virtual void lost(const memory_flight&, isa::lane_mask) {}

    /// Some lanes of a load or atomic have their values; rd may be read there at this edge. Only
    /// where the client has asked for it (load_store_environment); completed() follows.
    virtual void returned(const memory_flight&, isa::lane_mask) {}
    /// outstanding_writes(owner) has fallen to 0: fences and ends of blocks wait for that.
    virtual void writes_drained(access_owner owner) = 0;

    /// A load has missed on a line of L1D that the warp had brought and lost; only if
    /// cache_maintenance::keep_victim_tags() was called.
    virtual void lost_locality(warp_slot) {}

protected:
    ~memory_client() = default;
};

}  // namespace heddle
