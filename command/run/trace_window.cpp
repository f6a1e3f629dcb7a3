// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/trace_window.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "models/base/error.h"

namespace heddle::command {
namespace {

/// 10^12 cycles take a run of years.
constexpr std::uint64_t largest_cycle = 1'000'000'000'000;

std::optional<std::uint64_t> cycle(std::string_view digits) {
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || stop != end || value > largest_cycle) return std::nullopt;
    return value;
}

}  // namespace

time_window parse_trace_cycles(const std::string& text, const frequency& core) {
    time_window window;
    if (text.empty()) return window;
    const auto fail = [&](const std::string& problem) {
        throw configuration_error(fmt::format(
            "--trace-cycles {}: {}; legal: FROM:TO in core cycles, as 1000:2000, 1000: or :2000",
            text, problem));
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) fail("there is no ':'");
    const std::string_view first = std::string_view(text).substr(0, colon);
    const std::string_view last = std::string_view(text).substr(colon + 1);
    const std::optional<std::uint64_t> from = first.empty() ? 0 : cycle(first);
    if (!from) fail(fmt::format("'{}' is not a number of cycles up to 10^12", first));
    window.from = core.edge_time(*from);
    if (last.empty()) return window;
    const std::optional<std::uint64_t> to = cycle(last);
    if (!to) fail(fmt::format("'{}' is not a number of cycles up to 10^12", last));
    if (*to < *from) fail("it ends before it begins");
    window.to = core.edge_time(*to + 1) - 1;
    return window;
}

}  // namespace heddle::command
