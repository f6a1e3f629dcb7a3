// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/engine.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "models/base/bits.h"
#include "models/base/error.h"
#include "models/iss/block_store.h"
#include "models/iss/cooperation.h"
#include "models/iss/interpreter.h"
#include "models/iss/launch_family.h"
#include "models/iss/memory_system.h"
#include "models/iss/progress_watch.h"
#include "models/iss/round_crew.h"
#include "models/iss/smx_places.h"
#include "models/iss/watched_warps.h"
#include "models/iss/why_alone.h"

namespace heddle::iss {
namespace {

template <unsigned Lanes>
class warp_engine final : public engine {
public:
    explicit warp_engine(engine_parts parts);
    void add(grid& launch) override;
    void run(const std::function<bool()>& until) override;
    [[nodiscard]] bool empty() const noexcept override { return family_.empty(); }
    [[nodiscard]] std::uint64_t executed() const noexcept override { return executed_; }
    [[nodiscard]] const std::set<std::string>& on_one_thread() const noexcept override {
        return on_one_thread_;
    }

private:
    using block_type = block<Lanes>;
    using warp_type = warp<Lanes>;

    /// Watched: by a debugger. A template, so that a run without one does not ask.
    template <bool Watched>
    void run_turns(const std::function<bool()>& until);
    void admit();
    void begin_cooperation(grid& of);
    [[nodiscard]] simt::cooperation_terms terms(const grid& of) const;
    void fork_block(grid& of, std::uint32_t number, const newcomer& from);
    void kill_block(block_type& b);
    void make_resident(block_type& b, std::uint32_t sm);
    template <bool Watched>
    void take_turns(block_type& b, interpreter<Lanes>& cpu);
    template <bool Watched>
    std::uint64_t run_warp(block_type& b, warp_type& w, interpreter<Lanes>& cpu, turn_log& log);
    [[nodiscard]] bool shares_round();
    void share_round();
    void end_turn(block_type& b, turn_log& log);
    void book(grid& of, turn_log& log);
    void suspend(block_type& b);
    void wake(launch_id launch, std::uint32_t number);
    void go_on(block_type& b);
    void finish_block(block_type& b);
    void reset();

    engine_parts parts_;
    memory_system<Lanes> memory_;
    launch_family family_;
    cooperation<Lanes> cooperation_;
    std::uint32_t killed_ = 0;  ///< blocks, since places were last given out
    block_store<Lanes> store_;
    watched_warps<Lanes> watched_;
    std::vector<block_type*> resident_;                       ///< in the order of their start
    std::unordered_map<std::uint64_t, block_type*> waiting_;  ///< for children, by block_key()
    std::deque<block_type*> resumable_;  ///< suspended, and their children have ended
    smx_places smxs_;
    std::uint64_t executed_ = 0;         ///< warp instructions
    std::size_t most_instructions_ = 0;  ///< of the code of a launch
    progress_watch<Lanes> progress_;
    std::set<std::string> on_one_thread_;
    std::unique_ptr<round_crew<Lanes>> crew_;  ///< null: one thread
};

std::uint64_t block_key(launch_id launch, std::uint32_t number) {
    return std::uint64_t{launch.value()} << 32 | number;
}

template <unsigned Lanes>
warp_engine<Lanes>::warp_engine(engine_parts parts)
    : parts_(std::move(parts)),
      memory_(parts_.memory, parts_.ranges, parts_.machine.smx.private_bytes),
      family_({parts_.memory, parts_.machine.launch.enabled ? parts_.runtime : nullptr,
               parts_.ended,
               [this](launch_id launch, std::uint32_t number) { wake(launch, number); }}),
      cooperation_({[this](const grid& of) { return terms(of); },
                    [this](block_type& b) { go_on(b); }, [this](block_type& b) { kill_block(b); },
                    [this](grid& of, std::uint32_t number, const newcomer& from) {
                        fork_block(of, number, from);
                    }}),
      store_(parts_.machine),
      watched_(parts_.watch, parts_.memory, parts_.ranges, parts_.machine.smx.private_bytes),
      smxs_(parts_.machine),
      progress_(memory_, parts_.machine.iss.watchdog) {
    if (parts_.threads.count > 1 && parts_.watch == nullptr) {
        crew_ = std::make_unique<round_crew<Lanes>>(parts_, parts_.threads);
    }
    reset();
}

template <unsigned Lanes>
void warp_engine<Lanes>::reset() {
    store_.reset();
    watched_.clear();
    resident_.clear();
    waiting_.clear();
    resumable_.clear();
    family_.clear();
    smxs_.reset();
    memory_.forget_all();
    progress_.made_progress();
}

template <unsigned Lanes>
void warp_engine<Lanes>::run(const std::function<bool()>& until) {
    // The engine is empty after an error too: the next call starts afresh.
    struct cleaner {
        warp_engine& of;
        bool kept = false;
        ~cleaner() {
            if (!kept) of.reset();
        }
    } cleaner{*this};
    memory_.allocations_changed(most_instructions_);
    if (crew_) crew_->allocations_changed(most_instructions_);
    try {
        parts_.watch != nullptr ? run_turns<true>(until) : run_turns<false>(until);
    } catch (const run_error& error) {
        watched_.failed(error);
        throw;
    }
    cleaner.kept = !empty();
}

/// What the launch's kernel launches has code of the same size: that of its program.
template <unsigned Lanes>
void warp_engine<Lanes>::add(grid& launch) {
    most_instructions_ =
        std::max(most_instructions_, launch.launch.kernel->code.instructions.size());
    if (crew_) {
        const char* const why = why_alone(launch.launch);
        if (why != nullptr) on_one_thread_.insert(why);
        launch.may_share = why == nullptr;
    }
    family_.add(launch);
}

template <unsigned Lanes>
template <bool Watched>
void warp_engine<Lanes>::run_turns(const std::function<bool()>& until) {
    interpreter<Lanes> cpu(memory_, family_.calls(), parts_.machine.iss.watchdog);
    for (;;) {
        admit();
        if (resident_.empty() || (until && until())) return;
        const std::uint64_t before = executed_;
        if (!Watched && shares_round()) {
            share_round();
        } else {
            // Blocks that are forked meanwhile take their turns, too.
            for (std::size_t i = 0; i < resident_.size(); ++i) {
                take_turns<Watched>(*resident_[i], cpu);
            }
        }
        const auto gone = [](const block_type* b) { return b->of == nullptr || b->suspended; };
        resident_.erase(std::remove_if(resident_.begin(), resident_.end(), gone), resident_.end());
        if (executed_ == before && !watched_.stuck()) progress_.give_up();
        progress_.round_ends(resident_);
    }
}

/// Blocks that come back go first. Then, first come first served: a launch distributes its blocks
/// only when every earlier launch that may run has distributed all of its own. A cooperative one
/// has only what fits at once.
template <unsigned Lanes>
void warp_engine<Lanes>::admit() {
    store_.reuse();
    killed_ = 0;
    while (!resumable_.empty()) {
        block_type& b = *resumable_.front();
        const auto sm = smxs_.find(b.of->launch.per_block);
        if (!sm) return;
        resumable_.pop_front();
        b.suspended = false;
        make_resident(b, *sm);
    }
    while (grid* const head = family_.head()) {
        const auto sm = smxs_.find(head->launch.per_block);
        const bool shrinks = head->launch.shape.cooperative && parts_.machine.coop.enabled;
        if (!sm && (!shrinks || head->started == 0)) return;
        if (sm) {
            make_resident(store_.start(*head, static_cast<std::uint32_t>(head->next_block)), *sm);
            family_.block_begins(*head);
        } else {
            family_.block_does_not_fit(*head);
        }
        if (head->launch.shape.cooperative) begin_cooperation(*head);
    }
}

template <unsigned Lanes>
void warp_engine<Lanes>::begin_cooperation(grid& of) {
    const cooperation_configuration& keys = parts_.machine.coop;
    const std::uint64_t active = keys.enabled ? of.started : of.blocks();
    of.cooperation.emplace(static_cast<std::uint32_t>(of.blocks()),
                           static_cast<std::uint32_t>(active),
                           simt::cooperation_rules{keys.enabled, keys.query_barrier});
}

/// What waits is the first launch that has no room, and blocks that come back.
template <unsigned Lanes>
simt::cooperation_terms warp_engine<Lanes>::terms(const grid& of) const {
    std::uint64_t waiting = resumable_.size();
    if (const grid* head = family_.head()) {
        waiting += head->launch.shape.cooperative ? 1 : head->blocks() - head->next_block;
    }
    simt::cooperation_terms terms;
    terms.wanted = static_cast<std::uint32_t>(waiting - std::min<std::uint64_t>(waiting, killed_));
    if (waiting != 0) return terms;
    terms.places = smxs_.count(of.launch.per_block);
    return terms;
}

template <unsigned Lanes>
void warp_engine<Lanes>::fork_block(grid& of, std::uint32_t number, const newcomer& from) {
    block_type& b = store_.start(of, number);
    for (warp_type* w : b.warps) w->start_at(from);
    ++of.started;
    make_resident(b, *smxs_.find(of.launch.per_block));
}

template <unsigned Lanes>
void warp_engine<Lanes>::kill_block(block_type& b) {
    ++killed_;
    for (warp_type* w : b.warps) {
        w->state = warp_state::done;
        memory_.forget(*w);
    }
    finish_block(b);
}

template <unsigned Lanes>
void warp_engine<Lanes>::make_resident(block_type& b, std::uint32_t sm) {
    smxs_.take(sm, b.of->launch.per_block);
    b.identity.sm = sm;
    resident_.push_back(&b);
    if (parts_.watch != nullptr) watched_.started(b);
    progress_.made_progress();
}

template <unsigned Lanes>
template <bool Watched>
void warp_engine<Lanes>::take_turns(block_type& b, interpreter<Lanes>& cpu) {
    if (parts_.interrupted && parts_.interrupted()) {
        throw run_error(error_kind::interrupted, "interrupted");
    }
    if (b.of == nullptr) return;  // killed by another block's call
    grid& of = *b.of;
    turn_log log;
    memory_.place().alone(executed_);
    try {
        take_turn(
            b, log, [&](warp_type& w) { return run_warp<Watched>(b, w, cpu, log); },
            [&] {
                book(of, log);
                cooperation_.call(b, resident_);
            });
    } catch (...) {
        book(of, log);  // it has counts also if the turn ends in a fault
        throw;
    }
    if (b.of == nullptr) return;  // killed by its own call, which has booked
    end_turn(b, log);
}

/// A debugger asks how many instructions have been executed, also within a turn.
template <unsigned Lanes>
template <bool Watched>
std::uint64_t warp_engine<Lanes>::run_warp(block_type& b, warp_type& w, interpreter<Lanes>& cpu,
                                           turn_log& log) {
    std::uint64_t all = 0;
    const auto run = [&](std::uint64_t budget) {
        const std::uint64_t before = log.counts.warp_instructions;
        cpu.run(b, w, budget, before, log.counts);
        const std::uint64_t spent = log.counts.warp_instructions - before;
        all += spent;
        if constexpr (Watched) book(*b.of, log);
        return spent;
    };
    if constexpr (Watched) {
        watched_.turn(w, parts_.machine.iss.quantum, run);
    } else {
        run(parts_.machine.iss.quantum);
    }
    if (w.state == warp_state::done) memory_.forget(w);
    if (w.state == warp_state::waits_for_children) {
        waiting_[block_key(b.of->launch.id, b.number)] = &b;
    }
    return all;
}

/// Stores are looked at, and blocks of some launches run, on one thread only.
template <unsigned Lanes>
bool warp_engine<Lanes>::shares_round() {
    const auto may = [](const block_type* b) { return b->of != nullptr && b->of->may_share; };
    return crew_ && !progress_.watching() && resident_.size() > 1 &&
           std::all_of(resident_.begin(), resident_.end(), may) && crew_->worth();
}

template <unsigned Lanes>
void warp_engine<Lanes>::share_round() {
    crew_->run(resident_, executed_);
    const shared_turns& turns = crew_->turns();
    const std::size_t ended = turns.counted() - (turns.failure() ? 1 : 0);
    for (std::size_t i = 0; i < ended; ++i) end_turn(*resident_[i], crew_->log(i));
    if (!turns.failure()) return;
    book(*resident_[ended]->of, crew_->log(ended));
    std::rethrow_exception(turns.failure());
}

template <unsigned Lanes>
void warp_engine<Lanes>::book(grid& of, turn_log& log) {
    of.counts.add(log.counts);
    executed_ += log.counts.warp_instructions;
    if (log.progress) progress_.made_progress();
    progress_.spend(log.without_progress);
    log = {};
    memory_.place().alone(executed_);
}

/// All warps of the block have had their turn.
template <unsigned Lanes>
void warp_engine<Lanes>::end_turn(block_type& b, turn_log& log) {
    book(*b.of, log);
    if (b.threads.live() == 0) return finish_block(b);
    const auto waits = [](const warp_type* w) {
        return w->state == warp_state::waits_for_children;
    };
    const auto runs = [](const warp_type* w) { return w->state == warp_state::ready; };
    if (std::any_of(b.warps.begin(), b.warps.end(), waits) &&
        std::none_of(b.warps.begin(), b.warps.end(), runs)) {
        suspend(b);
    }
}

/// No warp of the block can run before its children have ended: others get its place.
template <unsigned Lanes>
void warp_engine<Lanes>::suspend(block_type& b) {
    b.suspended = true;
    smxs_.give_back(b.identity.sm, b.of->launch.per_block);
}

/// All launches that the block has made have ended.
template <unsigned Lanes>
void warp_engine<Lanes>::wake(launch_id launch, std::uint32_t number) {
    const auto found = waiting_.find(block_key(launch, number));
    if (found == waiting_.end()) return;
    block_type& b = *found->second;
    waiting_.erase(found);
    for (warp_type* w : b.warps) {
        if (w->state == warp_state::waits_for_children) w->state = warp_state::ready;
    }
    if (b.suspended) resumable_.push_back(&b);
}

template <unsigned Lanes>
void warp_engine<Lanes>::go_on(block_type& b) {
    release_threads(b);
    progress_.made_progress();
}

template <unsigned Lanes>
void warp_engine<Lanes>::finish_block(block_type& b) {
    grid& g = *b.of;
    ++g.blocks_done;
    ++g.counts.blocks;
    smxs_.give_back(b.identity.sm, g.launch.per_block);
    if (parts_.watch != nullptr) watched_.ended(b);
    store_.end(b);
    if (g.distributed && g.blocks_done == g.started) family_.blocks_ended(g);
    progress_.made_progress();
}

}  // namespace

std::unique_ptr<engine> make_engine(engine_parts parts) {
    const unsigned lanes = parts.machine.warp_size;
    return isa::with_warp_size(lanes, [&](auto size) -> std::unique_ptr<engine> {
        return std::make_unique<warp_engine<size()>>(std::move(parts));
    });
}

}  // namespace heddle::iss
