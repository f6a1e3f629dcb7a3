// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/lines/cost_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "models/isa/instruction.h"

namespace heddle::command {
namespace {

/// Lines of source files, each of which is read once.
class source_texts {
public:
    /// Without the blanks around it; empty if there is no such line, or the file can't be read.
    const std::string& of(const std::string& file, unsigned line) {
        static const std::string none;
        const auto [entry, added] = files_.try_emplace(file);
        if (added) entry->second = read(file);
        return line == 0 || line > entry->second.size() ? none : entry->second[line - 1];
    }

private:
    static std::vector<std::string> read(const std::string& file) {
        std::vector<std::string> lines;
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            constexpr const char* blanks = " \t\r";
            const std::size_t first = line.find_first_not_of(blanks);
            const std::size_t last = line.find_last_not_of(blanks);
            lines.push_back(first == std::string::npos ? std::string()
                                                       : line.substr(first, last - first + 1));
        }
        return lines;
    }

    std::map<std::string, std::vector<std::string>> files_;
};

bool is_library(const std::string& file) {
    return file.find("/include/heddle/") != std::string::npos;
}

/// The line that the user wrote: out of the inlined functions of Heddle's headers.
program::source_line line_of(const program::source_location& where) {
    // compile() gives the entries to the compiler on its standard input.
    if (std::filesystem::path(where.file).filename() == "<stdin>") {
        return {cost_row::entry_file, 0};
    }
    if (!is_library(where.file)) return {where.file, where.line};
    for (const program::source_line& call : where.inlined_at) {
        if (!is_library(call.file)) return call;
    }
    return {where.file, where.line};
}

void sort_by_loss(std::vector<cost_row>& rows) {
    std::sort(rows.begin(), rows.end(), [](const cost_row& a, const cost_row& b) {
        return std::make_tuple(b.cost.lost(), b.cost.issues, a.pc) <
               std::make_tuple(a.cost.lost(), a.cost.issues, b.pc);
    });
}

}  // namespace

std::string cost_row::place() const {
    if (file == entry_file) return "entry of " + function;
    if (line == 0) return fmt::format("{:#010x} in {}", pc, function);
    return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

std::vector<cost_row> rows_by_instruction(const code_costs& costs) {
    std::vector<cost_row> rows;
    source_texts sources;
    for (const program_costs& of : costs.programs) {
        const program::kernel_code& code = of.image.code();
        for (std::size_t at = 0; at < of.instructions.size(); ++at) {
            if (of.instructions[at].empty()) continue;
            cost_row& row = rows.emplace_back();
            row.pc = code.base + static_cast<std::uint32_t>(4 * at);
            const program::source_location where = of.image.locate(row.pc);
            const program::source_line line = line_of(where);
            row.file = line.file;
            row.line = line.line;
            row.function = where.function;
            row.instruction = isa::disassemble(code.instructions[at], row.pc);
            row.source = sources.of(row.file, row.line);
            row.cost = of.instructions[at];
        }
    }
    sort_by_loss(rows);
    return rows;
}

std::vector<cost_row> rows_by_line(const std::vector<cost_row>& instructions) {
    using key = std::tuple<std::string, unsigned, std::string, std::uint32_t>;
    std::map<key, cost_row> lines;
    for (const cost_row& one : instructions) {
        const std::uint32_t pc = one.file.empty() ? one.pc : 0;
        const std::string function = one.line == 0 ? one.function : std::string();
        const auto [entry, added] = lines.try_emplace({one.file, one.line, function, pc}, one);
        cost_row& line = entry->second;
        if (!added) {
            line.pc = std::min(line.pc, one.pc);
            line.cost.add(one.cost);
        }
        if (!line.file.empty()) line.instruction.clear();
    }
    std::vector<cost_row> rows;
    for (auto& [key, line] : lines) rows.push_back(std::move(line));
    sort_by_loss(rows);
    return rows;
}

}  // namespace heddle::command
