// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/integration/layering.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/integration/class_sizes.h"

namespace heddle::layering {
namespace {

namespace fs = std::filesystem;
using names = std::set<std::string>;

constexpr std::size_t line_limit = 400;
constexpr unsigned member_limit = 30;
constexpr unsigned function_limit = 40;

/// Each folder of models, and what it may include beside itself.
const std::map<std::string, names> models_below{
    {"base", {}},
    {"isa", {"base"}},
    {"program", {"base", "isa"}},
    {"device", {"base", "isa", "program"}},
    {"simt", {"base", "isa", "program", "device"}},
    {"iss", {"base", "isa", "program", "device", "simt"}},
    {"inputs", {"base"}},
    {"random_kernels", {"base"}},
    {"analytic", {"base", "isa", "program", "device", "simt"}},
    {"workloads", {"base", "program", "device", "inputs", "analytic"}}};

/// Each folder of runtime, and what it may include beside itself. The server's end has the models;
/// what is loaded into programs of others has not.
const std::map<std::string, names> runtime_below{{"protocol", {}},
                                                 {"server", {"protocol", "models"}},
                                                 {"client", {"protocol"}},
                                                 {"opencl", {"protocol", "client"}},
                                                 {"cuda", {"protocol", "client"}}};

/// What hardware may use of models: a timed model that ran on the golden model could not be
/// checked against it.
const names models_of_kit{"base", "isa", "program", "device"};
const names models_of_blocks{"base", "isa", "program", "device", "simt"};

/// The rooms inside a block, and rooms inside a room that have a rank of their own: a room includes
/// those of a lower rank only. Files of the block's folder itself stand above all its rooms, but
/// for its parameters, which every room may include.
using ranks = std::map<std::string, int>;
struct rooms_of_block {
    names shared;  ///< headers of the folder itself
    ranks rooms;
};
const std::map<std::string, rooms_of_block> blocks_with_rooms{
    {"smx",
     {{"hw/smx/smx_capabilities.h", "hw/smx/smx_configuration.h"},
      {{"divergence", 0},   {"l1", 0},        {"shared_memory", 0},
       {"memory_port", 0},  {"pipeline", 0},  {"warp_scheduler", 0},
       {"thread_pool", 0},  {"blocks", 1},    {"tm", 1},
       {"lsu/queue", 2},    {"lsu/lines", 3}, {"lsu/loads", 4},
       {"lsu", 5},          {"execute", 6},   {"fetch", 7},
       {"launch", 7},       {"issue", 8},     {"block_life", 9},
       {"cooperation", 10}, {"", 11}}}},
    {"smx_scheduler",
     {{"hw/smx_scheduler/smx_scheduler_configuration.h", "hw/smx_scheduler/smx_scheduler_report.h"},
      {{"chain", 0},
       {"placement", 1},
       {"groups", 2},
       {"cooperation", 2},
       {"distribution", 3},
       {"", 4}}}}};

/// What IEEE 1666-2023 deprecates and a compiler with SystemC 2.3.4 does not notice. (sc_bit is not
/// here: a sc_trace_file has to trace it.)
constexpr const char* deprecated_in_systemc[] = {
    "SC_HAS_PROCESS",  "sc_get_curr_simcontext", "sc_get_curr_process_handle",
    "sc_cycle(",       "sc_initialize(",         "sc_simulation_time",
    "notify_delayed(", "default_time_unit",      "sc_sensitive_",
    "timed_out(",      "get_data_ref(",          "get_new_value(",
    "end_module(",     "sc_signal_out_if",       "sc_trace_delta_cycles"};
constexpr const char* systemc_before_3 = "#if IEEE_1666_SYSTEMC < 202301L";

std::string join(const names& items) {
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
    return text.empty() ? "nothing" : text;
}

/// "hw/smx/l1/l1.h" → hw, smx, l1 (folders only).
std::vector<std::string> folders(const std::string& file) {
    std::vector<std::string> parts;
    for (const fs::path& part : fs::path(file).parent_path()) parts.push_back(part.string());
    return parts;
}

std::string part(const std::vector<std::string>& parts, std::size_t index) {
    return index < parts.size() ? parts[index] : "";
}

std::string rule_for_models(const std::string& from, const std::string& area,
                            const std::string& to) {
    const auto below = models_below.find(from);
    if (below == models_below.end()) return "models/" + from + " has no rule in the layering test";
    if (area != "models") return "models never include " + area;
    if (from == to || below->second.count(to) != 0) return "";
    return "models/" + from + " may include of models: " + join(below->second);
}

std::string rule_for_runtime(const std::string& from, const std::string& area,
                             const std::string& to, const std::string& included) {
    // What kernels and the host's end have in common: it is of neither.
    if (included == "models/program/opencl/image_descriptor.h") return "";
    const auto below = runtime_below.find(from);
    if (below == runtime_below.end())
        return "runtime/" + from + " has no rule in the layering test";
    const std::string target = area == "runtime" ? to : area;
    if (target == from || below->second.count(target) != 0) return "";
    return "runtime/" + from + " may include: " + join(below->second);
}

/// hw/base 0, hw/protocol 1, blocks 2, hw/top and what builds it 3.
int rank_of_hardware(const std::string& folder) {
    static const std::map<std::string, int> ranks{
        {"base", 0}, {"protocol", 1}, {"axi", 3}, {"cosim", 3}, {"top", 3}};
    const auto found = ranks.find(folder);
    return found == ranks.end() ? 2 : found->second;
}

/// "lsu/queue" of hw, smx, lsu, queue; "lsu" of a folder in it without a rank.
std::string room_of(const ranks& rooms, const std::vector<std::string>& folders) {
    const std::string inner = part(folders, 2) + "/" + part(folders, 3);
    return rooms.count(inner) != 0 ? inner : part(folders, 2);
}

std::string rule_for_rooms(const std::vector<std::string>& file,
                           const std::vector<std::string>& target_file,
                           const std::string& included) {
    const std::string folder = "hw/" + part(file, 1);
    const auto found = blocks_with_rooms.find(part(file, 1));
    if (found == blocks_with_rooms.end() || found->second.shared.count(included) != 0) return "";
    const ranks& rooms = found->second.rooms;
    const std::string from = room_of(rooms, file);
    const std::string to = room_of(rooms, target_file);
    const auto room = rooms.find(from);
    if (room == rooms.end()) return folder + "/" + from + " has no rank in the layering test";
    if (from == to) return "";
    const auto target = rooms.find(to);
    if (target != rooms.end() && target->second < room->second) return "";
    return folder + "/" + from + " does not stand above " + folder + (to.empty() ? "" : "/" + to);
}

std::string rule_for_hardware(const std::vector<std::string>& from, const std::string& area,
                              const std::vector<std::string>& to, const std::string& included) {
    const std::string folder = part(from, 1);
    const int rank = rank_of_hardware(folder);
    constexpr int block = 2;
    if (area == "models") {
        const names all{part(to, 1)};
        const names& allowed = rank < block    ? models_of_kit
                               : rank == block ? models_of_blocks
                                               : all;
        if (allowed.count(part(to, 1)) != 0) return "";
        return "hw/" + folder + " may include of models: " + join(allowed);
    }
    if (area != "hw") return "hw never includes " + area;
    if (rank == block && rank_of_hardware(part(to, 1)) == block) {
        if (part(from, 1) != part(to, 1)) return "a block never includes another block";
        return rule_for_rooms(from, to, included);
    }
    if (rank_of_hardware(part(to, 1)) <= rank) return "";
    return "hw/" + folder + " stands below hw/" + part(to, 1);
}

/// Why `file` may not include `included`; empty if it may.
std::string rule_of_include(const std::string& file, const std::string& included, bool quoted) {
    static const std::regex systemc("(systemc|tlm|sysc)([/_.].*)?");
    const auto from = folders(file);
    const auto to = folders(included);
    const std::string area = part(to, 0);
    // The C interface: everybody may use it, and it uses nothing of the project.
    if (area == "include" && part(from, 0) != "include") return "";
    const bool project = area == "models" || area == "hw" || area == "command" ||
                         area == "library" || area == "runtime" || area == "tb" || area == "tests";
    const bool untimed = part(from, 0) == "models" || part(from, 0) == "runtime";
    if (untimed && std::regex_match(included, systemc)) {
        return part(from, 0) + " never include SystemC or TLM";
    }
    if (!project) {
        // Device headers are found as a kernel's compiler finds them.
        const bool device = file.rfind("models/program/include/", 0) == 0 ||
                            file.rfind("models/program/device/", 0) == 0 ||
                            file.rfind("runtime/cuda/include/", 0) == 0;
        const bool beside = part(from, 0) == "include" && area.empty();
        if (!quoted || device || beside || part(from, 0) == "tests" || part(from, 0) == "docs")
            return "";
        return "include by the path from the root, as \"hw/base/pool.h\"";
    }
    if (part(from, 0) == "include") return "headers for users include each other only";
    if (part(from, 0) == "models") return rule_for_models(part(from, 1), area, part(to, 1));
    if (part(from, 0) == "runtime")
        return rule_for_runtime(part(from, 1), area, part(to, 1), included);
    if (part(from, 0) == "hw") return rule_for_hardware(from, area, to, included);
    if (part(from, 0) == "command" && (area == "library" || area == "tb" || area == "tests")) {
        return "the command never includes " + area;
    }
    if (part(from, 0) == "library" && (area == "tb" || area == "tests")) {
        return "the library never includes " + area;
    }
    return "";  // testbenches and tests may use everything
}

bool is_source(const fs::path& file) {
    static const names extensions{".h",   ".cpp",   ".c",  ".cl",   ".def", ".S", ".sv",
                                  ".svh", ".cmake", ".py", ".toml", ".smk", ".sh"};
    const std::string name = file.filename().string();
    // Scripts without an extension start with an interpreter line.
    if (file.extension().empty()) {
        std::ifstream stream(file);
        return stream.get() == '#' && stream.get() == '!';
    }
    return extensions.count(file.extension().string()) != 0 || name == "CMakeLists.txt";
}

/// Beside a source that a patch or an editor has changed.
bool is_left_over(const fs::path& file) {
    static const names endings{".orig", ".rej", ".bak"};
    const std::string name = file.filename().string();
    return endings.count(file.extension().string()) != 0 || name.back() == '~';
}

/// Headers under the names that CUDA's programs include, with the guards that these ask for; and
/// the headers of such programs.
bool has_names_of_others(const std::string& file) {
    return file.rfind("runtime/cuda/include/", 0) == 0 ||
           file.rfind("tests/cuda/programs/", 0) == 0;
}

class file_checker {
public:
    file_checker(const fs::path& root, std::string file, std::vector<std::string>& found)
        : file_(std::move(file)), found_(found) {
        std::ifstream stream(root / file_);
        for (std::string line; std::getline(stream, line);) lines_.push_back(line);
    }

    void check() {
        check_licence();
        if (!has_names_of_others(file_)) check_classes();
        check_deprecated();
        if (lines_.size() > line_limit) {
            report(line_limit + 1, "more than 400 lines: two things live here");
        }
        const bool header = fs::path(file_).extension() == ".h";
        if (header && !has_names_of_others(file_) &&
            std::find(lines_.begin(), lines_.end(), "#pragma once") == lines_.end()) {
            report(1, "a header without #pragma once");
        }
        static const std::regex include(R"rx(^\s*#\s*include\s*(["<])([^">]+)[">].*)rx");
        static const std::regex directive(R"(^\s*using\s+namespace\b.*)");
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            std::smatch match;
            if (header && std::regex_match(lines_[i], directive)) {
                report(i + 1, "a using-directive in a header");
            }
            if (!std::regex_match(lines_[i], match, include)) continue;
            const std::string rule = rule_of_include(file_, match[2], match[1] == "\"");
            if (!rule.empty()) report(i + 1, "includes " + match[2].str() + ": " + rule);
        }
    }

private:
    void report(std::size_t line, const std::string& what) {
        found_.push_back(file_ + ":" + std::to_string(line) + ": " + what);
    }

    /// Of classes that are modelled; tests and testbenches may have larger ones.
    void check_classes() {
        const std::string area = part(folders(file_), 0);
        static const names modelled{"hw", "models", "command", "library", "runtime"};
        if (modelled.count(area) == 0) return;
        std::string text;
        for (const std::string& line : lines_) text += line + "\n";
        for (const class_size& one : class_sizes(text)) {
            if (one.members <= member_limit && one.functions <= function_limit) continue;
            report(one.line, one.name + " has " + std::to_string(one.members) +
                                 " data members and " + std::to_string(one.functions) +
                                 " functions: several jobs live in it (legal: " +
                                 std::to_string(member_limit) + " and " +
                                 std::to_string(function_limit) + ")");
        }
    }

    /// Of files that use SystemC, behind comments and beside what is for older versions only.
    void check_deprecated() {
        const names areas{"command", "docs", "hw", "library", "tb"};
        const auto folder = folders(file_);
        if (areas.count(part(folder, 0)) == 0 && part(folder, 1) != "hw") return;
        bool before_3 = false;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const std::string code = lines_[i].substr(0, lines_[i].find("//"));
            if (code == systemc_before_3) before_3 = true;
            if (code == "#else" || code == "#endif") before_3 = false;
            if (before_3) continue;
            for (const char* const name : deprecated_in_systemc) {
                if (code.find(name) == std::string::npos) continue;
                report(i + 1, std::string(name) + ": IEEE 1666-2023 deprecates it");
            }
        }
    }

    void check_licence() {
        // An interpreter line may stand before; the mark of a comment depends on the language.
        const std::size_t first = !lines_.empty() && lines_[0].rfind("#!", 0) == 0 ? 1 : 0;
        static const std::regex licence(R"((//|#|/\*) SPDX-License-Identifier: Apache-2.0( \*/)?)");
        static const std::regex owner(R"((//|#|/?\s?\*) Copyright The Heddle authors( \*/)?)");
        if (lines_.size() < first + 2 || !std::regex_match(lines_[first], licence) ||
            !std::regex_match(lines_[first + 1], owner)) {
            report(first + 1, "the two licence lines are missing");
        }
    }

    std::string file_;
    std::vector<std::string> lines_;
    std::vector<std::string>& found_;
};

}  // namespace

std::map<std::string, int> rooms_of(const std::string& block) {
    const auto found = blocks_with_rooms.find(block);
    return found == blocks_with_rooms.end() ? std::map<std::string, int>() : found->second.rooms;
}

std::vector<std::string> violations(const fs::path& root) {
    names files;  // sorted, whatever order the file system has
    std::vector<std::string> found;
    for (const char* area : {"command", "configs", "docs", "hw", "include", "library", "models",
                             "runtime", "scripts", "tb", "tests"}) {
        if (!fs::exists(root / area)) continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / area)) {
            if (!entry.is_regular_file()) continue;
            const std::string file = entry.path().lexically_relative(root).generic_string();
            if (is_left_over(entry.path())) found.push_back(file + ": left over by a tool");
            if (is_source(entry.path())) files.insert(file);
        }
    }
    if (fs::exists(root / "CMakeLists.txt")) files.insert("CMakeLists.txt");
    for (const std::string& file : files) file_checker(root, file, found).check();
    return found;
}

}  // namespace heddle::layering
