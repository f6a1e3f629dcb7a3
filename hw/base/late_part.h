// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// A part whose edges a crew may evaluate late (late_edges.h): not at their own time, but at the
/// next instant of other domains, while the parts of these are evaluated. What a part has to
/// promise.
class late_part {
public:
    virtual ~late_part() = default;

    /// What the part does at edge x nobody sees at or before the time of edge x + lookahead(). What
    /// others send it at the time of edge x, or before, it sees after x.
    [[nodiscard]] virtual std::uint64_t lookahead() const = 0;
    /// Between instants, for `edges` late ones. Until the next instant of others is over, nothing
    /// that the part does, but for what it sends with its lookahead, makes a difference to them:
    /// credits that they take are there already, and still will be behind these edges, it owes
    /// nobody an acceptance, and it reports no error, which would end the run too late. It sends to
    /// inboxes to which no other part of its domain sends. If it calls crew::in_order(), its turn
    /// comes behind all parts of the instant.
    [[nodiscard]] virtual bool may_be_late(std::uint64_t edges) const = 0;
    /// After its late edges, when what others have sent meanwhile has come: shows them what
    /// update() has not latched, as others may have read it.
    virtual void caught_up() = 0;
};

}  // namespace heddle
