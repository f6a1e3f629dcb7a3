// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

class clocked;

/// Hears what the host works on at each edge, in its order: what has been done since the call
/// before is what the call says. For schedules that are computed (docs/parallel.md).
class edge_work {
public:
    virtual ~edge_work() = default;

    /// Before the start: threads may share the part; its weight for the lanes.
    virtual void shared(const clocked& part, std::uint32_t weight) = 0;
    /// An instant begins.
    virtual void begin_instant() = 0;
    virtual void evaluated(const clocked& part) = 0;
    virtual void updated(const clocked& part) = 0;
    /// Letters to inboxes, which each thread puts into those of its own parts.
    virtual void delivered() = 0;
    /// Work of the main thread.
    virtual void other_work() = 0;
};

}  // namespace heddle
