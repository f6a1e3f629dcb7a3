// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/base/clock_domain.h"
#include "models/base/run_status.h"
#include "models/base/strong_index.h"
#include "models/device/kernel_fault.h"

namespace heddle {

/// Reports errors of an SMX to the run's status. The SMX does nothing after the first report.
class fault_reporter {
public:
    fault_reporter(const clocked& part, sm_id sm, run_status& status)
        : part_(part), sm_(sm), status_(status) {}

    /// A kernel of `image` has executed an illegal instruction or access, at `where`, in warp slot
    /// `warp`.
    void kernel_fault(const program::image& image, const device_location& where, unsigned warp,
                      const std::string& what);
    /// An invariant of the model is violated.
    void model_error(const std::string& what);
    /// An error has been reported.
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }

private:
    const clocked& part_;
    const sm_id sm_;
    run_status& status_;
    bool stopped_ = false;
};

}  // namespace heddle
