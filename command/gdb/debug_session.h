// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "command/gdb/debug_machine.h"
#include "command/gdb/journal.h"
#include "command/gdb/remote_server.h"
#include "command/gdb/stop_points.h"
#include "command/gdb/thread_table.h"
#include "command/gdb/wire/connection.h"

namespace heddle::command::gdb {

/// A debugger's session with one program, over all the runs that it takes.
///
/// The machine tells what its warps do; each such event has a number, the tick, and is the same in
/// each run. To go backwards, the program runs again from its start, with the same changes of the
/// debugger (journal), up to the wanted event: an instruction of a warp by its number, or the last
/// event before the present one at which a breakpoint or watchpoint is met, which one more run
/// finds out.
class debug_session final : public simt::debug_watch {
public:
    /// `connect` waits for a debugger, when the first warp is about to run; nothing: it has to be
    /// without one.
    /// `gone`: told when it has gone, or does not come.
    debug_session(std::function<std::optional<int>()> connect, std::function<void()> gone)
        : connect_(std::move(connect)), gone_(std::move(gone)) {}

    /// A run begins, on a machine that outlives it.
    void begin_run(debug_machine& machine);
    /// Whether the run was given up for another one.
    [[nodiscard]] bool runs_again() const noexcept { return again_; }
    [[nodiscard]] bool killed() const noexcept { return killed_; }
    /// The last run has ended; its exit code.
    void end(int code);

    // simt::debug_watch
    void started(simt::debugged_warp& warp) override;
    void ended(simt::debugged_warp& warp) override;
    void before(simt::debugged_warp& warp) override;
    void settled() override;
    [[nodiscard]] bool locks() const override { return !may_run_.empty() || held_ != 0; }
    [[nodiscard]] bool holds(const simt::debugged_warp& warp) const override;
    void stuck() override;
    void failed(simt::debugged_warp* warp, const run_error& error) override;

private:
    /// Where a repeated run is to stop.
    struct goal {
        enum class kind {
            event,        ///< tick
            instruction,  ///< `thread` is about to execute one, behind `count`
            scan,         ///< it does not stop: it looks for the last hit before `tick`
        };
        kind what;
        std::uint64_t tick = 0;
        thread_number thread = 0;
        std::uint64_t count = 0;
        std::string reason;  ///< for the stop reply
    };

    [[nodiscard]] bool is_detached() const noexcept { return !server_; }
    void connect();
    void advance();
    void follow_goal(debugged_thread* thread);
    void reach_goal();
    [[nodiscard]] bool arrives(const debugged_thread* thread) const;
    void note_hit(const debugged_thread& thread, const std::string& reason);
    void end_scan();
    void break_at(debugged_thread& thread);
    void finish_step();
    void look_at_touches(debugged_thread& thread);
    void judge_touches();
    [[nodiscard]] bool awaits_atomic() const;
    void look_outside(debugged_thread& thread);
    void check_races(debugged_thread& any);
    void stop_at(debugged_thread& thread, int signal, const std::string& reason,
                 const std::string& note = {});
    void lock(std::set<thread_number> may_run);
    void hold(thread_number number);
    bool step_back(thread_number number);
    void run_again();
    void leave(bool kill);
    void apply(const journal::entry& change);
    [[nodiscard]] changes recorded_changes();
    [[nodiscard]] std::string touch_text(const debugged_thread& thread,
                                         const stop_points::touch& one) const;

    const std::function<std::optional<int>()> connect_;
    const std::function<void()> gone_;
    std::unique_ptr<connection> line_;
    std::optional<remote_server> server_;  ///< none: no debugger
    thread_table threads_;
    stop_points points_;
    journal journal_;
    debug_machine* machine_ = nullptr;
    std::optional<register_set> registers_;

    std::uint64_t tick_ = 0;
    std::uint64_t next_look_ = 0;  ///< at the line: a tick
    thread_number recent_ = 0;     ///< was the last to begin one
    thread_number stopped_ = 0;    ///< at this event
    thread_number step_ = 0;       ///< 0: nobody steps
    std::uint32_t low_ = 0, high_ = 0;
    bool stepped_ = false;             ///< it has executed its instruction
    thread_number held_ = 0;           ///< waits for its atomic, in a step; 0: nobody
    std::set<thread_number> may_run_;  ///< empty: all
    std::vector<stop_points::touch> touches_;
    std::uint64_t races_ = 0;

    std::optional<goal> goal_;  ///< none: the run is the user's
    std::optional<goal> hit_;   ///< of a scan: the last one
    bool given_up_ = false;     ///< the run only ends
    bool again_ = false;
    bool killed_ = false;
};

}  // namespace heddle::command::gdb
