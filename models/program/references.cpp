// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/references.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "models/base/error.h"
#include "models/program/address_map.h"

namespace heddle::program {

namespace {

using part = shared_reference::part;

std::optional<part> shared_part(std::uint32_t type) {
    switch (type) {
        case R_RISCV_HI20:
            return part::high;
        case R_RISCV_LO12_I:
            return part::low_i;
        case R_RISCV_LO12_S:
            return part::low_s;
        case R_RISCV_PCREL_HI20:
            return part::pc_high;
        case R_RISCV_PCREL_LO12_I:
            return part::pc_low_i;
        case R_RISCV_PCREL_LO12_S:
            return part::pc_low_s;
        default:
            return std::nullopt;
    }
}

bool is_pc_low(part what) {
    return what == part::pc_low_i || what == part::pc_low_s;
}

std::string hexadecimal(std::uint32_t value) {
    std::ostringstream out;
    out << "0x" << std::hex << value;
    return out.str();
}

class collector {
public:
    collector(const elf_file& file, const code_text& text,
              const std::vector<function_range>& functions)
        : file_(file), text_(text), functions_(functions) {}

    references collect() {
        find_objects();
        for (const auto& relocation : file_.relocations) visit(relocation);
        for (auto& [function, targets] : out_.tables) {
            std::sort(targets.begin(), targets.end());
            targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        }
        return std::move(out_);
    }

private:
    void find_objects() {
        std::uint32_t section_alignment = 1, end = shared_window.base;
        for (const auto& section : file_.sections) {
            if (!section.allocated() || !shared_window.contains(section.address)) continue;
            section_alignment = std::max(section_alignment, section.alignment);
            end = std::max(end, section.address + section.size);
        }
        for (const auto& symbol : file_.symbols) {
            if (!symbol.defined || !shared_window.contains(symbol.address)) continue;
            if (symbol.type != STT_OBJECT && symbol.type != STT_NOTYPE) continue;
            if (symbol.name.empty() || symbol.name[0] == '$') continue;  // mapping symbols
            const std::uint32_t low_bit = symbol.address & (~symbol.address + 1);
            out_.objects.push_back(
                {symbol.name, symbol.address, symbol.size, std::min(low_bit, section_alignment)});
        }
        auto& objects = out_.objects;
        std::stable_sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) {
            return a.address != b.address ? a.address < b.address : a.size > b.size;
        });
        objects.erase(
            std::unique(objects.begin(), objects.end(),
                        [](const auto& a, const auto& b) { return a.address == b.address; }),
            objects.end());
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const std::uint32_t next = i + 1 < objects.size() ? objects[i + 1].address : end;
            if (objects[i].size == 0) objects[i].size = next - objects[i].address;
        }
    }

    /// The object that an address belongs to: the symbol's own, because an addend may point
    /// outside (an index bias folded in); of a section symbol, the one that contains the sum.
    std::optional<std::size_t> object_of(const elf_symbol& symbol, std::uint32_t target) const {
        const std::uint32_t address = symbol.type == STT_SECTION ? target : symbol.address;
        const auto next = std::upper_bound(
            out_.objects.begin(), out_.objects.end(), address,
            [](std::uint32_t value, const shared_object& o) { return value < o.address; });
        if (next == out_.objects.begin()) return std::nullopt;
        return static_cast<std::size_t>(next - out_.objects.begin()) - 1;
    }

    [[noreturn]] void fail(const std::string& reason) const {
        throw configuration_error(file_.name + ": " + reason);
    }

    void visit(const elf_relocation& relocation) {
        if (relocation.type == R_RISCV_NONE || relocation.type == R_RISCV_RELAX) return;
        const elf_symbol& symbol = file_.symbols[relocation.symbol];
        if (!symbol.defined && !symbol.weak && !symbol.name.empty()) {
            fail("symbol '" + symbol.name + "' is missing: " + hexadecimal(relocation.address) +
                 " needs it, no object defines it");
        }
        const std::uint32_t target = symbol.address + static_cast<std::uint32_t>(relocation.addend);
        if (!file_.sections[relocation.section].executable()) {
            visit_data(relocation, symbol, target);
        } else if (relocation.address % 4 == 0 && relocation.address >= text_.base &&
                   relocation.address < text_.end()) {
            visit_code(relocation, symbol, target);
        }
    }

    void visit_data(const elf_relocation& relocation, const elf_symbol& symbol,
                    std::uint32_t target) {
        if (in_shared(symbol, target)) {
            fail("the address of shared-memory object '" + symbol.name + "' is stored in " +
                 file_.sections[relocation.section].name + " at " +
                 hexadecimal(relocation.address) +
                 ": it differs from kernel to kernel; take it where it is used instead");
        }
        const function_range* function = function_at(functions_, target);
        if (function == nullptr || target % 4 != 0) return;
        // Absolute words are pointers or table entries; label differences (gcc) are table entries.
        if (relocation.type == R_RISCV_32 && target == function->start) {
            out_.functions_in_data.insert(target);
        } else if (relocation.type == R_RISCV_32 || relocation.type == R_RISCV_ADD32) {
            out_.tables[function->start].push_back(target);
        }
    }

    void visit_code(const elf_relocation& relocation, const elf_symbol& symbol,
                    std::uint32_t target) {
        const auto what = shared_part(relocation.type);
        if (what && is_pc_low(*what)) {
            // The symbol is the label of the auipc, which decides the target.
            for (auto* const users : {&out_.constants.constant, &out_.constants.read_only}) {
                if (users->count(symbol.address) != 0) users->insert(relocation.address);
            }
            const auto high = pc_high_.find(symbol.address);
            if (high == pc_high_.end()) return;
            shared_reference reference = high->second;
            reference.pc = relocation.address;
            reference.what = *what;
            out_.shared.push_back(reference);
            return;
        }
        if (in_shared(symbol, target)) {
            visit_shared(relocation, symbol, target, what);
            return;
        }
        if (what) note_constants(relocation, symbol);
        const function_range* function = function_at(functions_, target);
        if (what && function != nullptr && target == function->start) {
            out_.function_addresses.emplace_back(relocation.address, target);
        }
    }

    void visit_shared(const elf_relocation& relocation, const elf_symbol& symbol,
                      std::uint32_t target, std::optional<part> what) {
        const auto object = object_of(symbol, target);
        if (!what || !object) {
            fail("relocation type " + std::to_string(relocation.type) + " at " +
                 hexadecimal(relocation.address) + " of shared-memory object '" + symbol.name +
                 "' can't be rebased; compile with -mcmodel=medlow and without relaxation");
        }
        shared_reference reference;
        reference.pc = relocation.address;
        reference.what = *what;
        reference.object = *object;
        reference.offset = target - out_.objects[*object].address;
        reference.high_pc = relocation.address;
        out_.shared.push_back(reference);
        if (*what == part::pc_high) pc_high_[relocation.address] = reference;
    }

    static bool in_shared(const elf_symbol& symbol, std::uint32_t target) {
        return symbol.defined &&
               shared_window.contains(symbol.type == STT_SECTION ? target : symbol.address);
    }

    /// The symbol decides: an addend may point outside.
    void note_constants(const elf_relocation& relocation, const elf_symbol& symbol) {
        if (!symbol.defined || symbol.section == 0) return;
        const elf_section& section = file_.sections[symbol.section];
        // Its variables need not be const in C++; its segment is read-only.
        const bool constant = section.name == ".constant";
        if (!section.allocated() || section.executable()) return;
        if (section.writable() && !constant) return;
        (constant ? out_.constants.constant : out_.constants.read_only).insert(relocation.address);
    }

    const elf_file& file_;
    const code_text& text_;
    const std::vector<function_range>& functions_;
    references out_;
    std::map<std::uint32_t, shared_reference> pc_high_;
};

}  // namespace

const function_range* function_at(const std::vector<function_range>& functions, std::uint32_t pc) {
    const auto next = std::upper_bound(
        functions.begin(), functions.end(), pc,
        [](std::uint32_t value, const function_range& f) { return value < f.start; });
    if (next == functions.begin()) return nullptr;
    const function_range& candidate = *std::prev(next);
    return pc < candidate.end ? &candidate : nullptr;
}

references find_references(const elf_file& file, const code_text& text,
                           const std::vector<function_range>& functions) {
    return collector(file, text, functions).collect();
}

}  // namespace heddle::program
