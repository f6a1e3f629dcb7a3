// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/report_handler.h"

#include <string>
#include <systemc>

#include "hw/base/crew.h"

namespace heddle {
namespace {

/// sc_report_handler takes a plain function, so that the status it reports to has to be found
/// here; null while there is no handler.
run_status* warning_status = nullptr;

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    crew::in_order();
    if (report.get_severity() == sc_core::SC_WARNING && warning_status != nullptr) {
        warning_status->report(error_kind::wrong_result,
                               std::string("SystemC warning ") + report.get_msg_type() + ": " +
                                   report.get_msg() + " (" + report.get_file_name() + ":" +
                                   std::to_string(report.get_line_number()) + ")");
        return;
    }
    // A fatal report would abort the process; thrown, it reaches run_control.
    const bool fatal = report.get_severity() == sc_core::SC_FATAL;
    sc_core::sc_report_handler::default_handler(
        report, fatal ? (actions & ~sc_core::SC_ABORT) | sc_core::SC_THROW : actions);
}

}  // namespace

report_handler::report_handler(run_status& status) {
    warning_status = &status;
    sc_core::sc_report_handler::set_handler(on_report);
}

report_handler::~report_handler() {
    warning_status = nullptr;
    sc_core::sc_report_handler::set_handler(nullptr);
}

}  // namespace heddle
