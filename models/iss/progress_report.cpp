// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/progress_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/device/kernel_fault.h"
#include "models/iss/lanes.h"
#include "models/simt/fault_text.h"

namespace heddle::iss {
namespace {

constexpr std::size_t most_lines = 8;

template <unsigned Lanes>
std::string describe(const program::image& image, const block<Lanes>& b, const warp<Lanes>& w) {
    const std::string who =
        fmt::format("kernel '{}', block {}, warp {}: ", b.of->launch.kernel->name,
                    to_text(b.identity.index), w.index);
    const auto& top = w.stack.top();
    if (w.state == warp_state::at_barrier) {
        return who +
               fmt::format("waits at the barrier before {}", simt::place_text(image, top.next_pc));
    }
    const auto& entries = w.stack.entries();
    const lane_mask waiting = w.live & ~top.lanes;
    if (waiting == 0) {
        return who + fmt::format("{} lanes run at {}", count_lanes(top.lanes),
                                 simt::place_text(image, top.next_pc));
    }
    // The lanes that wait are first found, from the top, in the entry that will take them on.
    const auto holder = std::find_if(entries.rbegin(), entries.rend(), [&](const auto& entry) {
        return (entry.lanes & waiting) != 0;
    });
    return who +
           fmt::format("SIMT deadlock? lanes 0x{:x} spin at {}; lanes 0x{:x} wait for them at {}",
                       top.lanes, simt::place_text(image, top.next_pc), waiting,
                       simt::place_text(image, holder->next_pc));
}

}  // namespace

template <unsigned Lanes>
std::string progress_report(const program::image& image, const std::vector<block<Lanes>*>& resident,
                            std::uint64_t instructions) {
    std::string text = fmt::format(
        "no progress: for {} warp instructions no store or atomic has changed a value, and no "
        "block has started, ended or passed a barrier (iss.watchdog)",
        instructions);
    std::size_t lines = 0;
    std::size_t left_out = 0;
    for (const block<Lanes>* b : resident) {
        for (const warp<Lanes>* w : b->warps) {
            if (w->state == warp_state::done) continue;
            if (lines == most_lines) {
                ++left_out;
                continue;
            }
            ++lines;
            text += "\n  " + describe(image, *b, *w);
        }
    }
    if (left_out != 0) text += fmt::format("\n  and {} more warps", left_out);
    return text;
}

template std::string progress_report(const program::image&, const std::vector<block<32>*>&,
                                     std::uint64_t);
template std::string progress_report(const program::image&, const std::vector<block<64>*>&,
                                     std::uint64_t);

}  // namespace heddle::iss
