// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/run_status.h"

namespace heddle {

/// While an object of this class lives, SystemC's reports reach the run. A warning is an error of
/// the run, because a correct model gives no warning. An error or a fatal report is thrown and
/// reaches run_control, so that nothing aborts the process. There may be one object at a time.
class report_handler {
public:
    explicit report_handler(run_status& status);
    ~report_handler();
    report_handler(const report_handler&) = delete;
    report_handler& operator=(const report_handler&) = delete;
};

}  // namespace heddle
