// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/lines/lines_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command/run/lines/cost_rows.h"
#include "hw/smx/smx_statistics.h"

namespace heddle::command {
namespace {

constexpr statistic_declaration what_it_is[] = {
    {"file", "",
     "Source file; <entry>: code before a kernel, which loads its arguments; empty if unknown"},
    {"line", "", "Line of the source file; empty if unknown"},
    {"function", "", "Kernel or function that the instruction lies in"},
    {"pc", "byte", "Address of the instruction; empty in the row of what belongs to none"},
    {"instruction", "", "Assembler text"},
    {"source", "", "Text of the line; empty if the source file can't be read"},
};
constexpr statistic_declaration what_it_did[] = {
    {"warp_instructions", "instruction", "Times that a warp issued it"},
    {"thread_instructions", "instruction", "Threads that executed it"},
    {"divergent_branches", "instruction", "Times that its threads went different ways"},
    {"memory_instructions", "instruction", "Times that a warp issued it to the load-store unit"},
    {"accesses", "access",
     "Accesses that it took: to lines, to words of constants, to shared memory"},
    {"bank_conflict_cycles", "cycle",
     "Cycles that its accesses kept shared memory beyond the first"},
    {"waited_for", "cycle",
     "Cycles x schedulers in which another instruction waited for its result"},
    {"lost", "cycle", "Cycles x schedulers without issue: the sum of all causes"},
};

using cells = std::vector<nlohmann::ordered_json>;

void add_costs(cells& row, const instruction_cost& cost) {
    for (const std::uint64_t value :
         {cost.issues, cost.lanes, cost.diverged, cost.memory_issues, cost.accesses, cost.conflicts,
          cost.waited_for, cost.lost()}) {
        row.emplace_back(value);
    }
    for (const std::uint64_t value : cost.slots) row.emplace_back(value);
}

cells cells_of(const cost_row& one) {
    const auto known = [](const std::string& text) {
        return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
    };
    cells row{known(one.file),
              one.line == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(one.line),
              known(one.function),
              one.pc,
              known(one.instruction),
              known(one.source)};
    add_costs(row, one.cost);
    return row;
}

std::vector<cells> rows_of(const code_costs& costs) {
    std::vector<cells> rows;
    for (const cost_row& one : rows_by_instruction(costs)) rows.push_back(cells_of(one));
    cells elsewhere(std::size(what_it_is));
    add_costs(elsewhere, costs.elsewhere);
    rows.push_back(std::move(elsewhere));
    return rows;
}

std::string json_of(const std::vector<cells>& rows) {
    auto columns = nlohmann::ordered_json::array();
    for (const statistic_declaration& c : line_columns()) {
        columns.push_back({{"name", c.name}, {"unit", c.unit}, {"description", c.description}});
    }
    std::string text = "{\n\"columns\": " + columns.dump(1) + ",\n\"rows\": [";
    // A source file may have any bytes.
    constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
    const char* before = "\n";
    for (const cells& row : rows) {
        text += before + nlohmann::ordered_json(row).dump(-1, ' ', false, replace);
        before = ",\n";
    }
    return text + "\n]}\n";
}

std::string csv_of(const std::vector<cells>& rows) {
    std::string text;
    for (const statistic_declaration& c : line_columns()) text += std::string(c.name) + ',';
    text.back() = '\n';
    for (const cells& row : rows) {
        for (const nlohmann::ordered_json& cell : row) {
            if (cell.is_string()) {
                text += csv_field(cell.get<std::string>());
            } else if (!cell.is_null()) {
                text += cell.dump();
            }
            text += ',';
        }
        text.back() = '\n';
    }
    return text;
}

}  // namespace

std::vector<statistic_declaration> line_columns() {
    std::vector<statistic_declaration> all;
    all.insert(all.end(), std::begin(what_it_is), std::end(what_it_is));
    all.insert(all.end(), std::begin(what_it_did), std::end(what_it_did));
    all.insert(all.end(), std::begin(scheduler_statistics), std::end(scheduler_statistics));
    return all;
}

void write_lines(output_file& file, const code_costs& costs) {
    const std::vector<cells> rows = rows_of(costs);
    const std::string ending = file.destination().extension().string();
    file.stream() << (ending == ".json" ? json_of(rows) : csv_of(rows));
    file.commit();
}

}  // namespace heddle::command
