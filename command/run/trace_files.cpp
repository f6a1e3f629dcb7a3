// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/trace_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "command/run/trace_window.h"
#include "command/run/wave_colors.h"
#include "hw/base/present.h"
#include "hw/base/scope_filter.h"
#include "hw/base/wave_view.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle::command {
namespace {

const std::vector<std::string> launch_path{"gpu.kmu", "gpu.kernel_distributor",
                                           "gpu.kernel_distributor_pins", "gpu.smx_scheduler"};

/// The launch path and one SMX: what fits on a screen, and costs little on a big machine.
std::vector<std::string> default_scopes() {
    std::vector<std::string> scopes = launch_path;
    scopes.emplace_back("gpu.smx_0");
    return scopes;
}

std::vector<wave_group> view_groups() {
    constexpr unsigned orange = 2;
    constexpr unsigned green = 4;
    constexpr unsigned blue = 5;
    return {{"Launch path", launch_path, orange},
            {"SMX", {"gpu.smx_[0-9]*"}, green},
            {"Memory", {"gpu.crossbar", "gpu.l2_[0-9]*", "gpu.memory*"}, blue}};
}

/// All launches, blocks and warps; accesses of one SMX, on their whole way. With scopes, what lies
/// in them and the launches that it comes from; behind SMXs only the accesses of SMXs in the
/// scopes, if there are any.
protocol::trace_selection timeline_selection(const std::vector<std::string>& scopes,
                                             const time_window& window, std::size_t smx_count) {
    protocol::trace_selection selection{scopes, window, {}};
    if (scopes.empty()) {
        selection.scopes = {
            "gpu.kmu",          "gpu.kernel_distributor", "gpu.smx_*.blocks", "gpu.smx_*.warps",
            "gpu.smx_*.groups", "gpu.smx_*.launches",     "gpu.smx_0.memory", "gpu.l2_*"};
    } else {
        selection.scopes.emplace_back("gpu.kmu.launches");
    }
    std::vector<bool> accesses_of(smx_count);
    for (std::size_t i = 0; i < smx_count; ++i) {
        const std::string track = fmt::format("gpu.smx_{}.memory", i);
        for (const std::string& scope : selection.scopes) {
            if (scope_selected(scope, track)) accesses_of[i] = true;
        }
    }
    if (std::find(accesses_of.begin(), accesses_of.end(), true) != accesses_of.end()) {
        selection.accesses_of = std::move(accesses_of);
    }
    return selection;
}

/// A pipe or device has no place beside it.
bool has_place_beside(const std::string& file) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

/// Throws configuration_error for a pattern that selects no link.
void check_links(const scope_filter& filter) {
    const std::vector<std::string> unmatched = filter.unmatched();
    if (unmatched.empty()) return;
    throw configuration_error(
        fmt::format("--link-trace-scope {}: no link has that name or is in a scope of that name{}; "
                    "there are links of {}",
                    joined(unmatched), hint(unmatched.front(), filter.blocks()),
                    joined(with_ranges(filter.blocks()))));
}

}  // namespace

trace_files::trace_files(const trace_options& options, const gpu_configuration& configuration)
    : window_(parse_trace_cycles(options.cycles, frequency::kilohertz(configuration.clock.core))),
      scopes_(options.scopes) {
    if (!options.waveform_file.empty()) {
        const std::vector<std::string>& scopes = options.scopes;
        waves_ = std::make_unique<waveform>(
            options.waveform_file,
            waveform_options{scopes.empty() ? default_scopes() : scopes, window_});
        if (has_place_beside(options.waveform_file)) {
            view_ = std::make_unique<output_file>(options.waveform_file + ".gtkw");
            names_ = std::make_unique<output_file>(options.waveform_file + ".names");
        }
    }
    if (!options.timeline_file.empty()) {
        timeline_ = std::make_unique<protocol::trace_writer>(
            options.timeline_file,
            timeline_selection(options.scopes, window_, configuration.machine.smx_count));
    }
    if (!options.slot_file.empty()) {
        slot_ports_ = std::make_unique<slot_trace_file>(options.slot_file);
    }
    if (!options.rtl_file.empty()) {
        slot_signals_ = std::make_unique<slot_internals_file>(options.rtl_file);
    }
    if (!options.link_file.empty()) {
        messages_ = std::make_unique<protocol::link_trace>(
            options.link_file, frequency::kilohertz(configuration.clock.core), options.link_scopes,
            window_);
    }
}

void trace_files::check_scopes() const {
    if (slot_ports_) slot_ports_->check();
    if (slot_signals_) slot_signals_->check();
    if (messages_) check_links(messages_->scopes());
    if (scopes_.empty()) return;
    std::vector<std::string> unmatched = scopes_;  // by any output
    std::vector<std::string> blocks;
    std::vector<const char*> empty;
    const auto look = [&](const scope_filter& filter, const char* what) {
        const std::vector<std::string> others = filter.unmatched();
        const auto used = [&](const std::string& scope) {
            return std::find(others.begin(), others.end(), scope) == others.end();
        };
        if (std::none_of(scopes_.begin(), scopes_.end(), used)) empty.push_back(what);
        unmatched.erase(std::remove_if(unmatched.begin(), unmatched.end(), used), unmatched.end());
        std::vector<std::string> all;
        std::set_union(blocks.begin(), blocks.end(), filter.blocks().begin(), filter.blocks().end(),
                       std::back_inserter(all));
        blocks = std::move(all);
    };
    if (waves_) look(waves_->scopes(), "variable of --vcd");
    if (timeline_) look(timeline_->scopes(), "track of --timeline");
    if (!unmatched.empty()) {
        throw configuration_error(
            fmt::format("--trace-scope {}: no {} has that name or is in a scope of that name{}; "
                        "there are {} and everything below them; '*' is everything",
                        joined(unmatched),
                        !timeline_ ? "variable"
                        : !waves_  ? "track"
                                   : "variable or track",
                        hint(unmatched.front(), blocks), joined(with_ranges(blocks))));
    }
    if (!empty.empty()) {
        throw configuration_error(
            fmt::format("--trace-scope {}: selects no {}; select one, or don't write that file",
                        joined(scopes_), empty.front()));
    }
}

bool trace_files::came_too_late() const {
    return window_.from > protocol::picoseconds(present::time());
}

void trace_files::finish() {
    if (waves_) waves_->close();
    if (view_) {
        const std::string dump = std::filesystem::path(waves_->path()).filename().string();
        view_->stream() << wave_view(waves_->contents(), dump, view_groups());
        view_->commit();
        names_->stream() << wave_names(waves_->contents(), wave_color);
        names_->commit();
    }
    if (timeline_) timeline_->finish();
    if (slot_ports_) slot_ports_->finish();
    if (messages_) messages_->finish();
}

}  // namespace heddle::command
