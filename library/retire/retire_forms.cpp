// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/retire/retire_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "library/retire/record_fields.h"

namespace heddle::library {
namespace {

using shape = record_field::shape;
using numbers = std::vector<std::pair<const char*, unsigned>>;

constexpr const char* header =
    "// SPDX-License-Identifier: Apache-2.0\n"
    "// Copyright The Heddle authors\n"
    "//\n"
    "// Made by heddle_retire_forms from heddle/retire.h. Do not edit.\n";

struct kind_row {
    const char* name;
    unsigned number;
    const char* meaning;
};
constexpr kind_row kinds[] = {
#define HEDDLE_ROW(name, number, meaning) {#name, number, meaning},
    HEDDLE_RETIRED_KINDS(HEDDLE_ROW)
#undef HEDDLE_ROW
};

/// Names of the numbers in fields, as C has them.
numbers names_of_numbers() {
    numbers all;
    for (const kind_row& kind : kinds) all.emplace_back(kind.name, kind.number);
    const numbers others{{"NO_ACCESS", HEDDLE_NO_ACCESS},
                         {"LOAD", HEDDLE_LOAD},
                         {"STORE", HEDDLE_STORE},
                         {"ATOMIC", HEDDLE_ATOMIC},
                         {"GIVES_LIVE", HEDDLE_GIVES_LIVE},
                         {"GIVES_NEXT", HEDDLE_GIVES_NEXT},
                         {"GIVES_TAKEN", HEDDLE_GIVES_TAKEN},
                         {"BEGAN", HEDDLE_BEGAN},
                         {"LOST", HEDDLE_LOST},
                         {"RESTARTED", HEDDLE_RESTARTED},
                         {"COMMITTED", HEDDLE_COMMITTED}};
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::string type_of(const record_field& field) {
    switch (field.form) {
        case shape::mask:
            return "logic [(LANES)-1:0]";
        case shape::lanes:
            return fmt::format("logic [(LANES)-1:0][{}:0]", 8 * field.bytes - 1);
        case shape::number:
            break;
    }
    return fmt::format("logic [{}:0]", 8 * field.bytes - 1);
}

const char* width_of(const record_field& field) {
    switch (field.form) {
        case shape::mask:
            return "lanes";
        case shape::lanes:
            return "32 for each lane";
        case shape::number:
            break;
    }
    return field.bytes == 8 ? "64" : "32";
}

}  // namespace

std::string retire_macros() {
    std::string text = header;
    text +=
        "//\n"
        "// A record for warps of LANES lanes: typedef `HEDDLE_RETIRED(8) retired;\n"
        "// The first field of the definition is the last one here: it has the lowest bits.\n"
        "`ifndef HEDDLE_RETIRE_SVH\n"
        "`define HEDDLE_RETIRE_SVH\n"
        "`define HEDDLE_RETIRED(LANES) struct packed { \\\n";
    for (auto field = record_fields.rbegin(); field != record_fields.rend(); ++field) {
        text += fmt::format("    {} {}; \\\n", type_of(*field), field->name);
    }
    const std::size_t of_lane = packed_bits(1) - packed_bits(0);
    text += fmt::format(
        "  }}\n"
        "`define HEDDLE_RETIRED_BITS(LANES) ({} + {} * (LANES))\n"
        "`endif\n",
        packed_bits(0), of_lane);
    return text;
}

std::string retire_package() {
    std::string text = header;
    text +=
        "`include \"heddle_retire.svh\"\n\n"
        "package heddle_retire;\n";
    for (const auto& [name, value] : names_of_numbers()) {
        text += fmt::format("  localparam logic [31:0] {} = {};\n", name, value);
    }
    text +=
        "endpackage\n\n"
        "// One record an edge. A core that retires more has more of them.\n"
        "interface heddle_retire_if #(parameter int LANES = 32) (input logic clk);\n"
        "  typedef `HEDDLE_RETIRED(LANES) retired;\n"
        "  logic valid;\n"
        "  retired record;\n"
        "  modport core(input clk, output valid, output record);\n"
        "  modport monitor(input clk, input valid, input record);\n"
        "endinterface\n\n"
        "// Writes records as lines of NAME=HEXADECIMAL, which heddle_parse_retired() reads.\n"
        "module heddle_retire_text #(\n"
        "    parameter int LANES = 32,\n"
        "    parameter FILE = \"retired.txt\"\n"
        ") (\n"
        "    input logic clk,\n"
        "    input logic valid,\n"
        "    input logic [`HEDDLE_RETIRED_BITS(LANES)-1:0] record\n"
        ");\n"
        "  typedef `HEDDLE_RETIRED(LANES) retired_t;\n"
        "  retired_t r;\n"
        "  assign r = record;\n"
        "  integer file;\n"
        "  initial file = $fopen(FILE, \"w\");\n"
        "  always @(posedge clk) begin\n"
        "    if (valid !== 1'b0) begin\n";
    const char* separator = "";
    for (const record_field& field : record_fields) {
        text += fmt::format("      $fwrite(file, \"{}{}=%h\", r.{});\n", separator, field.name,
                            field.name);
        separator = " ";
    }
    text +=
        "      $fwrite(file, \"\\n\");\n"
        "    end\n"
        "  end\n"
        "  final $fclose(file);\n"
        "endmodule\n";
    return text;
}

std::string retire_tables() {
    std::string text = "| field | bits | meaning |\n|---|---|---|\n";
    for (const record_field& field : record_fields) {
        text += fmt::format("| `{}` | {} | {} |\n", field.name, width_of(field), field.meaning);
    }
    text += "\n| kind | | |\n|---|---|---|\n";
    for (const kind_row& kind : kinds) {
        text += fmt::format("| `HEDDLE_{}` | {} | {} |\n", kind.name, kind.number, kind.meaning);
    }
    return text;
}

}  // namespace heddle::library
