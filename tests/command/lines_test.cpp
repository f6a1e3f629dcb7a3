// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include "command/run/lines/cost_rows.h"
#include "command/run/lines/lines_file.h"
#include "command/run/lines/lines_table.h"
#include "tests/base/temporary_directory.h"

namespace heddle::command {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

instruction_cost cost_of(std::uint64_t issued, std::uint64_t memory, std::uint64_t barrier = 0) {
    instruction_cost cost;
    cost.issues = issued;
    cost.lanes = 32 * issued;
    cost.slots[static_cast<std::size_t>(cycle_cause::issued)] = issued;
    cost.slots[static_cast<std::size_t>(cycle_cause::memory)] = memory;
    cost.slots[static_cast<std::size_t>(cycle_cause::barrier)] = barrier;
    return cost;
}

cost_row row_of(const std::string& file, unsigned line, std::uint32_t pc,
                const instruction_cost& cost) {
    cost_row row;
    row.file = file;
    row.line = line;
    row.pc = pc;
    row.function = "kernel";
    row.instruction = "lw a0, 0(a0)";
    row.cost = cost;
    return row;
}

TEST(code_lines, lost_cycles_are_those_without_issue) {
    EXPECT_EQ(cost_of(7, 5, 3).lost(), 8U);
    EXPECT_TRUE(instruction_cost().empty());
    EXPECT_FALSE(cost_of(1, 0).empty());
    EXPECT_FALSE(cost_of(0, 1).empty());
}

TEST(code_lines, instructions_of_a_line_are_one_row_and_the_largest_loss_comes_first) {
    const std::vector<cost_row> rows = rows_by_line(
        {row_of("/a/k.cpp", 3, 8, cost_of(2, 50)), row_of("/a/k.cpp", 4, 16, cost_of(1, 60)),
         row_of("/a/k.cpp", 3, 4, cost_of(3, 20)), row_of("/b/k.cpp", 3, 20, cost_of(4, 1))});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].place(), "k.cpp:3");
    EXPECT_EQ(rows[0].cost.lost(), 70U);
    EXPECT_EQ(rows[0].cost.issues, 5U);
    EXPECT_EQ(rows[0].pc, 4U);
    EXPECT_EQ(rows[1].place(), "k.cpp:4");
    EXPECT_EQ(rows[2].file, "/b/k.cpp");
}

TEST(code_lines, without_a_line_each_pc_is_a_row_and_an_entry_is_one) {
    const std::string entry = cost_row::entry_file;
    const std::vector<cost_row> rows = rows_by_line(
        {row_of("", 0, 0x10004, cost_of(1, 9)), row_of("", 0, 0x10008, cost_of(1, 8)),
         row_of(entry, 0, 0x10010, cost_of(1, 3)), row_of(entry, 0, 0x10014, cost_of(1, 4))});
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].place(), "0x00010004 in kernel");
    EXPECT_EQ(rows[1].place(), "0x00010008 in kernel");
    EXPECT_EQ(rows[2].place(), "entry of kernel");
    EXPECT_EQ(rows[2].cost.lost(), 7U);
}

TEST(code_lines, of_a_run_without_blocks_are_empty) {
    code_costs costs;
    costs.elsewhere.slots[static_cast<std::size_t>(cycle_cause::no_warp)] = 12;
    EXPECT_TRUE(rows_by_instruction(costs).empty());
    const std::string text = lines_table(costs);
    EXPECT_THAT(text, ContainsRegex("\\(no_warp\\) +12 +100\\.0 +0 +no_warp 100\\.0 %"));
    EXPECT_THAT(text, ContainsRegex("all +12 +100\\.0"));
}

TEST(code_lines, columns_have_a_name_each) {
    std::vector<std::string> names;
    for (const statistic_declaration& column : line_columns()) {
        EXPECT_STRNE(column.description, "");
        names.emplace_back(column.name);
    }
    const std::size_t count = names.size();
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    EXPECT_EQ(names.size(), count);
    EXPECT_THAT(names, testing::Contains("issue_slots.memory"));
}

TEST(code_lines, file_has_a_cell_for_each_column) {
    const temporary_directory folder;
    for (const char* name : {"l.csv", "l.json"}) {
        output_file file(folder / name);
        write_lines(file, {});
        const std::string text = contents_of(folder / name);
        const std::string last =
            text.substr(text.rfind(std::string(name) == "l.csv" ? ",," : "[null"));
        EXPECT_THAT(text, HasSubstr("waited_for"));
        EXPECT_NE(last, "");
    }
    const std::string csv = contents_of(folder / "l.csv");
    const std::size_t end = csv.find('\n');
    EXPECT_EQ(std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(end), ','),
              std::count(csv.begin() + static_cast<std::ptrdiff_t>(end), csv.end(), ','));
}

}  // namespace
}  // namespace heddle::command
