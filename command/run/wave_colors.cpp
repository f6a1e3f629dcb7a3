// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/wave_colors.h"

#include <map>

#include "models/isa/instruction_table.h"

namespace heddle::command {
namespace {

constexpr const char* nothing = "gray25";
constexpr const char* work = "DarkGreen";
constexpr const char* memory = "firebrick4";
constexpr const char* full = "red3";
constexpr const char* result = "DarkOrange4";
constexpr const char* front_end = "purple4";
constexpr const char* control = "RoyalBlue4";

const char* class_color(isa::instruction_class what) {
    using isa::instruction_class;
    switch (what) {
        case instruction_class::load:
        case instruction_class::store:
        case instruction_class::atomic:
        case instruction_class::fence:
            return memory;
        case instruction_class::branch:
        case instruction_class::jump:
        case instruction_class::jump_register:
            return control;
        case instruction_class::simt_control:
        case instruction_class::exchange:
        case instruction_class::launch:
        case instruction_class::transaction:
        case instruction_class::cooperation:
            return front_end;
        default:
            return work;
    }
}

std::map<std::string, std::string> all_colors() {
    std::map<std::string, std::string> colors{
        // what a warp scheduler does
        {"issued", work},
        {"dependency", result},
        {"memory_stall", full},
        {"held_back", full},
        {"reservation_fail", full},
        {"memory_busy", full},
        {"constants_busy", full},
        {"fence", memory},
        {"memory", memory},
        {"constants", memory},
        {"fetch", front_end},
        {"barrier", control},
        {"writeback", result},
        {"formation", front_end},
        {"no_warp", nothing},
        // the load-store unit
        {"working", work},
        {"idle", nothing},
        {"mshr_full", full},
        {"mshr_merge_full", full},
        {"miss_queue_full", full},
        {"line_reserved", full},
        {"constant_cache", full},
        {"read_only_cache", full},
        // a buffer and an output of the crossbar
        {"empty", nothing},
        {"moves", work},
        {"holds", work},
        {"not_granted", result},
        {"output_full", full},
        {"receiver_busy", full},
        // the command that a bank of DRAM gets
        {"none", nothing},
        {"ACT", front_end},
        {"RD", work},
        {"WR", memory},
        {"PRE", control},
        {"REF", result},
        // no instruction
        {"-", nothing},
    };
    for (const char* const unit :
         {"integer", "multiply", "divide", "floating", "floating_divide", "special"}) {
        colors.emplace(std::string(unit) + "_busy", result);
    }
    for (const isa::instruction_row& one : isa::instruction_table) {
        colors.emplace(one.mnemonic, class_color(one.cls));
    }
    return colors;
}

}  // namespace

std::string wave_color(const std::string& name) {
    static const std::map<std::string, std::string> colors = all_colors();
    const auto found = colors.find(name);
    return found == colors.end() ? std::string() : found->second;
}

}  // namespace heddle::command
