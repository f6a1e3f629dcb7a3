// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The header of a VCD file: names, kinds and codes of the variables.
#include <algorithm>
#include <map>

#include "hw/base/vcd_writer.h"

namespace heddle {
namespace {

/// Shortest code over the 94 printable characters that VCD allows.
std::string identifier(std::uint32_t index) {
    std::string code;
    for (std::uint64_t rest = std::uint64_t{index} + 1; rest != 0; rest = (rest - 1) / 94) {
        code += static_cast<char>('!' + (rest - 1) % 94);
    }
    return code;
}

std::vector<std::string> split(const std::string& name) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
        parts.push_back(name.substr(begin, dot - begin));
        begin = dot + 1;
    }
    parts.push_back(name.substr(begin));
    return parts;
}

const char* type_name(vcd_writer::kind what) {
    switch (what) {
        case vcd_writer::kind::bits:
        case vcd_writer::kind::logic:
            return "wire";
        case vcd_writer::kind::integer:
            return "integer";
        case vcd_writer::kind::real:
            return "real";
        case vcd_writer::kind::state:
            return "reg";
        case vcd_writer::kind::text:
            return "string";
        case vcd_writer::kind::event:
            return "event";
    }
    return "wire";
}

}  // namespace

/// Each list of state names gets a width of its own, the shorter list the smaller one.
void vcd_writer::choose_state_widths() {
    std::map<std::pair<std::size_t, std::vector<std::string>>, unsigned> lists;
    for (const variable& v : variables_) {
        if (v.what == kind::state) {
            lists[{v.state_names.size(), v.state_names}] = 0;
        }
    }
    unsigned last = 1;  // viewers draw one bit as a line, not as a name
    std::string comment;
    for (auto& [list, width] : lists) {
        unsigned needed = 1;
        for (; list.first >> needed != 0;) ++needed;
        last = width = std::max(last + 1, needed);
        comment += "    states of " + std::to_string(width) + " bits:";
        for (std::size_t i = 0; i < list.first; ++i) {
            comment += " " + std::to_string(i) + "=" + list.second[i];
        }
        comment += '\n';
    }
    for (variable& v : variables_) {
        if (v.what == kind::state) {
            v.width = lists[{v.state_names.size(), v.state_names}];
        }
    }
    if (!comment.empty()) {
        put("$comment\n" + comment + "$end\n");
    }
}

void vcd_writer::write_header() {
    std::vector<std::uint32_t> order(variables_.size());
    for (std::uint32_t id = 0; id < order.size(); ++id) {
        order[id] = id;
    }
    std::vector<std::vector<std::string>> paths;
    for (const variable& v : variables_) {
        paths.push_back(split(v.name));
    }
    // Sorted by path, the members of a scope are neighbours.
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return paths[a] < paths[b]; });
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
        variables_[order[rank]].rank = rank;
        variables_[order[rank]].code = identifier(rank);
    }
    put("$date\n    fixed, so that equal runs give equal files\n$end\n");
    put("$version\n    Heddle\n$end\n$timescale\n    1 ps\n$end\n");
    choose_state_widths();
    write_declarations(order);
    put("$enddefinitions $end\n");
}

void vcd_writer::write_declarations(const std::vector<std::uint32_t>& order) {
    std::vector<std::string> open;
    for (const std::uint32_t id : order) {
        const variable& v = variables_[id];
        std::vector<std::string> path = split(v.name);
        const std::string leaf = vcd_token(path.back());
        path.pop_back();
        const auto common = static_cast<std::size_t>(
            std::mismatch(open.begin(), open.end(), path.begin(), path.end()).first - open.begin());
        for (; open.size() > common; open.pop_back()) {
            put("$upscope $end\n");
        }
        for (; open.size() < path.size(); open.push_back(path[open.size()])) {
            put("$scope module " + vcd_token(path[open.size()]) + " $end\n");
        }
        const unsigned width = v.what == kind::text || v.what == kind::event ? 1 : v.width;
        put(std::string("$var ") + type_name(v.what) + " " + std::to_string(width) + " " + v.code +
            " " + leaf +
            (width > 1 && v.what != kind::real && v.what != kind::integer
                 ? " [" + std::to_string(width - 1) + ":0]"
                 : std::string()) +
            " $end\n");
    }
    for (; !open.empty(); open.pop_back()) {
        put("$upscope $end\n");
    }
}

}  // namespace heddle
