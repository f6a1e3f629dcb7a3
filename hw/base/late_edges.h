// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/base/late_part.h"

namespace heddle {

class clock_domain;
class clocked;

/// Edges of one domain that a crew evaluates late. They need no instants of their own then, at
/// which threads meet. At the next instant of other domains, at time T, each thread evaluates and
/// updates the parts that it has in its lane at all edges up to T, one part after the other.
///
/// Why nobody can tell. (1) All parts of the domain are late_parts, and none of them touches
/// another one. So their order is free. (2) Nothing else is evaluated between the first late edge
/// and T. (3) What a late edge x sends is seen after edge x + lookahead, and T is not behind that
/// edge: so it is in its inbox when it falls due. Those who send it state the due edge by the time,
/// not by when they are evaluated. (4) What the parts of T send to late parts is seen after T. (5)
/// What else parts of T read of late parts, credits, has the answer that it would have had at its
/// time (late_part::may_be_late()), and changes after they have been evaluated. (6) The main thread
/// reads late parts (statistics, accesses of the host, the watchdog) at instants at which it runs a
/// part that is not shared, or between instants of which run_control knows: the edges are not late
/// then (edge_loop.cpp). The run ends after an instant, and all edges up to it have run. (7) Which
/// of several domains comes first at an instant may be another one than with one thread, as that
/// depends on when their edges were scheduled. Nothing may depend on it, with one thread either,
/// but the order of errors at one instant, and what is written at each call: with a waveform or a
/// timeline a run has one thread.
class late_edges {
public:
    /// What a thread has evaluated late.
    struct share {
        std::uint64_t edges = 0;  ///< bit k: the first one + k
        std::uint32_t evaluations = 0;
        std::uint32_t weight = 0;  ///< of these
    };

    /// Before the start.
    void add(clocked& part, late_part& how);
    /// Once, when all parts have been constructed. Without effect where a domain has a part that
    /// was not added, or never sleeps.
    void prepare();
    /// Null: no edges are ever late.
    [[nodiscard]] clock_domain* domain() const noexcept { return domain_; }

    /// By the main thread, between instants: whether the edge that is scheduled, and those up to
    /// `time` (ps), may be evaluated at `time`.
    [[nodiscard]] bool may_wait_until(std::uint64_t time);
    /// At that time: these edges are evaluated now.
    void begin();
    /// By the thread that has the part in its lane: evaluates and updates it. Whether it is awake
    /// at the edge after the last one.
    [[nodiscard]] bool run(std::size_t part, share& of_this_thread) const;
    /// From the part that runs on this thread. False: `edge` is behind the last one; it says which.
    [[nodiscard]] bool wake(const clock_domain& domain, std::uint64_t& edge) const;
    void caught_up(std::size_t part) const { parts_[part]->caught_up(); }
    /// By the main thread: the edges have been evaluated.
    void end(const share& all) const;

private:
    static constexpr std::uint64_t most_edges = 32;  ///< at once

    std::vector<clocked*> added_;
    std::vector<late_part*> hows_;  ///< of added_
    clock_domain* domain_ = nullptr;
    std::vector<late_part*> parts_;         ///< by their place in the domain
    std::uint64_t first_ = 0, last_ = 0;    ///< of may_wait_until()
    std::uint64_t lookahead_ = most_edges;  ///< the least of all parts
    std::vector<std::uint64_t> awake_;      ///< by part; bit k: awake at first_ + k
};

}  // namespace heddle
