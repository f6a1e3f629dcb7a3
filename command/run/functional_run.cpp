// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/functional_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/top/gpu_configuration.h"
#include "models/base/attention.h"
#include "models/iss/statistics.h"

namespace heddle::command {

functional_run::functional_run(const gpu_configuration& configuration,
                               std::optional<bool> show_progress, simt::debug_watch* watch,
                               const thread_options& threads)
    : line_(show_progress),
      simulator_(configuration.machine,
                 [this] {
                     if (!attention::raised()) return false;
                     if (attention::take(attention::progress)) {
                         line_.show({simulator_.blocks_launched(), simulator_.blocks_done(),
                                     simulator_.executed(), std::nullopt});
                     }
                     return attention::interrupted();
                 },
                 watch, {threads.used(), threads.delay_seed}) {}

device_run functional_run::measured() const {
    device_run result;
    iss::collect(simulator_, result.values);
    result.warp_instructions = simulator_.total().warp_instructions;
    result.thread_instructions = simulator_.total().thread_instructions;
    result.host_seconds = simulator_.host_seconds();
    return result;
}

std::string functional_run::note_of(const thread_options& threads) const {
    if (threads.wanted == 1) return {};
    const std::set<std::string>& why = simulator_.on_one_thread();
    if (!why.empty()) return fmt::format("one thread for launches with {}", fmt::join(why, ", "));
    return threads.note();
}

device_run run_functional(const gpu_configuration& configuration, const host_program& program,
                          std::optional<bool> show_progress, const thread_options& threads) {
    functional_run run(configuration, show_progress, nullptr, threads);
    std::optional<run_error> failure;
    try {
        run.execute(program);
    } catch (const run_error& error) {
        if (error.kind() == error_kind::configuration) throw;
        failure = error;
    }
    device_run result = run.measured();
    result.failure = failure;
    const std::string note = run.note_of(threads);
    if (!note.empty()) result.notes.emplace_back("--threads", note);
    return result;
}

}  // namespace heddle::command
