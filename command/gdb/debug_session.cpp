// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/debug_session.h"

#include <fmt/format.h>

#include <cstdio>

#include "models/base/bits.h"

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
    tick_ = 0;
    in_hook_ = recent_ = step_ = 0;
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
    if (may_run_.empty() || given_up_) return false;
    return may_run_.count(const_cast<thread_table&>(threads_).of(warp).number) == 0;
}

void debug_session::connect() {
    const std::optional<int> socket = connect_();
    if (!socket) return;
    line_ = std::make_unique<connection>(*socket);
    server_.emplace(*line_, threads_, points_, recorded_changes());
    server_->attach(*machine_);
}

void debug_session::before(simt::debugged_warp& warp) {
    if (given_up_) return;
    debugged_thread& thread = threads_.of(warp);
    in_hook_ = recent_ = thread.number;
    ++thread.begun;
    thread.begun_at = warp.stack().back().next_pc;
    const bool first = tick_ == 0 && !line_;
    advance();
    if (first) {
        connect();
        if (server_) stop_at(thread, signal_trap, {});
    } else if (goal_) {
        judge_touches();
        follow_goal(&thread);
    } else if (!is_detached()) {
        judge_touches();
        finish_step();
        if (given_up_) return;
        if (const auto lane = points_.hit(thread, *registers_, machine_->cycle())) {
            threads_.choose_lane(thread, *lane);
            stop_at(thread, signal_trap, at_breakpoint);
        }
    }
    if (given_up_) return;
    if (machine_->can_hold_back() && holds(warp)) {
        --thread.begun;  // it comes again
        return;
    }
    for (auto& touch : points_.touches(thread, tick_)) touches_.push_back(std::move(touch));
    if (thread.number == step_) stepped_ = true;
}

void debug_session::settled() {
    if (given_up_ || tick_ == 0) return;
    in_hook_ = 0;
    advance();
    if (goal_) {
        judge_touches();
        if (goal_) follow_goal(nullptr);
        return;
    }
    if (is_detached()) return;
    judge_touches();
    if (!given_up_ && !goal_) finish_step();
    if (given_up_) return;
    debugged_thread* const any = threads_.first();
    if (any == nullptr) return;
    check_races(*any);
    if (!given_up_ && tick_ % look_interval == 0) look_outside(*any);
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
        journal_.add({tick_, journal::entry::kind::registers, where.thread->number, where.lane,
                      index, value, {}, {}});
        return true;
    };
    of.write = [this](const named_thread& where, std::uint32_t address, std::string_view bytes) {
        const auto* const from = reinterpret_cast<const std::byte*>(bytes.data());
        if (!where.thread->warp.write(where.lane, address, from, bytes.size())) return false;
        journal_.add({tick_, journal::entry::kind::memory, where.thread->number, where.lane,
                      address, 0, {from, from + bytes.size()}, {}});
        return true;
    };
    return of;
}

void debug_session::lock(std::set<thread_number> may_run) {
    if (may_run == may_run_) return;
    may_run_ = std::move(may_run);
    journal_.add({tick_, journal::entry::kind::lock, 0, 0, 0, 0, {}, may_run_});
}

/// A step that is over stops; one over a range goes on within it.
void debug_session::finish_step() {
    if (!stepped_) return;
    stepped_ = false;
    debugged_thread* thread = threads_.find(step_);
    if (thread != nullptr && thread->pc() >= low_ && thread->pc() < high_) return;
    if (thread == nullptr) thread = threads_.first();
    step_ = 0;
    if (thread != nullptr) stop_at(*thread, signal_trap, {});
}

void debug_session::look_outside(debugged_thread& thread) {
    if (!line_->interrupted()) return;
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
    if (given_up_ || goal_ || is_detached()) return;
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
    // What was refused has not been executed.
    in_hook_ = thread->begun_at == thread->warp.stack().back().next_pc ? thread->number : 0;
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
    step_ = 0;
    server_.reset();
    if (!kill) return;
    killed_ = given_up_ = true;
    machine_->abandon();
}

/// The machine stands still, and goes on as the debugger wants.
void debug_session::stop_at(debugged_thread& thread, int signal, const std::string& reason,
                            const std::string& note) {
    stop why{&thread, signal, reason, note};
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
    const std::uint64_t executed = thread->begun - (in_hook_ == number ? 1 : 0);
    if (executed == 0) return false;
    goal_ = goal{goal::kind::instruction, 0, number, executed, {}};
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
    const std::string reason = goal_->reason;
    goal_.reset();
    journal_.forget_from(tick_);
    if (reason == at_breakpoint) {
        const auto lane = points_.hit(*thread, *registers_, machine_->cycle());
        if (lane) threads_.choose_lane(*thread, *lane);
    }
    stop_at(*thread, signal_trap, reason);
}

bool debug_session::arrives(const debugged_thread* thread) {
    if (thread == nullptr) return false;
    if (goal_->what == goal::kind::event) return tick_ == goal_->tick;
    return thread->number == goal_->thread && thread->begun == goal_->count;
}

void debug_session::note_hit(const debugged_thread& thread, const std::string& reason) {
    hit_ = goal{goal::kind::event, tick_, thread.number, 0, reason};
}

/// Known is now where the run before this one should have stopped last: at its first event if
/// nowhere.
void debug_session::end_scan() {
    goal_ = hit_ ? *hit_ : goal{goal::kind::event, 1, 0, 0, at_begin};
    run_again();
}

/// Of the instructions that have executed: whether a watchpoint is met.
void debug_session::judge_touches() {
    constexpr std::uint64_t most_events = 100'000;  // that an atomic takes
    const std::vector<stop_points::touch> open = std::exchange(touches_, {});
    for (const stop_points::touch& one : open) {
        debugged_thread* const thread = threads_.find(one.thread);
        if (thread == nullptr) continue;
        std::vector<std::byte> now(one.before.size());
        const bool there =
            thread->warp.read(one.lane, one.watched.address, now.data(), now.size());
        if (!one.reads && there && now == one.before) {
            const bool under_way = one.rd == isa::sink_register ||
                                   thread->warp.is_awaited(one.rd, one.lane);
            if (one.atomic && under_way && tick_ - one.tick < most_events) touches_.push_back(one);
            continue;
        }
        const char* const word = one.watched.kind == stop_kind::write    ? "watch"
                                 : one.watched.kind == stop_kind::read ? "rwatch"
                                                                       : "awatch";
        const std::string reason = fmt::format("{}:{:x};", word, one.watched.address);
        if (goal_) {
            if (goal_->what == goal::kind::scan && one.tick < goal_->tick) {
                hit_ = goal{goal::kind::event, one.tick, one.thread, 0, reason};
            }
            continue;
        }
        threads_.choose_lane(*thread, one.lane);
        stop_at(*thread, signal_trap, reason, touch_text(one));
        if (given_up_) return;
    }
}

std::string debug_session::touch_text(const stop_points::touch& one) const {
    debugged_thread* const thread = const_cast<thread_table&>(threads_).find(one.thread);
    return fmt::format("{} lane {}: access at {}", thread->name(), one.lane,
                       machine_->place(one.pc));
}

}  // namespace heddle::command::gdb
