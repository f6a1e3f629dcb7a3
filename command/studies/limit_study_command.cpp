// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/studies/limit_study_command.h"

#include <fmt/format.h>

#include <array>

#include "command/listing.h"
#include "models/analytic/limit_study.h"
#include "models/base/error.h"
#include "models/inputs/text_source.h"

namespace heddle::command {
namespace {

analytic::thread_traces read_traces(const std::string& file) {
    analytic::thread_traces traces;
    std::string text;
    std::array<char, 1 << 16> piece;
    try {
        inputs::text_source source(file);
        while (const std::size_t size = source.read(piece.data(), piece.size())) {
            text.append(piece.data(), size);
            std::size_t begin = 0;
            for (std::size_t end = 0; (end = text.find('\n', begin)) != text.npos;) {
                traces.add(std::string_view(text).substr(begin, end - begin));
                begin = end + 1;
            }
            text.erase(0, begin);
        }
    } catch (const inputs::source_error& error) {
        throw configuration_error(file + ": " + error.what());
    }
    traces.add(text);
    traces.find_blocks();
    return traces;
}

}  // namespace

std::string limit_study(const std::string& file, bool as_json) {
    const analytic::limit_study study = analytic::study_reconvergence(read_traces(file));
    if (study.warps == 0) throw configuration_error(file + ": no instruction was executed");
    listing table{{"threads meet again", "warp instructions", "lanes busy", "speed"}};
    const auto add = [&](const char* name, std::uint64_t issued) {
        const auto issues = static_cast<double>(issued);
        table.rows.push_back(
            {name, std::to_string(issued),
             fmt::format("{:.1f} %", 100 * static_cast<double>(study.thread_instructions) /
                                         (issues * analytic::study_warp_size)),
             fmt::format("{:.3f}", static_cast<double>(study.post_dominator) / issues)});
    };
    add("never (NREC)", study.no_reconvergence);
    add("at post-dominators (PDOM)", study.post_dominator);
    add("at the best places (ORACLE)", study.oracle);
    if (as_json) return table.show(true);
    return fmt::format("{} warps of {} threads, {} thread instructions\n\n", study.warps,
                       analytic::study_warp_size, study.thread_instructions) +
           table.text();
}

}  // namespace heddle::command
