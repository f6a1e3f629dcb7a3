// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/machine/machine.h"

#include <algorithm>
#include <string>

#include "command/run/run_checks.h"
#include "command/run/run_command.h"
#include "hw/base/crew.h"
#include "library/machine/loaded_program.h"
#include "library/machine/measured_devices.h"
#include "models/base/attention.h"
#include "models/base/configuration.h"
#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/device/device.h"

namespace heddle::library {

machine::machine(const machine_request& request) : request_(request) {
    if (!request.configuration.empty() && !request.text.empty()) {
        throw configuration_error(
            "'configuration' and 'text' are both given; a machine has one of them");
    }
    if (request.functional && request.check) {
        throw configuration_error("'check' is for the timed machine, but 'functional' is set");
    }
    if (request.functional && request.max_cycles != 0) {
        throw configuration_error("'max_cycles' is for the timed machine, but 'functional' is set");
    }
    if (request.threads > crew::most_threads) {
        throw configuration_error("'threads' is " + std::to_string(request.threads) +
                                  "; legal: 1 to " + std::to_string(crew::most_threads));
    }
    if (request.follows && request.threads > 1) {
        throw configuration_error(
            "'threads' is for machines that run launches; this one follows a core");
    }
    load_configuration(parameters_, {request.configuration,
                                     request.settings,
                                     {data_folders_in_use().configurations},
                                     request.text});
    for (const parameter& each : parameters_.parameters()) {
        parameter_texts_.push_back(
            {to_text(each.get()), to_text(each.default_value), to_text(each.limits)});
    }
    options_.seed = request.seed;
    options_.max_cycles = request.max_cycles;
    options_.threads.wanted = request.threads;
    options_.show_progress = false;
    options_.records.all_statistics = true;
    options_.follow.check = request.check;
}

void machine::attach(const std::function<void(command::timed_options&)>& change) {
    if (request_.functional) {
        throw configuration_error("a functional machine has no time, and writes no such file");
    }
    if (session_) {
        throw configuration_error(
            "the machine is built already; files are attached before heddle_load() and whatever "
            "else uses the machine");
    }
    command::run_request changed;
    changed.what = "program.elf";  // there is no workload
    changed.timed = options_;
    change(changed.timed);
    command::check_request(changed);
    options_ = std::move(changed.timed);
}

void machine::build() {
    if (session_) return;
    session_ = std::make_unique<session>(
        request_.follows      ? followed_machine(configuration_, *request_.follows, followed_)
        : request_.functional ? functional_machine(configuration_, options_.threads)
                              : timed_machine(configuration_, options_));
}

iss::followed_device& machine::followed() {
    if (!request_.follows) {
        throw configuration_error(
            "the machine follows no core; legal: one of heddle_lockstep_create()");
    }
    build();
    return *followed_;
}

void machine::use(const std::function<void(device&)>& work) {
    go_on([&] { session_->use(work, poll_); });
}

std::uint64_t machine::run_until(std::uint64_t cycle) {
    std::uint64_t reached = 0;
    go_on([&] { reached = session_->run_until(cycle, poll_); });
    return reached;
}

void machine::keep_retired(bool parts) {
    attach([&](command::timed_options& options) {
        options.follow.retired_parts = parts;
        options.follow.retired = [this](const heddle_retired& one) { retired_.push_back(one); };
    });
}

std::size_t machine::next_retired(heddle_retired* to, std::size_t most) {
    if (!options_.follow.retired) {
        throw configuration_error("heddle_keep_retired() comes first, before the machine is built");
    }
    build();
    if (retired_.size() < most && !session_->ended_well()) {
        try {
            go_on([&] { session_->run_while([&] { return retired_.size() < most; }, poll_); });
        } catch (const run_error&) {
            if (retired_.empty()) throw;  // else the next call says it
        }
    }
    const std::size_t count = std::min(most, retired_.size());
    std::copy_n(retired_.begin(), count, to);
    retired_.erase(retired_.begin(), retired_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
}

void machine::go_on(const std::function<void()>& work) {
    build();
    measured_.reset();
    try {
        work();
    } catch (const run_error& error) {
        // Whoever was interrupted has heard of it.
        if (error.kind() == error_kind::interrupted) attention::take(attention::interrupt);
        throw;
    }
}

void machine::load(const std::string& file) {
    build();
    use([&](device& target) {
        const bool is_first = target.programs().held().empty();
        // The first one lies where `heddle compile` puts programs.
        program::program_place place;
        constexpr program::program_extent usual{1U << 20, 1U << 20};
        if (!is_first && is_source(file)) place = target.free_place(usual);
        loaded_program loaded = load_program(file, place);
        const program::program_extent extent = extent_of(*loaded.image, place);
        if (!is_first && is_source(file) &&
            (extent.code > usual.code || extent.data > usual.data)) {
            loaded = load_program(file, target.free_place(extent));
        }
        if (what_.empty()) what_ = loaded.image->name();
        target.load(std::move(loaded.image));
        device_ = &target;
        diagnostics_ = std::move(loaded.diagnostics);
    });
}

void machine::unload(const std::string& file) {
    std::vector<program_id> named;
    for (const auto& [id, held] : programs().held()) {
        if (held->image->name() == file) named.push_back(id);
    }
    if (named.empty()) {
        throw configuration_error("no program '" + file + "' is loaded; there are " +
                                  programs().names());
    }
    use([&](device& target) {
        for (const program_id id : named) target.unload(id);
    });
}

const program_table& machine::programs() {
    if (device_ != nullptr && !device_->programs().held().empty()) return device_->programs();
    throw configuration_error("no program is loaded; heddle_load() comes first");
}

const program::image* machine::program_at(std::uint32_t pc) {
    const held_program* const found = programs().at(pc);
    return found == nullptr ? nullptr : found->image.get();
}

void machine::finish() {
    if (request_.follows) followed().synchronize();
    go_on([&] { session_->finish(poll_); });
}

void machine::close() {
    const std::unique_ptr<session> last = std::move(session_);
    followed_ = nullptr;
    device_ = nullptr;
    if (last) last->close();
}

const command::device_run& machine::measured() {
    build();
    if (!measured_) measured_ = session_->measured();
    return *measured_;
}

void machine::write_statistics(const std::string& file) {
    command::check_file_ending("heddle_write_statistics", file, {".json", ".csv"});
    output_file output(file);
    const run_description description{
        {{"version", std::string(HEDDLE_VERSION)},
         {"what", what_},
         {"device", std::string(request_.functional ? "functional simulator" : "timed machine")},
         {"config", request_.configuration.empty() ? "default" : request_.configuration},
         {"seed", request_.seed}},
        &parameters_};
    heddle::write_statistics(output, measured().values, description);
}

}  // namespace heddle::library
