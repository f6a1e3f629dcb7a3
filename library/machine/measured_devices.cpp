// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/machine/measured_devices.h"

#include "command/run/functional_run.h"
#include "command/run/run_statistics.h"
#include "command/run/timed_run.h"
#include "hw/base/kernel_context.h"

namespace heddle::library {
namespace {

command::device_run completed(command::device_run measured, bool ended) {
    command::collect_run(measured, ended);
    return measured;
}

class timed final : public measured_device {
public:
    timed(const gpu_configuration& configuration, const command::timed_options& options)
        : run_(configuration, options) {}

    void execute(const command::host_program& program) override { run_.execute(program); }
    std::uint64_t run_until(device&, std::uint64_t cycle) override { return run_.run_until(cycle); }
    void run_while(device&, const std::function<bool()>& wanted) override {
        run_.run_while(wanted);
    }
    void check() const override {
        if (const auto failure = run_.failure()) throw run_error(*failure);
    }
    command::device_run measured() override { return completed(run_.measured(), ended_); }
    std::optional<run_error> finish() override {
        ended_ = true;
        return run_.finish().failure;
    }

private:
    const kernel_context context_;  // around all that SystemC knows
    command::timed_run run_;
    bool ended_ = false;
};

class functional final : public measured_device {
public:
    functional(const gpu_configuration& configuration, const command::thread_options& threads)
        : run_(configuration, /*show_progress=*/false, nullptr, threads) {}

    void execute(const command::host_program& program) override { run_.execute(program); }
    std::uint64_t run_until(device& machine, std::uint64_t cycle) override {
        return machine.wait_until(cycle);
    }
    /// Nothing of it is asked for that changes while it runs.
    void run_while(device& machine, const std::function<bool()>& wanted) override {
        if (wanted()) machine.synchronize();
    }
    void check() const override {}
    command::device_run measured() override { return completed(run_.measured(), ended_); }
    std::optional<run_error> finish() override {
        ended_ = true;
        return std::nullopt;
    }

private:
    command::functional_run run_;
    bool ended_ = false;
};

/// Its kernels run elsewhere: nothing is measured.
class followed final : public measured_device {
public:
    followed(const gpu_configuration& configuration, const iss::foreign_rules& rules,
             iss::followed_device*& told)
        : device_(configuration.machine, rules) {
        told = &device_;
    }

    void execute(const command::host_program& program) override { program(device_); }
    std::uint64_t run_until(device&, std::uint64_t) override {
        throw configuration_error("a core in lock-step has no cycles here");
    }
    void run_while(device&, const std::function<bool()>&) override {}
    void check() const override {}
    command::device_run measured() override { return completed({}, ended_); }
    std::optional<run_error> finish() override {
        ended_ = true;
        return std::nullopt;
    }

private:
    iss::followed_device device_;
    bool ended_ = false;
};

}  // namespace

session::maker followed_machine(const gpu_configuration& configuration,
                                const iss::foreign_rules& rules, iss::followed_device*& told) {
    return [&] { return std::make_unique<followed>(configuration, rules, told); };
}

session::maker timed_machine(const gpu_configuration& configuration,
                             const command::timed_options& options) {
    return [&] { return std::make_unique<timed>(configuration, options); };
}

session::maker functional_machine(const gpu_configuration& configuration,
                                  const command::thread_options& threads) {
    return [&] { return std::make_unique<functional>(configuration, threads); };
}

}  // namespace heddle::library
