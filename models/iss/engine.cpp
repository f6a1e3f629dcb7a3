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
#include "models/iss/progress_report.h"
#include "models/iss/watched_warps.h"

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
    [[nodiscard]] std::optional<std::uint32_t> find_smx(const block_resources& need);
    void make_resident(block_type& b, std::uint32_t sm);
    template <bool Watched>
    void take_turns(block_type& b, interpreter<Lanes>& cpu);
    void run_watched(block_type& b, warp_type& w, interpreter<Lanes>& cpu);
    void suspend(block_type& b);
    void wake(launch_id launch, std::uint32_t number);
    void go_on(block_type& b);
    void finish_block(block_type& b);
    void made_progress() noexcept;
    void watch();
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
    std::vector<smx_capacity> smxs_;
    std::uint32_t next_sm_ = 0;
    std::uint64_t executed_ = 0;          ///< warp instructions
    std::size_t most_instructions_ = 0;   ///< of the code of a launch
    std::uint64_t without_progress_ = 0;  ///< warp instructions
    bool watching_ = false;
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
      watched_(parts_.watch, parts_.memory, parts_.ranges, parts_.machine.smx.private_bytes) {
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
    smxs_.assign(parts_.machine.smx_count, smx_capacity(parts_.machine.smx));
    memory_.forget_all();
    made_progress();
}

template <unsigned Lanes>
void warp_engine<Lanes>::made_progress() noexcept {
    without_progress_ = 0;
    if (watching_) memory_.stop_watching();
    watching_ = false;
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
        // Blocks that are forked meanwhile take their turns, too.
        for (std::size_t i = 0; i < resident_.size(); ++i) take_turns<Watched>(*resident_[i], cpu);
        const auto gone = [](const block_type* b) { return b->of == nullptr || b->suspended; };
        resident_.erase(std::remove_if(resident_.begin(), resident_.end(), gone), resident_.end());
        if (executed_ == before && !watched_.stuck()) {
            without_progress_ = parts_.machine.iss.watchdog + 1;
        }
        watch();
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
        const auto sm = find_smx(b.of->launch.per_block);
        if (!sm) return;
        resumable_.pop_front();
        b.suspended = false;
        make_resident(b, *sm);
    }
    while (grid* const head = family_.head()) {
        const auto sm = find_smx(head->launch.per_block);
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
    for (const smx_capacity& sm : smxs_) terms.places += sm.count(of.launch.per_block);
    return terms;
}

template <unsigned Lanes>
void warp_engine<Lanes>::fork_block(grid& of, std::uint32_t number, const newcomer& from) {
    block_type& b = store_.start(of, number);
    for (warp_type* w : b.warps) w->start_at(from);
    ++of.started;
    make_resident(b, *find_smx(of.launch.per_block));
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
std::optional<std::uint32_t> warp_engine<Lanes>::find_smx(const block_resources& need) {
    for (std::uint32_t tried = 0; tried < smxs_.size(); ++tried) {
        const std::uint32_t sm = next_sm_;
        next_sm_ = (next_sm_ + 1) % static_cast<std::uint32_t>(smxs_.size());
        if (smxs_[sm].fits(need)) return sm;
    }
    return std::nullopt;
}

template <unsigned Lanes>
void warp_engine<Lanes>::make_resident(block_type& b, std::uint32_t sm) {
    smxs_[sm].take(b.of->launch.per_block);
    b.identity.sm = sm;
    resident_.push_back(&b);
    if (parts_.watch != nullptr) watched_.started(b);
    made_progress();
}

template <unsigned Lanes>
template <bool Watched>
void warp_engine<Lanes>::take_turns(block_type& b, interpreter<Lanes>& cpu) {
    if (parts_.interrupted && parts_.interrupted()) {
        throw run_error(error_kind::interrupted, "interrupted");
    }
    if (b.of == nullptr) return;  // killed by another block's call
    for (warp_type* w : b.warps) {
        if (w->state != warp_state::ready) continue;
        execution_counts& counts = b.of->counts;  // it has them also if the turn ends in a fault
        const std::uint64_t before = counts.warp_instructions;
        if constexpr (Watched) {
            run_watched(b, *w, cpu);
        } else {
            cpu.run(b, *w, parts_.machine.iss.quantum, executed_, counts);
        }
        const std::uint64_t spent = counts.warp_instructions - before;
        if constexpr (!Watched) executed_ += spent;
        without_progress_ += spent;
        if (w->state == warp_state::done) memory_.forget(*w);
        if (b.threads.live() == 0) return finish_block(b);
        if (b.threads.barrier_complete() && !b.waits_for_all) {
            if (b.call == isa::opcode::barrier) {
                go_on(b);
            } else {
                cooperation_.call(b, resident_);
                if (b.of == nullptr) return;
            }
        }
        if (w->state == warp_state::waits_for_children) {
            waiting_[block_key(b.of->launch.id, b.number)] = &b;
        }
    }
    const auto waits = [](const warp_type* w) {
        return w->state == warp_state::waits_for_children;
    };
    const auto runs = [](const warp_type* w) { return w->state == warp_state::ready; };
    if (std::any_of(b.warps.begin(), b.warps.end(), waits) &&
        std::none_of(b.warps.begin(), b.warps.end(), runs)) {
        suspend(b);
    }
}

/// A turn of a warp for a debugger, which asks how many instructions have been executed.
template <unsigned Lanes>
void warp_engine<Lanes>::run_watched(block_type& b, warp_type& w, interpreter<Lanes>& cpu) {
    execution_counts& counts = b.of->counts;
    watched_.turn(w, parts_.machine.iss.quantum, [&](std::uint64_t budget) {
        const std::uint64_t before = counts.warp_instructions;
        cpu.run(b, w, budget, executed_, counts);
        const std::uint64_t spent = counts.warp_instructions - before;
        executed_ += spent;
        return spent;
    });
}

/// No warp of the block can run before its children have ended: others get its place.
template <unsigned Lanes>
void warp_engine<Lanes>::suspend(block_type& b) {
    b.suspended = true;
    smxs_[b.identity.sm].give_back(b.of->launch.per_block);
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

/// What all threads of the block have waited for is over.
template <unsigned Lanes>
void warp_engine<Lanes>::go_on(block_type& b) {
    for (warp_type* w : b.warps) {
        if (w->state == warp_state::at_barrier || w->state == warp_state::in_call) {
            w->state = warp_state::ready;
        }
    }
    b.threads.release();
    made_progress();
}

template <unsigned Lanes>
void warp_engine<Lanes>::finish_block(block_type& b) {
    grid& g = *b.of;
    ++g.blocks_done;
    ++g.counts.blocks;
    smxs_[b.identity.sm].give_back(g.launch.per_block);
    if (parts_.watch != nullptr) watched_.ended(b);
    store_.end(b);
    if (g.distributed && g.blocks_done == g.started) family_.blocks_ended(g);
    made_progress();
}

/// Stores are looked at only in the second half of the time allowed without progress, so that a
/// run that gets on pays nothing for it.
template <unsigned Lanes>
void warp_engine<Lanes>::watch() {
    const std::uint64_t limit = parts_.machine.iss.watchdog;
    if (watching_ && memory_.changed()) return made_progress();
    if (without_progress_ > limit) {
        throw run_error(error_kind::no_progress,
                        progress_report<Lanes>(resident_, without_progress_));
    }
    if (!watching_ && without_progress_ > limit / 2) {
        watching_ = true;
        memory_.watch_for_changes();
    }
}

}  // namespace

std::unique_ptr<engine> make_engine(engine_parts parts) {
    const unsigned lanes = parts.machine.warp_size;
    return isa::with_warp_size(lanes, [&](auto size) -> std::unique_ptr<engine> {
        return std::make_unique<warp_engine<size()>>(std::move(parts));
    });
}

}  // namespace heddle::iss
