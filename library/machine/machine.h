// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/run/device_run.h"
#include "hw/top/gpu_configuration.h"
#include "library/machine/session.h"
#include "models/base/parameter.h"
#include "models/device/program_table.h"
#include "models/iss/foreign/followed_device.h"
#include "models/program/image.h"

namespace heddle::library {

/// What a machine is made from.
struct machine_request {
    std::string configuration;  ///< NAME or FILE; empty: the default
    std::string text;           ///< TOML in its place; empty: none
    std::vector<std::string> settings;
    std::uint64_t seed = 1;
    std::uint64_t max_cycles = 0;
    bool functional = false;
    bool check = false;
    unsigned threads = 1;                       ///< of the host
    std::optional<iss::foreign_rules> follows;  ///< a core that is not ours; else none
};

/// What stands behind a handle of the C interface. Errors are run_errors.
class machine {
public:
    explicit machine(const machine_request& request);

    [[nodiscard]] bool functional() const noexcept { return request_.functional; }
    [[nodiscard]] const parameter_list& parameters() const noexcept { return parameters_; }
    struct parameter_texts {
        std::string value, default_value, legal;
    };
    /// In the order of parameters().
    [[nodiscard]] const std::vector<parameter_texts>& texts_of_parameters() const noexcept {
        return parameter_texts_;
    }

    /// What it writes; `change` gets the options. Throws configuration_error if the machine is
    /// built already, or has no time.
    void attach(const std::function<void(command::timed_options&)>& change);
    /// Loads an ELF file, or a source file that is compiled first, for a place beside the programs
    /// that are there.
    void load(const std::string& file);
    /// Takes the programs of that name out. Throws configuration_error if there is none.
    void unload(const std::string& file);
    /// The programs that are loaded. Throws configuration_error if there is none.
    [[nodiscard]] const program_table& programs();
    /// The program whose code holds the address; null: none.
    [[nodiscard]] const program::image* program_at(std::uint32_t pc);
    [[nodiscard]] const std::string& diagnostics() const noexcept { return diagnostics_; }

    /// Does something with the device, which is built if it is not yet.
    void use(const std::function<void(device&)>& work);
    /// As heddle_run_until().
    [[nodiscard]] std::uint64_t run_until(std::uint64_t cycle);
    /// As heddle_keep_retired() and heddle_next_retired().
    void keep_retired(bool parts);
    [[nodiscard]] std::size_t next_retired(heddle_retired* to, std::size_t most);
    /// The core that is not ours. Throws configuration_error if this is another machine.
    [[nodiscard]] iss::followed_device& followed();
    void finish();
    /// Completes the files. Throws configuration_error if that fails.
    void close();
    /// What has been measured so far.
    [[nodiscard]] const command::device_run& measured();
    void write_statistics(const std::string& file);

    /// The text, until the next call for the machine that changes a text of the same number.
    [[nodiscard]] const char* keep_text(std::string text) {
        texts_[next_text_ ^= 1] = std::move(text);
        return texts_[next_text_].c_str();
    }

    /// Called while a call waits; true interrupts the run. Empty: nobody.
    void set_poll(session::poll asked) { poll_ = std::move(asked); }

private:
    void build();
    void go_on(const std::function<void()>& work);

    machine_request request_;
    gpu_configuration configuration_;
    parameter_list parameters_{configuration_};
    std::vector<parameter_texts> parameter_texts_;
    command::timed_options options_;
    const device* device_ = nullptr;  ///< null: no program has been loaded
    std::string what_;                ///< name of the first program
    std::string diagnostics_;
    session::poll poll_;
    std::string texts_[2];  ///< of heddle_lockstep_difference(), which has two
    unsigned next_text_ = 0;
    iss::followed_device* followed_ = nullptr;     ///< of the session, if it is one
    std::deque<heddle_retired> retired_;           ///< that nobody has taken yet
    std::optional<command::device_run> measured_;  ///< until the machine goes on
    std::unique_ptr<session> session_;             ///< null: not built yet
};

}  // namespace heddle::library
