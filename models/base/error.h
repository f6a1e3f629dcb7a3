// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

/// Why a run did not end well. The process exit code follows from it (exit_code()).
enum class error_kind {
    none,           ///< the run ended well
    wrong_result,   ///< a result differs from its reference, or a model invariant is violated
    configuration,  ///< command line, configuration or input file is unusable
    kernel_fault,   ///< the device program did something illegal: trap, bad access, ...
    no_progress,    ///< nothing moves any more, or --max-cycles was reached
    interrupted,    ///< Ctrl-C
};

/// Process exit code: 0 good, 1 wrong result, 2 usage/configuration/input, 3 kernel fault,
/// 4 no progress, 130 interrupted.
constexpr int exit_code(error_kind kind) noexcept {
    switch (kind) {
        case error_kind::none:
            return 0;
        case error_kind::wrong_result:
            return 1;
        case error_kind::configuration:
            return 2;
        case error_kind::kernel_fault:
            return 3;
        case error_kind::no_progress:
            return 4;
        case error_kind::interrupted:
            return 130;
    }
    return 1;
}

/// An error that ends the run. Thrown by untimed code only: an exception thrown inside a SystemC
/// process arrives mangled, so timed code reports to run_status instead.
/// The message says who, what was found, where, and what would be legal.
class run_error : public std::runtime_error {
public:
    run_error(error_kind kind, const std::string& message)
        : std::runtime_error(message), kind_(kind) {}

    [[nodiscard]] error_kind kind() const noexcept { return kind_; }

private:
    error_kind kind_;
};

/// Unusable command line, configuration or input file; exit code 2.
class configuration_error : public run_error {
public:
    explicit configuration_error(const std::string& message)
        : run_error(error_kind::configuration, message) {}
};

}  // namespace heddle
