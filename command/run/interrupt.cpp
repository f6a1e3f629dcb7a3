// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "command/run/progress_line.h"
#include "models/base/attention.h"
#include "models/base/output_file.h"

namespace heddle::command {
namespace {

void write_to_stderr(std::string_view text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

extern "C" void on_interrupt(int signal_number) {
    write_to_stderr(progress_line::erasing_text());
    if (attention::interrupted()) {
        remove_unfinished_files();
        std::signal(signal_number, SIG_DFL);
        std::raise(signal_number);
        return;
    }
    attention::raise(attention::interrupt);
    write_to_stderr("heddle: interrupted; a second Ctrl-C ends the run at once, without results\n");
}

}  // namespace

void install_interrupt_handler() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    // Who reads the summary may stop: the run's files are written nevertheless.
    std::signal(SIGPIPE, SIG_IGN);
    // nohup wants it ignored.
    if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

}  // namespace heddle::command
