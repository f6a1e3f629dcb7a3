// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/link_faults/faulty_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <sstream>
#include <stdexcept>

#include "hw/protocol/base_access.h"
#include "hw/top/simulation.h"
#include "models/workloads/registry.h"
#include "models/workloads/report.h"
#include "tb/link_faults/faulty_link.h"

namespace heddle::link_faults {

outcome run_with_fault(const faulty_run& run, const fault& planned) {
    fault_plan plan(planned);
    protocol::interposers broken;
    add_faulty_links<protocol::launch_link>(broken, plan);
    add_faulty_links<protocol::aggregation_link>(broken, plan);
    add_faulty_links<protocol::kernel_dispatch_link>(broken, plan);
    add_faulty_links<protocol::kde_link>(broken, plan);
    add_faulty_links<protocol::block_link>(broken, plan);
    add_faulty_links<protocol::memory_link>(broken, plan);
    add_faulty_links<protocol::warp_link>(broken, plan);
    add_faulty_links<protocol::thread_link>(broken, plan);
    add_faulty_links<protocol::shared_link>(broken, plan);
    add_faulty_links<protocol::base_link>(broken, plan);
    gpu_options options;
    options.check_protocols = true;
    options.interposers = &broken;
    simulation simulated(run.configuration, options);
    bool correct = false;
    std::string wrong;
    const error_kind kind = simulated.run(
        [&](device& gpu) {
            workloads::workload_options of_run;
            of_run.values = run.options;
            of_run.mode = run.mode;
            const auto report =
                workloads::run_workload(workloads::find_workload(run.workload), gpu, of_run);
            correct = report.correct();
        },
        {run.max_cycles});
    outcome result;
    result.right = kind == error_kind::none && correct;
    result.happened = plan.happened();
    result.calls = plan.calls();
    result.text = simulated.status().text();
    if (kind == error_kind::none && !correct) result.text = "the result is wrong";
    return result;
}

namespace {

/// An outcome as lines: right, happened, a line for each link, text.
std::string to_lines(const outcome& o) {
    std::ostringstream lines;
    lines << o.right << ' ' << o.happened << ' ' << o.calls.size() << '\n';
    for (const auto& [at, count] : o.calls) {
        lines << at.first << ' ' << static_cast<unsigned>(at.second) << ' ' << count << '\n';
    }
    lines << o.text;
    return lines.str();
}

outcome from_lines(const std::string& text) {
    std::istringstream lines(text);
    outcome o;
    std::size_t links = 0;
    lines >> o.right >> o.happened >> links;
    for (; links != 0; --links) {
        std::string link;
        unsigned via = 0;
        std::uint64_t count = 0;
        lines >> link >> via >> count;
        o.calls[{link, static_cast<protocol::path>(via)}] = count;
    }
    lines.ignore();
    std::ostringstream rest;
    rest << lines.rdbuf();
    o.text = rest.str();
    return o;
}

[[noreturn]] void run_as_child(const faulty_run& run, const fault& planned, unsigned seconds,
                               int to) {
    alarm(seconds);
    outcome result;
    try {
        result = run_with_fault(run, planned);
    } catch (const std::exception& error) {
        result.text = error.what();
        result.happened = true;
    }
    const std::string lines = to_lines(result);
    const bool whole = write(to, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size());
    _exit(whole ? 0 : 1);
}

}  // namespace

outcome run_apart(const faulty_run& run, const fault& planned, unsigned seconds) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) {
        close(ends[0]);
        run_as_child(run, planned, seconds, ends[1]);
    }
    close(ends[1]);
    std::string lines;
    char buffer[4096];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
        lines.append(buffer, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return from_lines(lines);
    outcome result;
    result.happened = true;
    result.text = WIFSIGNALED(status)
                      ? "the process was ended by signal " + std::to_string(WTERMSIG(status))
                      : "the process ended with code " + std::to_string(WEXITSTATUS(status));
    return result;
}

}  // namespace heddle::link_faults
