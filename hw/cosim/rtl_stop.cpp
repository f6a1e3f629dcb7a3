// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/rtl_stop.h"

#include <cstdio>
#include <systemc>

#include "hw/base/report_error.h"

// Verilator calls them. Its own header can't be included beside that of SystemC.
void vl_stop(const char* file, int line, const char* hierarchy);
void vl_finish(const char* file, int line, const char* hierarchy);

namespace heddle::cosim {

namespace {

/// Verilator has one such function for all models of a program.
thread_local const rtl_stop_listener::function* present = nullptr;

void stopped(const char* file, int line, const char* what) {
    std::fflush(stdout);  // what Verilator has printed
    const std::string place =
        std::string(file == nullptr ? "" : file) + ":" + std::to_string(line) + " (" + what + ")";
    if (present != nullptr) return (*present)(place);
    report_error("heddle/rtl/stopped",
                 "the RTL stopped at " + place + "; what it says is printed above");
}

}  // namespace

rtl_stop_listener::rtl_stop_listener(const function& heard) noexcept : before_(present) {
    present = heard ? &heard : nullptr;
}

rtl_stop_listener::~rtl_stop_listener() {
    present = before_;
}

}  // namespace heddle::cosim

void vl_stop(const char* file, int line, const char* /*hier*/) {
    heddle::cosim::stopped(file, line, "a failed assertion, $error, $fatal or $stop");
}

void vl_finish(const char* file, int line, const char* /*hier*/) {
    heddle::cosim::stopped(file, line, "$finish");
}
