// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/simulation.h"

#include "hw/base/crew.h"
#include "hw/base/present.h"
#include "hw/top/gpu.h"
#include "hw/top/interval_recorder.h"
#include "hw/top/why_one_thread.h"
#include "models/base/thread_seconds.h"

namespace heddle {
simulation::simulation(const gpu_configuration& configuration, const gpu_options& options)
    : reports_(status_),
      control_(status_),  // models of others may look at SystemC's time
      run_ahead_(options.run_ahead && !options.memory && options.interposers == nullptr) {
    gpu_ = std::make_unique<gpu>("gpu", configuration, control_, options);
    const bool shares = options.threads > 1 || options.work != nullptr;
    if (shares && why_one_thread(configuration, options).empty()) {
        crew_ = std::make_unique<crew>(
            crew::settings{options.threads, options.thread_delay_seed, options.work});
        gpu_->share(*crew_);
        control_.edges().hire(crew_.get());
    }
    if (options.series != nullptr) {
        intervals_ = std::make_unique<interval_recorder>(*gpu_, configuration, options.interval,
                                                         *options.series, control_);
    }
}

simulation::~simulation() = default;

double simulation::host_seconds() const noexcept {
    return started_ ? thread_seconds() - *started_ : host_seconds_;
}

error_kind simulation::run(const std::function<void(device&)>& program, const limits& bounds) {
    gpu_->host_processor().set_program([&] { program(gpu_->device()); });
    started_ = thread_seconds();
    run_limits limit;
    limit.max_cycles = bounds.max_cycles;
    limit.cycle_domain = &gpu_->core_clock();
    if (run_ahead_) control_.run_ahead();
    if (control_.run(limit) == error_kind::none && !control_.finished()) {
        status_.report(
            error_kind::no_progress,
            "run: no event is left at " + present::time().to_string() + control_.waiting_report());
    }
    gpu_->device().show_output();  // of launches that have not ended
    host_seconds_ = host_seconds();
    started_.reset();
    if (status_.kind() == error_kind::none) {
        try {
            gpu_->links().report_lost();
        } catch (const sc_core::sc_report& lost) {
            status_.report(error_kind::wrong_result, lost.what());
        }
    }
    gpu_->links().finish();
    if (intervals_) intervals_->finish();
    return status_.kind();
}

}  // namespace heddle
