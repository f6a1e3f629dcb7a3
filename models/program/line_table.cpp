// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/line_table.h"

#include <algorithm>
#include <map>

#include "models/program/address_map.h"
#include "models/program/debug_file.h"

namespace heddle::program {

namespace {
constexpr std::uint32_t no_file = 0xffffffffu;
}

line_table line_table::read(const elf_file& file) {
    line_table table;
    std::map<std::string, std::uint32_t> known;
    const debug_file debug(file);
    debug.for_each_unit([&](Dwarf_Die& unit) {
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
        for (std::size_t i = 0; i < count; ++i) {
            Dwarf_Line* line = dwarf_onesrcline(lines, i);
            Dwarf_Addr address = 0;
            int number = 0;
            bool end = false;
            if (line == nullptr || dwarf_lineaddr(line, &address) != 0 ||
                dwarf_lineno(line, &number) != 0 || dwarf_lineendsequence(line, &end) != 0) {
                continue;
            }
            // Sections that the linker dropped keep their lines at address 0.
            if (address > 0xffffffffu || !code_window.contains(static_cast<std::uint32_t>(address)))
                continue;
            const char* source = dwarf_linesrc(line, nullptr, nullptr);
            std::uint32_t index = no_file;
            if (!end && source != nullptr) {
                const auto next = static_cast<std::uint32_t>(table.files_.size());
                const auto [entry, added] = known.try_emplace(source, next);
                if (added) table.files_.emplace_back(source);
                index = entry->second;
            }
            table.rows_.push_back({static_cast<std::uint32_t>(address), index,
                                   number < 0 ? 0u : static_cast<unsigned>(number)});
        }
    });
    // At one pc the end of a sequence goes before the start of the next; of several rows of one
    // sequence the last counts (DWARF 5, 6.2.5). Line 0 says "no line": it hides nothing.
    auto& rows = table.rows_;
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [](const row& r) { return r.file != no_file && r.line == 0; }),
               rows.end());
    std::stable_sort(rows.begin(), rows.end(), [](const row& a, const row& b) {
        if (a.pc != b.pc) return a.pc < b.pc;
        return a.file == no_file && b.file != no_file;
    });
    return table;
}

std::pair<std::string, unsigned> line_table::find(std::uint32_t pc) const {
    const auto next =
        std::upper_bound(rows_.begin(), rows_.end(), pc,
                         [](std::uint32_t value, const row& r) { return value < r.pc; });
    if (next == rows_.begin()) return {};
    const row& found = *std::prev(next);
    if (found.file == no_file) return {};
    return {files_[found.file], found.line};
}

}  // namespace heddle::program
