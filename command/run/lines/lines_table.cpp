// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/lines/lines_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "command/run/lines/cost_rows.h"
#include "models/base/text_table.h"

namespace heddle::command {
namespace {

constexpr auto right = text_table::align::right;
constexpr std::size_t most_rows = 20;
constexpr std::size_t longest_text = 60;

std::uint64_t slots_of(const instruction_cost& cost) {
    return std::accumulate(cost.slots.begin(), cost.slots.end(), std::uint64_t{0});
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    return fmt::format("{:.1f}", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string ratio(std::uint64_t part, std::uint64_t whole, int decimals) {
    if (whole == 0) return "-";
    return fmt::format("{:.{}f}", static_cast<double>(part) / static_cast<double>(whole), decimals);
}

/// The two causes that lost most: "memory 80 %, dependency 15 %".
std::string causes(const instruction_cost& cost) {
    std::array<std::size_t, cycle_cause_count - 1> order;
    std::iota(order.begin(), order.end(), std::size_t{1});  // all but issued
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cost.slots[a] > cost.slots[b]; });
    std::string text;
    for (const std::size_t cause : {order[0], order[1]}) {
        if (cost.slots[cause] == 0) break;
        text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", cycle_cause_names[cause],
                            percent(cost.slots[cause], cost.lost()));
    }
    return text;
}

std::string in_width(const std::string& text) {
    return text.size() <= longest_text ? text : text.substr(0, longest_text - 3) + "...";
}

class table {
public:
    table(const char* first, std::uint64_t all)
        : all_(all),
          text_({{first, {}},
                 {"cycles lost", right},
                 {"%", right},
                 {"issued", right},
                 {"because of", {}},
                 {"waited for", right},
                 {"instructions", right},
                 {"lanes", right},
                 {"diverged %", right},
                 {"accesses", right},
                 {"conflicts", right},
                 {"", {}}}) {}

    void add(const std::string& name, const instruction_cost& cost, const std::string& text) {
        const auto count = [](std::uint64_t value) { return std::to_string(value); };
        text_.add_row({name, count(cost.lost()), percent(cost.lost(), all_), count(cost.slots[0]),
                       causes(cost), count(cost.waited_for), count(cost.issues),
                       ratio(cost.lanes, cost.issues, 1),
                       cost.diverged == 0 ? "" : percent(cost.diverged, cost.issues),
                       cost.memory_issues == 0 ? "" : ratio(cost.accesses, cost.memory_issues, 1),
                       cost.conflicts == 0 ? "" : count(cost.conflicts), in_width(text)});
    }
    /// What does not belong to any instruction, by its cause.
    void add_elsewhere(const instruction_cost& cost) {
        for (std::size_t cause = 0; cause < cost.slots.size(); ++cause) {
            if (cost.slots[cause] == 0) continue;
            instruction_cost one;
            one.slots[cause] = cost.slots[cause];
            add(std::string("(") + cycle_cause_names[cause] + ")", one, "");
        }
    }
    [[nodiscard]] std::string str() const { return text_.str(); }

private:
    std::uint64_t all_;
    text_table text_;
};

std::string table_of(const char* first, const std::vector<cost_row>& rows,
                     const instruction_cost& elsewhere, const char* kind, bool by_pc) {
    instruction_cost all = elsewhere;
    for (const cost_row& row : rows) all.add(row.cost);
    table text(first, slots_of(all));
    instruction_cost rest;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const cost_row& row = rows[at];
        if (at >= most_rows) {
            rest.add(row.cost);
        } else if (by_pc) {
            text.add(fmt::format("{:#010x}", row.pc), row.cost,
                     row.instruction + (row.file.empty() ? "" : "  " + row.place()));
        } else {
            text.add(row.place(), row.cost, row.file.empty() ? row.instruction : row.source);
        }
    }
    if (rows.size() > most_rows) {
        text.add(fmt::format("({} other {})", rows.size() - most_rows, kind), rest, "");
    }
    text.add_elsewhere(elsewhere);
    text.add("all", all, "");
    return text.str();
}

/// Says so if no instruction has a line.
std::string note(const code_costs& costs, const std::vector<cost_row>& instructions) {
    const bool known = std::any_of(instructions.begin(), instructions.end(),
                                   [](const cost_row& each) { return each.line != 0; });
    if (known || instructions.empty()) return {};
    return fmt::format("{} has no line numbers (compiled without -g): PCs instead of lines\n",
                       costs.programs.front().image.name());
}

}  // namespace

std::string lines_table(const code_costs& costs) {
    const std::vector<cost_row> instructions = rows_by_instruction(costs);
    return note(costs, instructions) +
           table_of("line", rows_by_line(instructions), costs.elsewhere, "lines", false);
}

std::string pcs_table(const code_costs& costs) {
    return table_of("PC", rows_by_instruction(costs), costs.elsewhere, "instructions", true);
}

}  // namespace heddle::command
