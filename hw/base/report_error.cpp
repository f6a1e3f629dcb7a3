// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/report_error.h"

#include <systemc>

namespace heddle {

void report_error(const char* id, const std::string& text, const char* file, int line) {
    sc_core::sc_report_handler::report(sc_core::SC_ERROR, id, text.c_str(), file, line);
}

}  // namespace heddle
