// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/debug_session.h"

#include <fmt/format.h>

#include <cstdio>

#include "command/gdb/fault_lane.h"

namespace heddle::command::gdb {
namespace {

// Numbers of gdb's protocol.
constexpr int signal_interrupt = 2;
constexpr int signal_trap = 5;
constexpr int signal_abort = 6;
constexpr int signal_fault = 11;

const char* const at_breakpoint = "swbreak:;";
const char* const at_begin = "replaylog:begin;";

/// Events between two looks at the line.
constexpr std::uint64_t look_interval = 1024;

}  // namespace

void debug_session::begin_run(debug_machine& machine) {
    machine_ = &machine;
    registers_.emplace(machine.lanes());
    if (server_) server_->attach(machine);
    threads_.clear();
    touches_.clear();
    journal_.rewind();
    may_run_.clear();
    tick_ = next_look_ = 0;
    recent_ = step_ = held_ = 0;
    stepped_ = false;
    races_ = 0;
    hit_.reset();
    given_up_ = again_ = false;
}

void debug_session::end(int code) {
    if (server_) server_->exited(code);
}

void debug_session::started(simt::debugged_warp& warp) {
    threads_.started(warp);
}

void debug_session::ended(simt::debugged_warp& warp) {
    threads_.ended(warp);
}

bool debug_session::holds(const simt::debugged_warp& warp) const {
    if (!locks() || given_up_) return false;
    const thread_number number = threads_.of(warp).number;
    if (number == held_) return true;
    return !may_run_.empty() && may_run_.count(number) == 0;
}

/// The instruction that a thread has stepped over is an atomic of watched memory, which is not
/// done.
bool debug_session::awaits_atomic() const {
    return stepped_ && !touches_.empty() && touches_.front().thread == step_ &&
           tick_ > touches_.front().tick;
}

void debug_session::connect() {
    const std::optional<int> socket = connect_();
    if (!socket) return gone_();
    line_ = std::make_unique<connection>(*socket);
    server_.emplace(*line_, threads_, points_, recorded_changes());
    server_->attach(*machine_);
}

void debug_session::before(simt::debugged_warp& warp) {
    if (given_up_ || (is_detached() && tick_ != 0)) return;
    debugged_thread& thread = threads_.of(warp);
    recent_ = thread.number;
    const bool first = tick_ == 0 && !line_;
    advance();
    if (first) {
        connect();
        if (server_) stop_at(thread, signal_trap, {});
    } else {
        judge_touches();
        stopped_ = 0;
        goal_ ? follow_goal(&thread) : finish_step();
        if (!goal_ && !given_up_ && stopped_ != thread.number) break_at(thread);
    }
    if (given_up_) return;
    if (machine_->can_hold_back() && holds(warp)) return;  // it comes again
    look_at_touches(thread);
    if (given_up_) return;
    ++thread.executed;
    thread.executed_at = warp.stack().back().next_pc;
    if (thread.number == step_) stepped_ = true;
}

void debug_session::settled() {
    if (given_up_ || is_detached() || tick_ == 0) return;
    advance();
    judge_touches();
    if (!goal_) hold(awaits_atomic() ? step_ : 0);
    goal_ ? follow_goal(nullptr) : finish_step();
    if (given_up_ || is_detached()) return;
    debugged_thread* const any = threads_.first();
    if (any == nullptr) return;
    if (!goal_) check_races(*any);
    if (!given_up_ && !is_detached()) look_outside(*any);
}

/// The next event; a repeated run changes what the debugger has changed there.
void debug_session::advance() {
    ++tick_;
    while (const journal::entry* change = journal_.take(tick_)) apply(*change);
}

void debug_session::apply(const journal::entry& change) {
    if (change.what == journal::entry::kind::lock) {
        may_run_ = change.may_run;
        return;
    }
    if (change.what == journal::entry::kind::hold) {
        held_ = change.thread;
        return;
    }
    debugged_thread* const thread = threads_.find(change.thread);
    if (thread == nullptr) return;
    if (change.what == journal::entry::kind::registers) {
        thread->warp.set(change.place, change.lane, change.value);
    } else {
        thread->warp.write(change.lane, change.place, change.bytes.data(), change.bytes.size());
    }
}

changes debug_session::recorded_changes() {
    changes of;
    of.set_register = [this](const named_thread& where, unsigned index, std::uint32_t value) {
        where.thread->warp.set(index, where.lane, value);
        journal_.add({tick_,
                      journal::entry::kind::registers,
                      where.thread->number,
                      where.lane,
                      index,
                      value,
                      {},
                      {}});
        return true;
    };
    of.write = [this](const named_thread& where, std::uint32_t address, std::string_view bytes) {
        const auto* const from = reinterpret_cast<const std::byte*>(bytes.data());
        if (!where.thread->warp.write(where.lane, address, from, bytes.size())) return false;
        journal_.add({tick_,
                      journal::entry::kind::memory,
                      where.thread->number,
                      where.lane,
                      address,
                      0,
                      {from, from + bytes.size()},
                      {}});
        return true;
    };
    return of;
}

void debug_session::lock(std::set<thread_number> may_run) {
    if (may_run == may_run_) return;
    may_run_ = std::move(may_run);
    journal_.add({tick_, journal::entry::kind::lock, 0, 0, 0, 0, {}, may_run_});
}

void debug_session::hold(thread_number number) {
    if (number == held_) return;
    held_ = number;
    journal_.add({tick_, journal::entry::kind::hold, number, 0, 0, 0, {}, {}});
}

void debug_session::break_at(debugged_thread& thread) {
    const auto lane = points_.hit(thread, *registers_, machine_->cycle());
    if (!lane) return;
    threads_.choose_lane(thread, *lane);
    stop_at(thread, signal_trap, at_breakpoint);
}

/// A step that is over stops; one over a range goes on within it.
void debug_session::finish_step() {
    if (!stepped_ || awaits_atomic()) return;
    stepped_ = false;
    debugged_thread* thread = threads_.find(step_);
    if (thread != nullptr && thread->pc() >= low_ && thread->pc() < high_) return;
    if (thread == nullptr) thread = threads_.first();
    step_ = 0;
    if (thread != nullptr) stop_at(*thread, signal_trap, {});
}

void debug_session::look_outside(debugged_thread& thread) {
    if (tick_ < next_look_) return;
    next_look_ = tick_ + look_interval;
    if (!line_->interrupted()) return;
    if (goal_) reach_goal();
    if (!line_->is_open()) return leave(false);
    stop_at(thread, signal_interrupt, {});
}

void debug_session::check_races(debugged_thread& any) {
    if (races_ != 0 || machine_->races() == 0) return;
    races_ = machine_->races();
    debugged_thread* const thread = threads_.find(recent_);
    stop_at(thread != nullptr ? *thread : any, signal_trap, {}, "race: " + machine_->first_race());
}

void debug_session::stuck() {
    if (given_up_ || may_run_.empty() || held_ != 0) return;
    advance();  // a repeated run lets the others go on here, too
    if (goal_ || is_detached()) return;
    debugged_thread* thread = threads_.find(*may_run_.begin());
    if (thread == nullptr) thread = threads_.first();
    if (thread == nullptr) return lock({});
    stop_at(*thread, signal_trap, {},
            thread->name() + " " + thread->warp.doing() +
                ": the warps that may run wait for others (set scheduler-locking off)");
}

void debug_session::failed(simt::debugged_warp* warp, const run_error& error) {
    if (given_up_ || is_detached()) return;
    goal_.reset();
    const std::string why = std::string("heddle: ") + error.what();
    debugged_thread* thread = warp != nullptr ? &threads_.of(*warp) : nullptr;
    if (thread == nullptr || thread->warp.live() == 0) thread = threads_.first();
    if (thread == nullptr) return server_->say(why);
    if (thread->executed_at == thread->warp.stack().back().next_pc) --thread->executed;  // refused
    if (const auto lane = fault_lane(why, thread->warp)) threads_.choose_lane(*thread, *lane);
    const bool is_fault = error.kind() == error_kind::kernel_fault;
    stop_at(*thread, is_fault ? signal_fault : signal_abort, {}, why);
}

void debug_session::leave(bool kill) {
    if (!kill && line_->broke_off()) {
        std::fputs("heddle: the debugger has left in the middle of a packet; the run goes on\n",
                   stderr);
    }
    points_.clear();
    lock({});
    hold(0);
    step_ = 0;
    server_.reset();
    gone_();
    if (!kill) return;
    killed_ = given_up_ = true;
    machine_->abandon();
}

/// The machine stands still, and goes on as the debugger wants.
void debug_session::stop_at(debugged_thread& thread, int signal, const std::string& reason,
                            const std::string& note) {
    stop why{&thread, signal, reason, note};
    stopped_ = thread.number;
    for (;;) {
        lock({});
        step_ = 0;
        stepped_ = false;
        const resumption next = server_->stopped(why);
        switch (next.what) {
            case resumption::kind::go:
                step_ = next.step;
                low_ = next.low;
                high_ = next.high;
                lock(next.may_run);
                if (step_ == 0) points_.forget_removed();
                return;
            case resumption::kind::reverse_step:
                if (step_back(next.step)) return;
                break;
            case resumption::kind::reverse_continue:
                goal_ = goal{goal::kind::scan, tick_, next.step, 0, {}};
                return run_again();
            case resumption::kind::detach:
                return leave(false);
            case resumption::kind::kill:
                return leave(true);
        }
        why = {threads_.find(next.step), signal_trap, at_begin, {}};
        if (why.thread == nullptr) why.thread = threads_.first();
    }
}

/// False: the thread has not executed an instruction yet.
bool debug_session::step_back(thread_number number) {
    debugged_thread* const thread = threads_.find(number);
    if (thread == nullptr) return false;
    if (thread->executed == 0) return false;
    goal_ = goal{goal::kind::instruction, 0, number, thread->executed - 1, {}};
    run_again();
    return true;
}

void debug_session::run_again() {
    given_up_ = again_ = true;
    machine_->abandon();
}

void debug_session::follow_goal(debugged_thread* thread) {
    if (goal_->what == goal::kind::scan) {
        if (tick_ >= goal_->tick) return end_scan();
        if (thread == nullptr) return;
        if (points_.hit(*thread, *registers_, machine_->cycle())) {
            note_hit(*thread, at_breakpoint);
        }
        return;
    }
    if (!arrives(thread)) return;
    const goal reached = *goal_;
    reach_goal();
    debugged_thread* of = threads_.find(reached.thread);
    if (of == nullptr) of = thread != nullptr ? thread : threads_.first();
    if (reached.reason == at_breakpoint) {
        const auto lane = points_.hit(*of, *registers_, machine_->cycle());
        if (lane) threads_.choose_lane(*of, *lane);
    }
    stop_at(*of, signal_trap, reached.reason);
}

/// From here on a repeated run is the user's; what is behind this event has not happened.
void debug_session::reach_goal() {
    goal_.reset();
    touches_.clear();
    journal_.forget_from(tick_ + 1);
    races_ = machine_->races();
}

bool debug_session::arrives(const debugged_thread* thread) const {
    if (goal_->what == goal::kind::event) return tick_ == goal_->tick;
    return thread != nullptr && thread->number == goal_->thread && thread->executed == goal_->count;
}

void debug_session::note_hit(const debugged_thread& thread, const std::string& reason) {
    hit_ = goal{goal::kind::event, tick_, thread.number, 0, reason};
}

/// The scan has shown the last hit before the event at which the debugger was. The next run stops
/// there, or at the first event if there was no hit.
void debug_session::end_scan() {
    goal_ = hit_ ? *hit_ : goal{goal::kind::event, 1, 0, 0, at_begin};
    run_again();
}

/// The instruction that a warp is about to execute: gdb wants to hear of one that touches watched
/// memory before it executes, and steps over it to see what has changed. On the way back it wants
/// to be behind the instruction, and steps back over it.
void debug_session::look_at_touches(debugged_thread& thread) {
    std::vector<stop_points::touch> found = points_.touches(thread, tick_);
    if (found.empty()) return;
    const stop_points::touch first = found.front();
    if (goal_) {
        if (goal_->what == goal::kind::scan) touches_ = std::move(found);
        return;
    }
    if (is_detached()) return;
    threads_.choose_lane(thread, first.lane);
    stop_at(thread, signal_trap, first.reason(), touch_text(thread, first));
    if (!given_up_ && first.atomic && step_ == thread.number) touches_ = {first};
}

/// Of an instruction that has executed: whether it has changed what is watched.
void debug_session::judge_touches() {
    constexpr std::uint64_t most_events = 100'000;  // that an atomic takes
    const std::vector<stop_points::touch> open = std::exchange(touches_, {});
    for (const stop_points::touch& one : open) {
        debugged_thread* const thread = threads_.find(one.thread);
        if (thread == nullptr) continue;
        std::vector<std::byte> now(one.before.size());
        const bool there = thread->warp.read(one.lane, one.watched.address, now.data(), now.size());
        if (one.any_access || !there || now != one.before) {
            if (goal_ && goal_->what == goal::kind::scan && tick_ <= goal_->tick) {
                hit_ = goal{goal::kind::event, tick_, one.thread, 0, one.reason()};
            }
            continue;
        }
        const bool under_way = thread->warp.is_awaited(one.rd, one.lane);
        if (one.atomic && under_way && tick_ - one.tick < most_events) touches_.push_back(one);
    }
}

std::string debug_session::touch_text(const debugged_thread& thread,
                                      const stop_points::touch& one) const {
    return fmt::format("{} lane {}: access at {}", thread.name(), one.lane,
                       machine_->place(one.pc));
}

}  // namespace heddle::command::gdb
