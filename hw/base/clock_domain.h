// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <systemc>
#include <vector>

#include "hw/base/cycle_counter.h"
#include "hw/base/due_times.h"
#include "hw/base/frequency.h"
#include "hw/base/run_control.h"
#include "models/base/apart_allocator.h"

namespace heddle {

class clock_domain;

/// What a part answers at the end of an edge: `busy` keeps it awake for the next edge. With `idle`
/// it sleeps until wake() is called or a wake_at() is due.
enum class activity : bool { idle = false, busy = true };

/// A part that runs on the edges of one clock domain.
///
/// At an edge the domain calls evaluate() of all awake parts, then update() of all awake parts,
/// both in the order in which the parts were constructed (netlist order).
///
/// Contract of a part:
/// - evaluate() reads only state that was latched by update() at an earlier edge (its own or its
///   neighbours') and items whose due edge has come; it may call other parts, which put what they
///   get into an inbox (inbox.h); the inbox stamps each item with its due edge;
/// - update() latches the new state and changes nothing that another part sees before the next
///   edge; it answers whether the part has work left;
/// - an edge at which the part has nothing to do changes no result, so the part may sleep; a part
///   that counts cycles adds the skipped ones (skipped_edges()); the part's variables in a waveform
///   have settled before it answers `idle`.
///
/// Every part is awake at edge 0. Parts outlive the simulation.
class clocked {
public:
    /// `name` is the hierarchical name for reports. Throws configuration_error once the
    /// simulation has started.
    clocked(clock_domain& domain, std::string name);
    virtual ~clocked() = default;
    clocked(const clocked&) = delete;
    clocked& operator=(const clocked&) = delete;

    virtual void evaluate() = 0;
    [[nodiscard]] virtual activity update() = 0;
    /// Applied once before time 0, in netlist order, before any evaluate().
    virtual void reset() {}
    /// One line for the wait-for report of a run without progress; empty if nothing waits.
    [[nodiscard]] virtual std::string waiting_for() const { return {}; }

    /// Awake at the next edge: the first one strictly after now, or edge 0 before the start.
    /// May be called by anybody at any time: from evaluate() and update() of this or another
    /// domain, from a SystemC process, from a constructor.
    inline void wake();
    /// Awake at `edge`, or at the next edge if `edge` has passed. Several calls may be pending.
    void wake_at(std::uint64_t edge);
    /// Awake at the first edge that is not before `time`, or at the next edge if `time` has passed.
    void wake_at(const sc_core::sc_time& time);

    /// For update(): the next edge runs, be a part awake then or not. A part that knows that it has
    /// nothing to do at the next edge sleeps at once, and the domain's edges stay where they were:
    /// which of two domains comes first at an instant depends on when their edges were scheduled.
    inline void keep_next_edge() noexcept;
    /// The same for the edges up to this one.
    inline void keep_edges_until(std::uint64_t edge) noexcept;
    /// The same for all edges, until the part takes it back.
    inline void keep_edges(bool keep) noexcept;

    /// Edges skipped since this part last ran (0: it ran at the edge before). Inside evaluate() and
    /// update() it counts edges before the present one, after the run all edges up to the end of
    /// the run. Cycle statistics add skipped_edges() at each evaluate() and once more at the end.
    [[nodiscard]] std::uint64_t skipped_edges() const;

    [[nodiscard]] clock_domain& domain() const noexcept { return *domain_; }
    [[nodiscard]] const std::string& part_name() const noexcept { return part_name_; }

private:
    friend class clock_domain;
    friend class crew;
    friend class lanes;
    friend class late_edges;

    clock_domain* domain_;
    std::uint32_t index_;
    std::uint8_t lane_ = 0;         ///< thread of a crew that evaluates this part
    std::uint64_t edges_seen_ = 0;  ///< one past the last edge this part took part in
    std::string part_name_;
};

struct clock_domain_options {
    /// Stops the run at an edge; may be null. Outlives the domain.
    run_control* control = nullptr;
    /// Runs every part at every edge: the results are the same, the run is slower. The domain then
    /// never runs out of events, so something has to stop the run.
    bool no_sleep = false;
};

/// One clock: a single SystemC process that runs the awake parts of the domain at each edge.
///
/// Cost (2.6 GHz Xeon): 4 ns per awake part and edge, including the part's own work in the
/// benchmark, and 60 ns per edge at which a part is awake, nearly all of it in the SystemC kernel.
/// Where the run_control allows it, the edge_loop runs several edges in one activation.
/// While all parts sleep nothing runs: the domain jumps to the earliest due time, however far, and
/// the edge count includes the skipped edges exactly. Errors: a time resolution coarser than 1 ps
/// is a configuration_error from sc_start(). The library never sets the resolution.
class clock_domain : public sc_core::sc_module, public cycle_counter {
public:
    clock_domain(const sc_core::sc_module_name& name, const frequency& f,
                 const clock_domain_options& options = {});
    ~clock_domain() override;

    /// The edge that runs now if called from a part of this domain; otherwise the last edge at or
    /// before now. Cycle k spans from edge k to edge k + 1.
    [[nodiscard]] std::uint64_t edge() const {
        return phase_ != phase::outside ? edge_ : edge_outside();
    }
    /// The first edge strictly after now: an item that is sent now is seen there. Edge 0 before the
    /// simulation starts.
    [[nodiscard]] std::uint64_t next_edge() const {
        return phase_ != phase::outside ? edge_ + 1 : next_edge_outside();
    }
    /// Number of edges at or before now; 0 before the start.
    [[nodiscard]] std::uint64_t edge_count() const;
    /// Time of an edge, past or future.
    [[nodiscard]] sc_core::sc_time edge_time(std::uint64_t edge) const;
    [[nodiscard]] const frequency& rate() const noexcept { return frequency_; }
    /// Whether the edge that runs on this thread is late (late_edges.h).
    [[nodiscard]] bool runs_late() const noexcept { return any_late_ && late_.domain == this; }
    [[nodiscard]] bool no_sleep() const noexcept { return no_sleep_; }
    [[nodiscard]] std::string clock_name() const override { return name(); }
    [[nodiscard]] std::uint64_t cycle() const override { return edge(); }

    /// Edges at which the process ran, and evaluate() calls, for the host's speed figures.
    [[nodiscard]] std::uint64_t executed_edges() const noexcept { return executed_edges_; }
    [[nodiscard]] std::uint64_t evaluations() const noexcept { return evaluations_; }
    /// waiting_for() of every part that waits, "name: text" each.
    [[nodiscard]] std::vector<std::string> waiting_parts() const;
    [[nodiscard]] const std::vector<clocked*>& parts() const noexcept { return parts_; }
    /// Before the start, when all parts have been constructed: they run in the reverse of their
    /// order, which must not change any result. For tests of a netlist. Throws configuration_error
    /// once the simulation has started.
    void reverse_parts();
    /// For a part that reads the kernel's time, writes signals or notifies events itself: see
    /// edge_loop::stay().
    void stay_with_kernel();

protected:
    void end_of_elaboration() override;
    void start_of_simulation() override;

private:
    friend class clocked;
    friend class crew;
    friend class edge_loop;
    friend class lanes;
    friend class late_edges;
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    /// Whether an edge of this domain runs, and who runs it.
    enum class phase : std::uint8_t {
        outside,  ///< no edge runs
        alone,    ///< the main thread
        shared,   ///< the threads of a crew
    };
    /// A wake-up that was requested before the simulation started.
    struct early_wake {
        std::uint32_t part;
        bool is_time;         ///< else an edge
        std::uint64_t value;  ///< ticks of the time resolution, or the edge
    };
    /// What a thread evaluates late (late_edges.h); the domain is null if it does not.
    struct late_point {
        const clock_domain* domain;
        std::uint64_t edge;
        std::uint64_t awake;  ///< edges at which the part is awake
    };

    std::uint32_t add(clocked& part);
    void wake(std::uint32_t part) {
        if (phase_ == phase::alone) {
            next_[part >> 6] |= std::uint64_t{1} << (part & 63);
        } else {
            wake_outside(part, 0);
        }
    }
    void wake_outside(std::uint32_t part, std::uint64_t edge);
    void wake_at(std::uint32_t part, std::uint64_t edge);
    [[nodiscard]] std::uint64_t edge_outside() const;
    [[nodiscard]] std::uint64_t next_edge_outside() const;
    /// Edges lie on whole picoseconds: a finer time is rounded up for "not before".
    [[nodiscard]] std::uint64_t ticks_to_ps_up(std::uint64_t ticks) const;

    /// The process: the edge that is scheduled, and those that the edge_loop lets follow.
    void run_edge();
    /// False if the run ends with this edge.
    bool run_scheduled_edge();
    /// Its steps beside run_awake().
    void begin_edge();
    bool finish_edge();
    void count_edge();
    /// Has the kernel call run_edge() at the edge that is scheduled.
    void notify_kernel();
    void schedule(std::uint64_t edge, std::uint64_t time) {
        scheduled_edge_ = edge;
        scheduled_time_ = time;
        if (control_ != nullptr && control_->edges().ahead() && edge != never) {
            scheduled_order_ = control_->edges().schedule(*this, time);
        }
    }
    void run_awake();
    void update_awake();
    /// Calls each(word) for the words of a set of parts, most often one: without a case of its own
    /// the loops are made for many.
    template <class Each>
    void for_each_word(const Each& each) const {
        if (awake_.size() == 1) return each(std::size_t{0});
        for (std::size_t word = 0; word < awake_.size(); ++word) each(word);
    }
    /// Calls each(index) for the parts that are awake at edge_.
    template <class Each>
    void for_each_awake(const Each& each) const {
        for (std::size_t word = 0; word < awake_.size(); ++word) {
            for (std::uint64_t bits = awake_[word]; bits != 0; bits &= bits - 1) {
                each(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
            }
        }
    }
    [[nodiscard]] activity update(clocked& part) const {
        const activity left = part.update();
        part.edges_seen_ = edge_ + 1;
        return left;
    }
    void schedule_next();
    void move_to(std::uint64_t edge);

    static inline thread_local late_point late_{nullptr, 0, 0};
    /// Some thread evaluates late. Asked first: in a library, late_ costs the call of a function.
    static inline bool any_late_ = false;

    const frequency frequency_;
    /// The exact period in ps is whole_period_ + part_period_ / f, f the frequency's numerator.
    const std::uint64_t whole_period_;
    const std::uint64_t part_period_;
    run_control* const control_;
    const bool no_sleep_;
    phase phase_ = phase::outside;
    std::size_t place_ = 0;                 ///< among the domains of the edge_loop
    std::uint64_t edge_ = 0;                ///< the edge that runs, or the last one that ran
    std::uint64_t edge_time_ = 0;           ///< of edge_, ps
    std::uint64_t edge_remainder_ = 0;      ///< the exact time is edge_remainder_ / f later
    std::uint64_t scheduled_edge_ = never;  ///< where the process runs next
    std::uint64_t scheduled_time_ = never;  ///< of that edge, ps
    std::uint64_t scheduled_order_ = 0;     ///< edge_loop::schedule()
    std::uint64_t ticks_per_ps_ = 1;
    /// The last result of next_edge_outside(): at an edge of another domain many parts ask for it.
    mutable std::uint64_t asked_at_ = never;  ///< ticks
    mutable std::uint64_t asked_next_ = 0;
    std::uint64_t executed_edges_ = 0;
    std::uint64_t evaluations_ = 0;
    std::vector<clocked*> parts_;
    std::vector<std::uint64_t> awake_;  ///< one bit per part: runs at edge_
    std::vector<std::uint64_t> next_;   ///< one bit per part: runs at edge_ + 1
    due_times due_;
    std::vector<early_wake> early_;
    sc_core::sc_event edge_event_;
    /// keep_edges_until(), which threads of a crew call while others read what is above.
    alignas(bytes_apart) std::atomic<std::uint64_t> kept_until_{0};
    std::atomic<std::uint32_t> keepers_{0};  ///< parts that keep all edges
};

inline void clocked::wake() {
    domain_->wake(index_);
}

inline void clocked::keep_next_edge() noexcept {
    keep_edges_until(domain_->edge_ + 1);
}

inline void clocked::keep_edges_until(std::uint64_t edge) noexcept {
    // Many parts may say so at an edge: only the first takes the line from other threads.
    std::atomic<std::uint64_t>& until = domain_->kept_until_;
    std::uint64_t kept = until.load(std::memory_order_relaxed);
    while (kept < edge && !until.compare_exchange_weak(kept, edge, std::memory_order_relaxed)) {
    }
}

inline void clocked::keep_edges(bool keep) noexcept {
    domain_->keepers_.fetch_add(keep ? 1 : ~std::uint32_t{0}, std::memory_order_relaxed);
}

}  // namespace heddle
