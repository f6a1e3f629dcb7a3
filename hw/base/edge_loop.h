// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/base/edge_queue.h"

namespace heddle {

class crew;

/// Runs the edges of the clock domains of one run_control, one after the other in the order of
/// time, while SystemC's kernel has nothing to do before them.
///
/// An edge costs a timed notification and a pass through the kernel otherwise, more than all parts
/// of an edge at which few are awake. The kernel's time stays behind meanwhile; `present` has the
/// time. An event that a part notifies with present::notify() ends the loop: the kernel gets to it,
/// and the domains go on with their own events. Edges and their order are those of the kernel.
class edge_loop {
public:
    void add(clock_domain& domain) {
        domains_.push_back(&domain);
        due_.reserve(domains_.size());  // it stays where it is: crew::list_orders()
    }
    void remove(clock_domain& domain);
    [[nodiscard]] const std::vector<clock_domain*>& domains() const noexcept { return domains_; }

    /// From now on edges before `limit` may run ahead of the kernel.
    void start(const sc_core::sc_time& limit) noexcept { limit_ = limit.value(); }
    /// Never, whatever start() says: something needs the kernel's time at each edge.
    void stay() noexcept { stays_ = true; }
    /// Whether the domains call run().
    [[nodiscard]] bool ahead() const noexcept { return limit_ != 0 && !stays_; }
    /// A domain will have an edge at `time` (ps). A domain's latest call counts; its number.
    std::uint64_t schedule(clock_domain& domain, std::uint64_t time) {
        queue_.insert({time, &domain, ++order_});
        return order_;
    }

    /// The threads that share the edges; they are those of the machine. Null: the main thread runs
    /// all. Before the start of the simulation.
    void hire(crew* threads) noexcept { crew_ = threads; }

    /// The process of a domain whose edge is due, or was: runs it and what follows. Afterwards each
    /// domain has told the kernel of its next edge.
    void run(clock_domain& due);
    /// Inside run(): domains don't tell the kernel of their edges.
    [[nodiscard]] bool at_work() const noexcept { return at_work_; }

private:
    void run_edges();
    void run_instant(std::uint64_t time, std::uint64_t limit);
    void run_edge_of(clock_domain& domain);
    void share_instant(std::uint64_t time);
    void drop_old_entries();
    [[nodiscard]] bool may_be_late(std::uint64_t limit);

    std::vector<clock_domain*> domains_, due_;
    edge_queue queue_;
    crew* crew_ = nullptr;
    clock_domain* late_ = nullptr;  ///< its edge was due, and runs at the next instant
    std::uint64_t limit_ = 0;       ///< ticks
    std::uint64_t order_ = 0;
    bool stays_ = false;
    bool stopped_ = false;  ///< the run has ended
    bool at_work_ = false;
};

}  // namespace heddle
