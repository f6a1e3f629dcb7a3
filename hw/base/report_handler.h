// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/run_status.h"

namespace heddle {

/// While it lives, SystemC's reports reach the run: a warning is an error of the run, because the
/// model gives none when it is right; an error or a fatal report is thrown and reaches
/// run_control, so that nothing aborts the process. One at a time.
class report_handler {
public:
    explicit report_handler(run_status& status);
    ~report_handler();
    report_handler(const report_handler&) = delete;
    report_handler& operator=(const report_handler&) = delete;
};

}  // namespace heddle
