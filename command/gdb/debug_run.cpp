// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/debug_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "command/gdb/debug_session.h"
#include "command/run/functional_run.h"
#include "command/run/timed_run.h"
#include "hw/base/kernel_context.h"
#include "hw/base/scope_filter.h"
#include "models/base/attention.h"
#include "models/device/program_table.h"
#include "models/program/image.h"
#include "models/simt/fault_text.h"

namespace heddle::command::gdb {
namespace {

std::string matching(const statistics& values, const std::string& pattern) {
    std::string text;
    for (const statistic& one : values.entries()) {
        if (!scope_selected(pattern, one.name)) continue;
        if (const auto* whole = std::get_if<std::uint64_t>(&one.value)) {
            text += fmt::format("{} {} {}\n", one.name, *whole, one.unit);
        } else if (const auto* real = std::get_if<double>(&one.value)) {
            text += fmt::format("{} {:.6g} {}\n", one.name, *real, one.unit);
        }
    }
    return text;
}

/// Where a program's kernels print: what an earlier run has printed does not come again.
class printed_once {
public:
    void begin() noexcept { now_ = 0; }
    void operator()(std::string_view text) {
        const std::size_t known = std::min(shown_ - std::min(shown_, now_), text.size());
        now_ += text.size();
        std::fwrite(text.data() + known, 1, text.size() - known, stdout);
        shown_ = std::max(shown_, now_);
    }

private:
    std::size_t shown_ = 0;
    std::size_t now_ = 0;  ///< of the present run
};

/// What both machines have in common.
class machine_of_run : public debug_machine {
public:
    explicit machine_of_run(const gpu_configuration& configuration)
        : lanes_(configuration.machine.warp_size) {}

    [[nodiscard]] unsigned lanes() const override { return lanes_; }
    [[nodiscard]] std::string place(std::uint32_t pc) const override {
        const held_program* const in = device_ == nullptr ? nullptr : device_->programs().at(pc);
        return in == nullptr ? fmt::format("{:#010x}", pc) : simt::place_text(*in->image, pc);
    }
    void use(device& target) noexcept { device_ = &target; }

private:
    const unsigned lanes_;
    device* device_ = nullptr;  ///< null before the program runs
};

class timed_machine final : public machine_of_run {
public:
    timed_machine(const gpu_configuration& configuration, const timed_options& options)
        : machine_of_run(configuration), run_(configuration, options) {}

    [[nodiscard]] timed_run& run() noexcept { return run_; }

    void abandon() override { run_.debugged()->abandon(); }
    [[nodiscard]] bool can_hold_back() const override { return false; }
    [[nodiscard]] std::uint64_t cycle() const override { return run_.debugged()->cycle(); }
    [[nodiscard]] std::string waits() const override { return run_.debugged()->waiting_text(); }
    [[nodiscard]] std::string statistics(const std::string& pattern) const override {
        return matching(run_.measured().values, pattern);
    }
    [[nodiscard]] std::uint64_t races() const override { return run_.races(); }
    [[nodiscard]] std::string first_race() const override { return run_.first_race(); }

private:
    const kernel_context context_;  // around all that SystemC knows
    timed_run run_;
};

class functional_machine final : public machine_of_run {
public:
    functional_machine(const gpu_configuration& configuration, std::optional<bool> show_progress,
                       simt::debug_watch& watch)
        : machine_of_run(configuration), run_(configuration, show_progress, &watch) {}

    [[nodiscard]] functional_run& run() noexcept { return run_; }

    void abandon() override { throw abandoned_run(); }
    [[nodiscard]] bool can_hold_back() const override { return true; }
    [[nodiscard]] std::uint64_t cycle() const override { return run_.executed(); }
    [[nodiscard]] std::string waits() const override { return {}; }
    [[nodiscard]] std::string statistics(const std::string& pattern) const override {
        return matching(run_.measured().values, pattern);
    }
    [[nodiscard]] std::uint64_t races() const override { return 0; }
    [[nodiscard]] std::string first_race() const override { return {}; }

private:
    functional_run run_;
};

/// Nothing: the run was given up for another one.
std::optional<device_run> run_once(debug_session& session, timed_machine& machine,
                                   const host_program& program) {
    session.begin_run(machine);
    machine.run().execute([&](device& target) {
        machine.use(target);
        program(target);
    });
    if (session.runs_again()) return std::nullopt;
    return machine.run().finish();
}

std::optional<device_run> run_once(debug_session& session, functional_machine& machine,
                                   const host_program& program) {
    session.begin_run(machine);
    std::optional<run_error> failure;
    try {
        machine.run().execute([&](device& target) {
            machine.use(target);
            program(target);
        });
    } catch (const abandoned_run&) {
        if (session.runs_again()) return std::nullopt;
        failure.emplace(error_kind::interrupted, "");
    } catch (const run_error& error) {
        if (error.kind() == error_kind::configuration) throw;
        failure = error;
    }
    device_run result = machine.run().measured();
    result.failure = failure;
    return result;
}

}  // namespace

device_run run_debugged(const gpu_configuration& configuration, const timed_options& options,
                        const debug_request& request, const host_program& program) {
    listening_port port(request.port);
    printed_once printed;
    debug_session session(
        [&]() -> std::optional<int> {
            port.open();
            request.ready(port.number());
            const std::optional<int> socket = port.accept(
                [&] { return attention::interrupted() || (request.give_up && request.give_up()); });
            port.close();
            if (!socket && !attention::interrupted()) {
                std::fputs("heddle: no debugger has come; the run goes on without one\n", stderr);
            }
            return socket;
        },
        [&] {
            if (request.gone) request.gone();
        });
    timed_options watched = options;
    watched.follow.watch = &session;
    const host_program again = [&](device& target) {
        printed.begin();
        target.print_to([&](std::string_view text) { printed(text); });
        program(target);
    };
    std::optional<device_run> result;
    while (!result) {
        if (request.functional) {
            functional_machine machine(configuration, options.show_progress, session);
            result = run_once(session, machine, again);
        } else {
            timed_machine machine(configuration, watched);
            result = run_once(session, machine, again);
        }
    }
    if (session.killed()) {
        result->failure.emplace(error_kind::interrupted, "the debugger has killed the run");
    }
    if (request.functional && options.threads.wanted > 1) {
        result->notes.emplace_back("--threads", "one thread: there is a debugger");
    }
    session.end(result->failure ? exit_code(result->failure->kind()) : 0);
    return std::move(*result);
}

}  // namespace heddle::command::gdb
