// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/shared_objects_check.h"

#include <dwarf.h>
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/program/address_map.h"
#include "models/program/debug_file.h"

namespace heddle::program {

namespace {

constexpr int annotation_tag = 0x6000;  // DW_TAG_LLVM_annotation

/// Scopes don't nest deeper in any program; damaged debug information may.
constexpr unsigned deepest_scope = 256;

struct declared_object {
    std::string text;  ///< line and name
    std::uint32_t address = 0, size = 0;
};

std::string string_of(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    const char* text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
    return text == nullptr ? "" : text;
}

bool is_declared_shared(Dwarf_Die* variable) {
    Dwarf_Die child;
    for (int more = dwarf_child(variable, &child); more == 0;
         more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) == annotation_tag && string_of(&child, DW_AT_name) == "heddle" &&
            string_of(&child, DW_AT_const_value) == "shared") {
            return true;
        }
    }
    return false;
}

/// Not by dwarf_decl_file(), which takes file 0 for none: in DWARF 5 it is the source itself.
std::string file_of(Dwarf_Die* variable) {
    Dwarf_Attribute attribute;
    Dwarf_Word index = 0;
    Dwarf_Die unit;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_formudata(dwarf_attr_integrate(variable, DW_AT_decl_file, &attribute), &index) != 0 ||
        dwarf_diecu(variable, &unit, nullptr, nullptr) == nullptr ||
        dwarf_getsrcfiles(&unit, &files, &count) != 0) {
        return "?";
    }
    const char* file = dwarf_filesrc(files, index, nullptr, nullptr);
    return file == nullptr ? "?" : file;
}

std::string where_of(Dwarf_Die* variable) {
    int line = 0;
    dwarf_decl_line(variable, &line);
    return file_of(variable) + ":" + std::to_string(line) + ": '" +
           string_of(variable, DW_AT_name) + "'";
}

/// None if the object has no address of its own any more.
std::optional<std::uint32_t> address_of(Dwarf_Die* variable) {
    Dwarf_Attribute location, operand;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_attr(variable, DW_AT_location, &location) == nullptr ||
        dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) {
        return std::nullopt;
    }
    if (operations[0].atom == DW_OP_addr) return static_cast<std::uint32_t>(operations[0].number);
    Dwarf_Addr address = 0;
    if (operations[0].atom != DW_OP_addrx ||
        dwarf_getlocation_attr(&location, operations, &operand) != 0 ||
        dwarf_formaddr(&operand, &address) != 0) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(address);
}

std::uint32_t size_of(Dwarf_Die* variable) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Word size = 0;
    if (dwarf_formref_die(dwarf_attr_integrate(variable, DW_AT_type, &attribute), &type) ==
            nullptr ||
        dwarf_aggregate_size(&type, &size) != 0) {
        return 0;
    }
    return static_cast<std::uint32_t>(size);
}

class checker {
public:
    explicit checker(const elf_file& file) : file_(file) {}

    void check() {
        const debug_file debug(file_);
        debug.for_each_unit([this](Dwarf_Die& unit) { visit_children(&unit, 0); });
        std::sort(objects_.begin(), objects_.end(),
                  [](const auto& a, const auto& b) { return a.address < b.address; });
        for (std::size_t i = 1; i < objects_.size(); ++i) {
            const declared_object& before = objects_[i - 1];
            if (objects_[i].address - before.address < before.size) {
                fail(objects_[i].text, "it overlaps " + before.text);
            }
        }
    }

private:
    [[noreturn]] static void fail(const std::string& object, const std::string& reason) {
        throw configuration_error(object + " is declared in shared memory, but " + reason);
    }

    void visit_children(Dwarf_Die* die, unsigned depth) {
        if (depth > deepest_scope) return;
        Dwarf_Die child;
        for (int more = dwarf_child(die, &child); more == 0;
             more = dwarf_siblingof(&child, &child)) {
            if (dwarf_tag(&child) == DW_TAG_variable) visit(&child);
            visit_children(&child, depth + 1);
        }
    }

    void visit(Dwarf_Die* variable) {
        if (!is_declared_shared(variable) || dwarf_hasattr(variable, DW_AT_declaration) != 0) {
            return;
        }
        const declared_object object{where_of(variable), address_of(variable).value_or(lost),
                                     size_of(variable)};
        if (object.address == lost) fail(object.text, "the compiler has made something else of it");
        if (object.address == left_out) return;
        if (!shared_window.contains(object.address)) fail(object.text, "it is not placed there");
        const auto symbol =
            std::find_if(file_.symbols.begin(), file_.symbols.end(), [&](const elf_symbol& each) {
                return each.type == STT_OBJECT && each.address == object.address &&
                       each.size == object.size;
            });
        if (symbol == file_.symbols.end()) {
            fail(object.text, "its " + std::to_string(object.size) + " bytes are not there");
        }
        objects_.push_back(object);
    }

    static constexpr std::uint32_t left_out = 0;  ///< what the linker writes for a section that is
    static constexpr std::uint32_t lost = ~std::uint32_t{0};

    const elf_file& file_;
    std::vector<declared_object> objects_;
};

}  // namespace

void check_shared_objects(const elf_file& file) {
    checker(file).check();
}

}  // namespace heddle::program
