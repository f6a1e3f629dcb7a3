// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/command/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "hw/base/run_control.h"

namespace heddle::command {
namespace {

volatile std::sig_atomic_t flag = 0;

extern "C" void on_interrupt(int signal_number) {
    flag = 1;
    run_control::interrupt();
    std::signal(signal_number, SIG_DFL);
    constexpr std::string_view note = "heddle: interrupted; once more ends it without results\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, note.data(), note.size());
}

}  // namespace

void install_interrupt_handler() {
    std::signal(SIGINT, on_interrupt);
}

bool interrupted() {
    return flag != 0;
}

}  // namespace heddle::command
