// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "models/base/attention.h"

namespace heddle::command {
namespace {

constexpr std::chrono::milliseconds first_look{500};
constexpr std::chrono::milliseconds redraw{500};
constexpr std::chrono::seconds next_line{10};

constexpr std::string_view erase = "\r\x1b[K";
std::atomic<bool> drawn{false};

/// Columns of the terminal; a line that wraps could not be rewritten.
std::size_t columns() {
    winsize size = {};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
    return known ? size.ws_col : 80;
}

/// A background process must not scribble over what the user types.
bool in_foreground() {
    const pid_t group = ::tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == ::getpgrp();
}

std::string clock_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// Per second, with three figures.
std::string rate_text(double rate, const char* unit) {
    for (const auto& [factor, prefix] : {std::pair{1e6, "M "}, std::pair{1e3, "k "}}) {
        if (rate < factor) continue;
        const double scaled = rate / factor;
        return fmt::format("{:.{}f} {}{}/s", scaled,
                           scaled < 10    ? 2
                           : scaled < 100 ? 1
                                          : 0,
                           prefix, unit);
    }
    return fmt::format("{:.0f} {}/s", rate, unit);
}

void print(std::string_view text) {
    if (text.empty()) return;
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

std::string progress_text::next(seconds at, const run_progress& now) {
    const double passed = (at - last_at_).count();
    const auto rate = [&](std::uint64_t value, std::uint64_t before) {
        return passed > 0 ? static_cast<double>(value - before) / passed : 0.0;
    };
    std::string text = fmt::format("blocks {}/{}", now.blocks_done, now.blocks_launched);
    if (now.blocks_launched != 0) {
        text += fmt::format(" ({:.1f} %)", 100 * static_cast<double>(now.blocks_done) /
                                               static_cast<double>(now.blocks_launched));
    }
    if (now.cycles) {
        text += fmt::format(", cycle {}, {}", *now.cycles,
                            rate_text(rate(*now.cycles, last_.cycles.value_or(0)), "cycles"));
    }
    text +=
        ", " + rate_text(rate(now.warp_instructions, last_.warp_instructions), "warp instructions");
    if (now.blocks_launched != base_launched_) {
        base_launched_ = now.blocks_launched;
        base_done_ = now.blocks_done;
        base_at_ = at;
    } else if (now.blocks_done > base_done_) {
        const double seconds_per_block =
            (at - base_at_).count() / static_cast<double>(now.blocks_done - base_done_);
        const auto left = static_cast<double>(now.blocks_launched - now.blocks_done);
        text += ", " + clock_text(left * seconds_per_block) + " left";
    }
    last_at_ = at;
    last_ = now;
    return text;
}

progress_line::style progress_line::choose(std::optional<bool> wanted) {
    if (wanted == false) return style::none;
    const char* const term = std::getenv("TERM");
    const bool dumb = term != nullptr && std::string_view(term) == "dumb";
    if (::isatty(STDERR_FILENO) == 1 && !dumb) return style::in_place;
    return wanted ? style::lines : style::none;
}

progress_line::progress_line(std::optional<bool> wanted) : style_(choose(wanted)) {
    if (style_ == style::none) return;
    // The timer's thread takes no signals, so that those of the user interrupt what waits.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    timer_ = std::thread([this] { raise_attention(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

progress_line::~progress_line() {
    if (!timer_.joinable()) return;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    timer_.join();
    attention::take(attention::progress);
    print(erasing_text());
    drawn = false;
}

void progress_line::raise_attention() {
    std::chrono::milliseconds wait = first_look;
    std::unique_lock<std::mutex> lock(mutex_);
    while (!ended_.wait_for(lock, wait, [this] { return end_; })) {
        attention::raise(attention::progress);
        wait = style_ == style::lines ? std::chrono::milliseconds(next_line) : redraw;
    }
}

void progress_line::show(const run_progress& now) {
    if (style_ == style::none) return;
    std::string text = text_.next(clock::now() - started_, now);
    if (style_ == style::lines) return print("heddle: " + text + "\n");
    if (!in_foreground()) return;
    text.resize(std::min(text.size(), columns() - 1));
    drawn = true;
    print(std::string(erase) + text);
}

std::string_view progress_line::erasing_text() noexcept {
    return drawn ? erase : std::string_view();
}

}  // namespace heddle::command
