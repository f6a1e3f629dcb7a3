// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "hw/base/edge_work.h"
#include "hw/base/lanes.h"
#include "hw/base/late_edges.h"
#include "hw/base/pace.h"
#include "hw/base/work_threshold.h"
#include "models/base/contention.h"
#include "models/base/thread_gate.h"

namespace heddle {

class clock_domain;
class clocked;

/// Threads of the host that share the parts of an edge. All outputs are those of one thread.
///
/// A part that is shared (share()) runs on the thread that has it in its lane. All others run on
/// the main thread, before the shared ones. Only the main thread calls SystemC. Steps of an
/// instant: (1) the main thread evaluates the parts that are not shared; (2) each thread evaluates
/// the awake parts of its lane, in netlist order; (3) when all threads have come so far, each of
/// them puts what was sent to the inboxes of its lane
///     into these inboxes, in netlist order of the senders, and updates its parts;
/// (4) the main thread wakes parts, and updates those that are not shared.
///
/// In step (2) a part touches its own state, pushes into inboxes, takes credits, and reads what
/// others have latched. Before it does anything else with another part it calls in_order(), which
/// returns when all parts before it in netlist order have been evaluated. Such calls therefore
/// never meet, and they come in the order of one thread. What is pushed is due at a later instant,
/// so that no part can tell that it comes in step (3) only.
///
/// Edges of controllers need no instant of their own (late_edges.h): they are evaluated behind the
/// other parts in step (2), and latch in step (3).
///
/// At an instant with little work, while threads get no cores (contention.h), or where they are
/// slower (pace.h), the main thread runs all parts as if there were no crew. No output depends on
/// this choice. The lanes depend on counts of evaluations, never on time.
class crew {
public:
    /// Size of the largest item that an inbox may hold.
    static constexpr std::size_t item_bytes = 24;
    static constexpr unsigned most_threads = 64;

    struct settings {
        unsigned threads = 2;
        /// For tests: not 0 shares most instants, by chance, and threads wait at random
        /// before they evaluate.
        std::uint64_t delay_seed = 0;
        /// Not null: each instant is shared, by one thread, and what it works on is told.
        edge_work* work = nullptr;
        /// Late edges (late_edges.h). With delay_seed they are late at random.
        bool late = true;
    };

    explicit crew(const settings& chosen);
    ~crew();
    crew(const crew&) = delete;
    crew& operator=(const crew&) = delete;

    /// Before the start of the simulation. `weight`: what an evaluation of the
    /// part costs, as compared with other parts.
    void share(clocked& part, std::uint32_t weight) {
        if (settings_.work != nullptr) settings_.work->shared(part, weight);
        lanes_.share(part, weight);
    }
    /// The same for a part whose edges may be late.
    void share(clocked& part, late_part& how, std::uint32_t weight) {
        if (has_late_edges()) late_.add(part, how);
        share(part, weight);
    }
    [[nodiscard]] bool has_late_edges() const noexcept {
        return settings_.late && settings_.work == nullptr;
    }

    /// Likewise. The main thread runs an instant alone for which `looks` is true: a part then looks
    /// at the state of others, in the midst of the instant.
    void alone_when(std::function<bool()> looks) { looks_ = std::move(looks); }

    [[nodiscard]] unsigned threads() const noexcept { return settings_.threads; }
    /// Instants that the threads have shared, and those that the main thread has
    /// run alone.
    [[nodiscard]] std::uint64_t shared_instants() const noexcept { return shared_instants_; }
    [[nodiscard]] std::uint64_t lone_instants() const noexcept { return lone_instants_; }
    /// Shared instants at which edges were late.
    [[nodiscard]] std::uint64_t late_instants() const noexcept { return late_instants_; }

    // ---- for the edge_loop ----

    /// Whether the work of this instant is worth several threads.
    [[nodiscard]] bool worth(const std::vector<clock_domain*>& all,
                             const std::vector<clock_domain*>& due);
    /// Evaluates and updates the awake parts of the domains that are due, and those of late edges
    /// of `late`, unless it is null. Throws what a part has thrown.
    void run(const std::vector<clock_domain*>& due, clock_domain* late);
    /// Whether the edge of the domain that is due alone may be late, if the instant that
    /// follows is at a time that it may wait for.
    [[nodiscard]] bool may_be_late(const clock_domain& due);
    [[nodiscard]] bool may_wait_until(std::uint64_t time) { return late_.may_wait_until(time); }
    /// Whether parts that are not shared are awake at the edges of these domains.
    [[nodiscard]] bool main_thread_has_parts(const std::vector<clock_domain*>& due) const {
        return !lanes_.empty() && lanes_.others_awake(due);
    }

    // ---- for parts, inboxes and domains, on any thread ----

    /// Whether it is step (2) or (3).
    [[nodiscard]] static bool sharing() noexcept { return __builtin_expect(sharing_, 0); }
    /// From evaluate(): returns when all parts before this one have been
    /// evaluated.
    static void in_order() {
        if (sharing()) wait_for_turn();
    }
    /// From an inbox, while sharing(): step (3) calls insert(due, item) of the
    /// inbox.
    template <class Inbox, class T>
    static void stage(Inbox& to, const clocked& owner, std::uint64_t due, T item) {
        static_assert(sizeof(T) <= item_bytes &&  // NOLINT: an item may be a pointer
                      alignof(T) <= alignof(std::uint64_t));
        letter& sent = next_letter(owner);
        sent.inbox = &to;
        sent.due = due;
        sent.deliver = [](letter& arrived) {
            T* const held = std::launder(reinterpret_cast<T*>(arrived.item));
            const bool fits =
                static_cast<Inbox*>(arrived.inbox)->insert(arrived.due, std::move(*held));
            held->~T();
            return fits;
        };
        new (static_cast<void*>(sent.item)) T(std::move(item));
    }
    /// From a domain, while sharing(): step (4) wakes the part.
    static void stage_wake(clock_domain& domain, std::uint32_t part, std::uint64_t edge);
    /// Reports an error if the state of `part` is not for this thread to touch
    /// now. Called in debug builds only (HEDDLE_CHECK_LANES).
    static void check_lane(const clocked& part);

private:
    struct hand;
    /// An item on its way into an inbox. It has a cache line of its own.
    struct alignas(64) letter {
        bool (*deliver)(letter&) = nullptr;  ///< false if the inbox is full
        void* inbox = nullptr;
        std::uint64_t due = 0;
        std::uint32_t order = 0;  ///< of the sender among the parts of this instant
        alignas(std::uint64_t) unsigned char item[item_bytes];
    };

    static void wait_for_turn();
    static letter& next_letter(const clocked& owner);

    void prepare(const std::vector<clock_domain*>& all, const std::vector<clock_domain*>& due);
    void list_orders(const std::vector<clock_domain*>& due);
    void serve(hand& self);
    void work(hand& self);
    void evaluate(hand& self);
    void take_letters(hand& self);
    void update(hand& self);
    void evaluate_late(hand& self);
    void evaluate_others();
    void update_others();
    void gather();
    void gather_late();
    static std::uint64_t draw(hand& self);
    static void delay(hand& self);

    static inline bool sharing_ = false;

    const settings settings_;
    lanes lanes_;
    std::vector<std::unique_ptr<hand>> hands_;  ///< the first one is the main thread's
    thread_gate gate_;
    std::vector<clock_domain*> domains_;  ///< all; empty before the first instant
    /// Lines that the main thread writes at each instant, and the others read.
    std::vector<const char*> orders_;
    // What threads read at each instant: list_orders() takes these members as one piece.
    const std::vector<clock_domain*>* due_ = nullptr;
    late_edges late_;
    clock_domain* late_domain_ = nullptr;  ///< has late edges at this instant
    bool shares_ = false;                  ///< the instant before

    contention contention_;
    work_threshold threshold_;
    pace pace_;
    std::uint64_t shared_instants_ = 0, lone_instants_ = 0, late_instants_ = 0;
    std::function<bool()> looks_;  ///< may be empty
};

}  // namespace heddle
