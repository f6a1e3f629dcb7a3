// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels that wait at one line most of all (kernels/planted_kernel.cpp): `--show lines` has that
// line first.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

struct planted_case {
    const char* kernel;
    const char* cause;  ///< the largest one of the line
    const char* configuration = "gk110";
    const char* data = "u32";
    words more = {};

    friend std::ostream& operator<<(std::ostream& out, const planted_case& one) {
        return out << one.kernel << " on " << one.configuration;
    }
};

words run_of(const planted_case& one) {
    words all{"run",      built_program("planted"),
              "--config", one.configuration,
              "--kernel", one.kernel,
              "--grid",   "8",
              "--block",  "128",
              "--arg",    "1"};
    all.insert(all.end() - 2, {"--arg", std::string("data:") + one.data + "[65536]=iota"});
    all.insert(all.end(), one.more.begin(), one.more.end());
    return all;
}

/// Lines of the source that are marked, by number.
std::vector<std::string> planted_source() {
    std::ifstream in(source_path("tests/integration/kernels/planted_kernel.cpp"));
    std::vector<std::string> lines{""};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// The marked line behind the head of a kernel, or in the function before it.
std::string planted_place(const std::string& kernel) {
    const std::vector<std::string> lines = planted_source();
    const std::string head = "__global__ void " + kernel + "(";
    const bool before = kernel == "line_in_function";
    std::size_t last = 0;
    bool inside = false;
    for (std::size_t n = 1; n < lines.size(); ++n) {
        if (lines[n].rfind(head, 0) == 0) {
            if (before) break;
            inside = true;
        }
        if (lines[n].find("// planted") == std::string::npos) continue;
        last = n;
        if (inside) break;
    }
    return "planted_kernel.cpp:" + std::to_string(last);
}

/// The first row of the table.
std::string first_line(const std::string& output) {
    const std::size_t head = output.find("\nline ");
    if (head == std::string::npos) return output;
    const std::size_t rule = output.find('\n', head + 1);
    const std::size_t row = output.find('\n', rule + 1);
    return output.substr(row + 1, output.find('\n', row + 1) - row - 1);
}

class planted : public testing::TestWithParam<planted_case> {};

TEST_P(planted, line_comes_first) {
    words arguments = run_of(GetParam());
    arguments.insert(arguments.end(), {"--show", "lines"});
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    const std::string row = first_line(result.output);
    EXPECT_EQ(row.substr(0, row.find(' ')), planted_place(GetParam().kernel)) << result.output;
    EXPECT_THAT(row, ContainsRegex(std::string(" +[0-9]+ +[0-9.]+ +[0-9]+ +") + GetParam().cause))
        << result.output;
}

const words with_transactions{"--set", "tm.enabled=true"};

INSTANTIATE_TEST_SUITE_P(
    kernels, planted,
    testing::Values(
        planted_case{"uncoalesced_load", "memory"},
        planted_case{"uncoalesced_store", "memory_stall"}, planted_case{"pointer_chase", "memory"},
        planted_case{"column_of_matrix", "memory"}, planted_case{"bank_conflict", "dependency"},
        planted_case{"shared_atomics", "memory_stall"},
        planted_case{"atomics_on_one_word", "memory"}, planted_case{"spilled_array", "memory"},
        planted_case{"constants_of_each_lane", "constants_busy"},
        planted_case{"read_only_loads", "memory"}, planted_case{"long_chain", "dependency"},
        planted_case{"integer_division", "dependency"},
        planted_case{"float_division", "dependency", "gk110", "f32"},
        planted_case{"square_roots", "dependency", "gk110", "f32"},
        planted_case{"special_functions", "dependency", "gk110", "f32"},
        planted_case{"divergent_loop", "dependency"}, planted_case{"barrier_wait", "barrier"},
        planted_case{"fence_wait", "fence"}, planted_case{"flag_wait", "memory"},
        planted_case{"straight_code", "dependency"}, planted_case{"lock_of_all", "memory"},
        planted_case{"launch_wait", "memory"},
        planted_case{"transaction_retries", "memory", "si", "u32", with_transactions},
        planted_case{"line_in_function", "memory"},
        planted_case{"uncoalesced_load", "reservation_fail", "tiny"},
        planted_case{"barrier_wait", "barrier", "gf100"},
        planted_case{"integer_division", "dependency", "gf100"},
        planted_case{"atomics_on_one_word", "memory", "g80"},
        planted_case{"pointer_chase", "memory", "g80", "u32", words{"--set", "smx.formation=dwf"}},
        planted_case{"divergent_loop", "dependency", "g80", "u32",
                     words{"--set", "smx.formation=nrec"}}));

/// Rows of `--lines FILE.json`, each by the names of its columns.
std::vector<json> rows_of(const std::string& file) {
    const json all = json::parse(contents_of(file));
    std::vector<json> rows;
    for (const json& row : all.at("rows")) {
        json one;
        for (std::size_t c = 0; c < row.size(); ++c) {
            one[all.at("columns")[c].at("name").get<std::string>()] = row[c];
        }
        rows.push_back(one);
    }
    return rows;
}

class lines_file : public testing::Test {
protected:
    temporary_directory folder_;
    const planted_case one_{"bank_conflict", "dependency"};
    words run_with(words more) const {
        words all = run_of(one_);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
};

TEST_F(lines_file, in_json_and_csv_sums_to_the_statistics) {
    const std::string lines = folder_ / "lines.json", table = folder_ / "lines.csv";
    const std::string stats = folder_ / "stats.json";
    ASSERT_EQ(heddle_command(run_with({"--lines", lines, "--stats", stats})).code, 0);
    ASSERT_EQ(heddle_command(run_with({"--lines", table})).code, 0);
    const json statistics = json::parse(contents_of(stats)).at("statistics");
    const std::vector<json> rows = rows_of(lines);
    const auto sum = [&](const std::string& column) {
        std::uint64_t all = 0;
        for (const json& row : rows) all += row.at(column).get<std::uint64_t>();
        return all;
    };
    for (const auto& [name, entry] : statistics.items()) {
        if (name.rfind("gpu.issue_slots.", 0) != 0) continue;
        EXPECT_EQ(sum(name.substr(4)), entry.at("value")) << name;
    }
    for (const char* name : {"warp_instructions", "thread_instructions", "divergent_branches",
                             "memory_instructions"}) {
        EXPECT_EQ(sum(name), statistics.at(std::string("gpu.") + name).at("value")) << name;
    }
    EXPECT_TRUE(rows.back().at("pc").is_null());  // what belongs to no instruction
    EXPECT_GT(rows.back().at("issue_slots.no_warp"), 0);
    const std::string csv = contents_of(table);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
              static_cast<std::ptrdiff_t>(rows.size()) + 1);
    EXPECT_THAT(csv, HasSubstr("file,line,function,pc,instruction,source,"));
}

TEST_F(lines_file, has_the_source_beside_each_line) {
    const std::string file = folder_ / "lines.json";
    ASSERT_EQ(heddle_command(run_with({"--lines", file})).code, 0);
    const std::vector<json> rows = rows_of(file);
    EXPECT_THAT(rows.front().at("source").get<std::string>(), HasSubstr("// planted"));
    EXPECT_EQ(rows.front().at("function"), "bank_conflict");
    EXPECT_GT(rows.front().at("waited_for").get<int>() + rows.front().at("lost").get<int>(), 0);
}

TEST_F(lines_file, shows_pcs_with_their_instructions) {
    const command_result result = heddle_command(run_with({"--show", "pcs"}));
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, ContainsRegex("\nPC +cycles lost"));
    EXPECT_THAT(result.output, ContainsRegex("\n0x000[0-9a-f]+ +[0-9]+ .* l[wr]"));
    EXPECT_THAT(result.output, ContainsRegex("\n\\(no_warp\\) "));
}

/// A program of another compiler, without -g.
TEST_F(lines_file, a_program_without_lines_is_shown_by_pc) {
    const std::string program = folder_ / "bare.elf";
    const std::string objcopy = "llvm-objcopy-19 --strip-debug " + built_program("planted") + " " +
                                program + " 2>/dev/null";
    if (std::system(objcopy.c_str()) != 0) GTEST_SKIP() << "there is no llvm-objcopy-19";
    words arguments = run_with({"--show", "lines"});
    arguments[1] = program;
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("bare.elf has no line numbers (compiled without -g)"));
    EXPECT_THAT(first_line(result.output), HasSubstr("in bank_conflict"));
    EXPECT_THAT(result.output, Not(HasSubstr("planted_kernel.cpp")));
}

TEST_F(lines_file, is_not_there_without_time) {
    expect_refused(run_with({"--show", "lines", "--functional"}),
                   "--show is for the timed machine");
    expect_refused(run_with({"--show", "line"}), "did you mean 'lines'");
}

}  // namespace
}  // namespace heddle
