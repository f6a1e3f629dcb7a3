// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/monitor.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "models/base/bits.h"

namespace heddle::command::gdb {
namespace {

using typed_words = std::vector<std::string>;

std::string show_cycle(const typed_words&, const monitored& of) {
    return fmt::format("{}\n", of.machine.cycle());
}

std::string show_statistics(const typed_words& asked, const monitored& of) {
    const std::string pattern = asked.size() > 1 ? asked[1] : "gpu.*";
    const std::string found = of.machine.statistics(pattern);
    return found.empty() ? fmt::format("no statistic has a name like '{}'\n", pattern) : found;
}

std::string show_waits(const typed_words&, const monitored& of) {
    constexpr std::size_t most_warps = 64;
    std::string text = of.machine.waits();
    if (!text.empty()) return text;
    std::size_t left = most_warps;
    for (const std::uint64_t id : of.threads.ids()) {
        const named_thread one = of.threads.named(id);
        if (one.thread->number != id) continue;  // a lane
        if (left-- == 0) return text + "...\n";
        text += fmt::format("{} {} at {}\n", one.thread->name(), one.thread->warp.doing(),
                            of.machine.place(one.thread->pc()));
    }
    return text;
}

/// Where each lane of the warp is.
std::string show_where(const typed_words&, const monitored& of) {
    if (of.chosen.thread == nullptr) return "no warp is resident\n";
    const auto stack = of.chosen.thread->warp.stack();
    std::string text = of.chosen.thread->name() + ": " + of.chosen.thread->warp.doing() + "\n";
    isa::lane_mask shown = 0;
    for (auto e = stack.rbegin(); e != stack.rend(); ++e) {
        const isa::lane_mask lanes = e->lanes & ~shown;
        shown |= lanes;
        if (lanes == 0) continue;
        text += fmt::format("  lanes {:#x} {} at {}\n", lanes,
                            e == stack.rbegin() ? "run" : "wait for the others",
                            of.machine.place(e->next_pc));
    }
    return text;
}

std::string choose_lanes(const typed_words& asked, const monitored& of) {
    thread_table::scope scope;
    const std::string what = asked.size() > 1 ? asked[1] : "";
    if (what == "warp" && of.chosen.thread != nullptr) {
        scope.warp = of.chosen.thread->number;
    } else if (what == "block" && of.chosen.thread != nullptr) {
        const simt::block_identity& block = of.chosen.thread->warp.block();
        scope.of_block = true;
        scope.block = linear_block(block);
        scope.grid = block.gridid;
    } else if (what != "off") {
        return "monitor lanes: legal: warp, block (of the present thread), off\n";
    }
    of.threads.show_lanes(scope);
    return what == "off" ? "a thread is a warp\n"
                         : fmt::format("the lanes of this {} are threads, too\n", what);
}

struct monitor_row {
    const char* name;
    const char* does;
    std::string (*run)(const typed_words&, const monitored&);
};

constexpr monitor_row monitor_rows[] = {
    {"cycle", "the core cycle; of the functional simulator: warp instructions so far", show_cycle},
    {"lanes", "warp | block | off: show lanes of the present warp or block as threads",
     choose_lanes},
    {"stats", "[GLOB]: statistics so far; gpu.* if not given", show_statistics},
    {"waits", "who waits for what", show_waits},
    {"where", "where the lanes of the present warp are", show_where},
};

}  // namespace

std::string monitor_command(const std::string& text, const monitored& of) {
    std::istringstream stream(text);
    typed_words asked;
    for (std::string word; stream >> word;) asked.push_back(word);
    for (const monitor_row& one : monitor_rows) {
        if (!asked.empty() && asked[0] == one.name) return one.run(asked, of);
    }
    std::string help = asked.empty() || asked[0] == "help"
                           ? std::string()
                           : fmt::format("there is no 'monitor {}'\n", asked[0]);
    for (const monitor_row& one : monitor_rows)
        help += fmt::format("monitor {:6} {}\n", one.name, one.does);
    return help;
}

}  // namespace heddle::command::gdb
