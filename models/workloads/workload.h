// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "models/base/parameter.h"
#include "models/base/random.h"
#include "models/device/device.h"
#include "models/workloads/launch_mode.h"
#include "models/workloads/report.h"

namespace heddle::workloads {

/// What every run of a workload has beside the workload's own options.
struct run_context {
    std::string workload;
    std::uint64_t seed{1};
    std::string input;  ///< file or GENERATOR:args; "" for workloads that take none
    launch_mode mode{launch_mode::flat};

    /// The entry of the mode of a kernel that has one for each: "expand_cdp" of "expand".
    [[nodiscard]] std::string entry(std::string_view kernel) const {
        return std::string(kernel) + "_" + std::string(name_of(mode));
    }
    /// The seeded stream "workload.<workload>.<name>": inputs of different names are independent.
    [[nodiscard]] random_stream random(std::string_view name) const {
        return {seed, "workload." + workload + "." + std::string(name)};
    }
};

/// A workload with its options, at their defaults until someone assigns others.
class prepared_workload {
public:
    prepared_workload() = default;
    prepared_workload(const prepared_workload&) = delete;
    prepared_workload& operator=(const prepared_workload&) = delete;
    virtual ~prepared_workload() = default;

    [[nodiscard]] virtual parameter_list& options() noexcept = 0;
    /// Prepares inputs, launches kernels, and reports results that were compared with the serial
    /// reference. The device has the workload's program loaded.
    virtual void run(device& gpu, const run_context& context, workload_report& report) const = 0;
};

/// An entry of the registry: a host program with its device kernels and serial reference.
struct workload {
    std::string name;           ///< lower case; of an alias PROGRAM/INPUT
    std::string description;    ///< one line
    std::string default_input;  ///< "" for workloads that take no input
    std::function<std::unique_ptr<prepared_workload>()> prepare;
    bool has_modes{false};  ///< its kernels have an entry for each launch_mode
    /// Of an alias: the workload that it runs, and the options that it gives. Empty for others.
    std::string alias_of{};
    std::map<std::string, std::string> preset{};
    /// The compiled device program; empty: PROGRAM.elf in the folder of kernels.
    std::string device_program{};

    /// Name of the device program and of the random streams.
    [[nodiscard]] const std::string& program() const { return alias_of.empty() ? name : alias_of; }
};

/// A host program: runs on `gpu` with the given options and reports.
template <class Options>
using host_program = void (*)(device& gpu, const Options& options, const run_context& context,
                              workload_report& report);

/// A host program together with the options of one run.
template <class Options>
class typed_workload final : public prepared_workload {
public:
    explicit typed_workload(host_program<Options> host) : host_(host), list_(options_) {}

    parameter_list& options() noexcept override { return list_; }
    void run(device& gpu, const run_context& context, workload_report& report) const override {
        host_(gpu, options_, context, report);
    }

private:
    host_program<Options> host_;
    Options options_;
    parameter_list list_;
};

/// The entry of a host program. Options is a struct with defaults that declares its members as
/// parameter_list says.
template <class Options>
workload make_workload(std::string name, std::string description, std::string default_input,
                       host_program<Options> host) {
    return {std::move(name), std::move(description), std::move(default_input),
            [host] { return std::make_unique<typed_workload<Options>>(host); }};
}

/// The same workload as one whose kernels have an entry for each launch_mode.
inline workload with_modes(workload flat) {
    flat.has_modes = true;
    return flat;
}

/// What a user asks of a workload.
struct workload_options {
    std::uint64_t seed{1};
    std::string input;                          ///< file or GENERATOR:args; "" = the default
    std::map<std::string, std::string> values;  ///< option key → value, as typed
    launch_mode mode{launch_mode::flat};
};

}  // namespace heddle::workloads
