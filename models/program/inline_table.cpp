// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/inline_table.h"

#include <dwarf.h>

#include <map>

#include "models/program/address_map.h"
#include "models/program/debug_file.h"

namespace heddle::program {

namespace {
/// Nesting of scopes that is believed; damaged debug information may nest for ever.
constexpr unsigned maximum_depth = 256;
}  // namespace

class inline_table::reader {
public:
    explicit reader(inline_table& table) : table_(table) {}

    void read(Dwarf_Die& unit) {
        files_ = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrcfiles(&unit, &files_, &count) == 0) visit(unit, 0);
    }

private:
    /// Depth first, so that callers come before what they inline.
    void visit(Dwarf_Die& parent, unsigned depth) {
        Dwarf_Die child;
        if (depth == maximum_depth || dwarf_child(&parent, &child) != 0) return;
        do {
            if (dwarf_tag(&child) == DW_TAG_inlined_subroutine) add(child);
            visit(child, depth + 1);
        } while (dwarf_siblingof(&child, &child) == 0);
    }

    void add(Dwarf_Die& call) {
        Dwarf_Attribute attribute;
        Dwarf_Word file = 0, line = 0;
        if (dwarf_formudata(dwarf_attr(&call, DW_AT_call_file, &attribute), &file) != 0 ||
            dwarf_formudata(dwarf_attr(&call, DW_AT_call_line, &attribute), &line) != 0) {
            return;
        }
        const char* const name = dwarf_filesrc(files_, file, nullptr, nullptr);
        if (name == nullptr || line == 0 || line > 0xffffffffu) return;
        const auto next = static_cast<std::uint32_t>(table_.files_.size());
        const auto [entry, added] = known_.try_emplace(name, next);
        if (added) table_.files_.emplace_back(name);
        Dwarf_Addr base = 0, low = 0, high = 0;
        for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&call, at, &base, &low, &high)) > 0;) {
            // Sections that the linker dropped keep their ranges at address 0.
            if (low >= high || high > 0xffffffffu ||
                !code_window.contains(static_cast<std::uint32_t>(low))) {
                continue;
            }
            table_.calls_.push_back({static_cast<std::uint32_t>(low),
                                     static_cast<std::uint32_t>(high), entry->second,
                                     static_cast<unsigned>(line)});
        }
    }

    inline_table& table_;
    Dwarf_Files* files_ = nullptr;
    std::map<std::string, std::uint32_t> known_;
};

inline_table inline_table::read(const elf_file& file) {
    inline_table table;
    reader units(table);
    const debug_file debug(file);
    debug.for_each_unit([&](Dwarf_Die& unit) { units.read(unit); });
    return table;
}

std::vector<source_line> inline_table::calls(std::uint32_t pc) const {
    std::vector<source_line> found;
    for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
        if (pc >= call->low && pc < call->high) found.push_back({files_[call->file], call->line});
    }
    return found;
}

}  // namespace heddle::program
