// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "command/gdb/debug_machine.h"
#include "command/gdb/monitor.h"
#include "command/gdb/register_set.h"
#include "command/gdb/stop_points.h"
#include "command/gdb/thread_table.h"
#include "command/gdb/wire/connection.h"

namespace heddle::command::gdb {

/// Why the machine stands still.
struct stop {
    debugged_thread* thread;
    int signal;
    std::string reason;  ///< of the stop reply: "swbreak:;", ...
    std::string note;    ///< for the user; empty: nothing to say
};

/// How it goes on.
struct resumption {
    enum class kind { go, reverse_step, reverse_continue, detach, kill };
    kind what = kind::go;
    thread_number step = 0;  ///< this one executes an instruction; 0: no step
    /// Further ones while its PC lies in [low, high).
    std::uint32_t low = 0, high = 0;
    std::set<thread_number> may_run = {};  ///< only these; empty: all
};

/// What the debugger changes.
struct changes {
    std::function<bool(const named_thread&, unsigned index, std::uint32_t value)> set_register;
    std::function<bool(const named_thread&, std::uint32_t address, std::string_view bytes)> write;
};

/// Answers a debugger's packets while the machine stands still.
class remote_server {
public:
    /// Everything outlives the server.
    remote_server(connection& line, thread_table& threads, stop_points& points, changes change)
        : line_(line), threads_(threads), points_(points), change_(std::move(change)) {}

    /// The machine of the present run.
    void attach(const debug_machine& machine);
    /// Tells the stop, unless it is the first one, which the debugger asks for, and answers until
    /// the machine is to go on.
    resumption stopped(const stop& why);
    /// Text for the user, while the machine runs for the debugger.
    void say(const std::string& text);
    /// The run has ended.
    void exited(int code);

private:
    std::string answer(packet_fields& packet);
    std::string general(packet_fields& packet);
    std::string transfer(packet_fields& packet);
    std::string piece(const std::string& of, packet_fields& range) const;
    std::string command(packet_fields& packet);
    std::string select(packet_fields& packet);
    std::string read_memory(packet_fields& packet);
    std::string write_memory(packet_fields& packet, bool binary);
    std::string write_register(packet_fields& packet);
    std::string stop_point(packet_fields& packet, bool inserts);
    std::string resume(packet_fields& packet);
    void reverse(resumption::kind what);
    [[nodiscard]] std::string stop_reply() const;
    [[nodiscard]] std::string thread_list() const;
    [[nodiscard]] thread_number chosen_to_run() const;

    connection& line_;
    thread_table& threads_;
    stop_points& points_;
    const changes change_;
    const debug_machine* machine_ = nullptr;
    std::optional<register_set> registers_;
    std::optional<stop> why_;
    std::uint64_t general_ = 0;  ///< thread of g, m, ...
    std::uint64_t run_ = 0;      ///< thread of bs
    bool asked_ = false;         ///< the debugger has asked for the first stop
    std::optional<resumption> resumed_;
};

}  // namespace heddle::command::gdb
