// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/load_strings.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/regx/automaton.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct regx_options : pocket_options {
    std::string patterns;
    std::uint32_t section = 2048;

    void declare(parameter_list& p) {
        p.add("patterns", patterns,
              "File of regular expressions, one on each line; empty: those that the workload has");
        p.add("section", section, range(1, 1 << 28), "string",
              "Strings of a launch; one launch follows the other");
        pocket_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;
constexpr std::uint32_t nowhere = 0xffffffff;

/// Protocols and names that an intrusion detection looks for, and words over the first letters.
const std::vector<std::string>& own_patterns() {
    static const std::vector<std::string> patterns{
        "GET /[a-z]+/(passwd|index)\\.html",
        "(USER|PASS) (root|admin|guest)",
        "[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+",
        "cd /etc/[a-z]*",
        "<[a-z]+@[a-z]+\\.mil>",
        "220 .*ready",
        "\\x?\x90\x90+",
        "ab[cd]*e",
        "(ace|bdf)+[gh]",
        "hh*a.c",
        "[ab][ab][ab][ab][ab]",
    };
    return patterns;
}

/// For each string, the number of bytes at which a match starts, and the first of them.
struct matches {
    words counts, firsts;
};

matches match_serially(const inputs::string_list& strings, const choice_automaton& choices) {
    matches result{words(strings.size()), words(strings.size(), nowhere)};
    for (std::uint32_t i = 0; i < strings.size(); ++i) {
        const std::uint8_t* const text = strings.bytes.data() + strings.offsets[i];
        for (std::uint32_t at = strings.length(i); at-- > 0;) {
            if (!choices.matches_at(text + at, strings.length(i) - at)) continue;
            ++result.counts[i];
            result.firsts[i] = at;
        }
    }
    return result;
}

matches match_on_device(device& gpu, const inputs::string_list& strings, const automaton& machine,
                        const regx_options& options, const run_context& context) {
    const device_buffer<std::uint32_t> offsets(gpu, strings.offsets, "offsets");
    device_buffer<std::uint8_t> bytes(gpu, strings.bytes.size() + 1, "bytes");  // one if all empty
    bytes.write(strings.bytes);
    const device_buffer<std::uint32_t> transitions(gpu, machine.transitions(), "transitions");
    const device_buffer<std::uint32_t> counts(gpu, strings.size(), "counts");
    const device_buffer<std::uint32_t> firsts(gpu, words(strings.size(), nowhere), "firsts");
    for (std::uint32_t section = 0; section < strings.size(); section += options.section) {
        const std::uint32_t count = std::min(options.section, strings.size() - section);
        launch(gpu, context.entry("regx_match"), options.grid_of_parents(count), section, count,
               offsets.get(), bytes.get(), transitions.get(), machine.accepting(), counts.get(),
               firsts.get(), options.limits());
    }
    return {counts.read(), firsts.read()};
}

std::vector<std::string> patterns_of(const regx_options& options) {
    if (options.patterns.empty()) return own_patterns();
    const auto lines = inputs::load_strings("lines:file=" + options.patterns);
    std::vector<std::string> patterns;
    for (std::uint32_t i = 0; i < lines.size(); ++i) patterns.push_back(lines.text(i));
    return patterns;
}

void run(device& gpu, const regx_options& options, const run_context& context,
         workload_report& report) {
    const auto strings = inputs::load_strings(context.input, context.seed);
    const choice_automaton choices(patterns_of(options));
    const automaton machine(choices);
    const matches found = match_on_device(gpu, strings, machine, options, context);
    const matches expected = match_serially(strings, choices);
    report.compare("matches", found.counts, expected.counts);
    report.compare("first matches", found.firsts, expected.firsts);
    report.declare_deterministic("matches", found.counts);
    report.declare_deterministic("first matches", found.firsts);
    std::uint64_t all = 0;
    for (const std::uint32_t count : expected.counts) all += count;
    report.add_row("strings", std::uint64_t{strings.size()});
    report.add_row("bytes", std::uint64_t{strings.bytes.size()});
    report.add_row("states", std::uint64_t{machine.accepting()} + 1);
    report.add_row("matches", all);
}

}  // namespace

workload regx() {
    return with_modes(make_workload<regx_options>(
        "regx", "Regular expressions: an automaton runs from each byte of a string",
        "packets:count=128,longest=400", run));
}

}  // namespace heddle::workloads
