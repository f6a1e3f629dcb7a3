// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/wave_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace heddle {
namespace {

/// Trace flags of GTKWave's save files, in hexadecimal.
constexpr const char* group_begin = "@800200";
constexpr const char* closed_group_begin = "@c00200";
constexpr const char* group_end = "@1000200";
constexpr const char* closed_group_end = "@1401200";
constexpr const char* binary = "@28";
constexpr const char* hexadecimal = "@22";
constexpr const char* signed_decimal = "@420";
constexpr const char* text = "@820";

constexpr unsigned state_color = 3;  // yellow

/// A scope with its variables and the scopes in it, in the order of declaration.
struct scope {
    std::string name;
    std::vector<std::uint32_t> variables;
    std::vector<scope> inner;
};

void insert(scope& into, std::string_view path, std::uint32_t variable) {
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) {
        into.variables.push_back(variable);
        return;
    }
    const std::string_view name = path.substr(0, dot);
    auto found = std::find_if(into.inner.begin(), into.inner.end(),
                              [&](const scope& one) { return one.name == name; });
    if (found == into.inner.end()) {
        into.inner.push_back({std::string(name), {}, {}});
        found = std::prev(into.inner.end());
    }
    insert(*found, path.substr(dot + 1), variable);
}

/// hwq_7 is one of many; its fellows show the same, so that they need not be open.
bool numbered(const std::string& name) {
    const std::size_t underscore = name.rfind('_');
    return underscore != std::string::npos && underscore + 1 < name.size() &&
           name.find_first_not_of("0123456789", underscore + 1) == std::string::npos;
}

std::string family(const std::string& name) {
    return name.substr(0, name.rfind('_'));
}

class view_writer {
public:
    explicit view_writer(const vcd_writer& contents) : contents_(contents) {}

    void add_group(const std::string& title, bool open, const scope& what, unsigned color) {
        out_ += std::string(open ? group_begin : closed_group_begin) + "\n-" + title + "\n";
        for (const std::uint32_t variable : what.variables) add(variable, color);
        std::string last;
        for (const scope& one : what.inner) {
            const bool first = !numbered(one.name) || family(one.name) != last;
            last = numbered(one.name) ? family(one.name) : std::string();
            add_group(one.name, first, one, color);
        }
        out_ += std::string(open ? group_end : closed_group_end) + "\n-" + title + "\n";
    }
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    void add(std::uint32_t variable, unsigned color) {
        const unsigned width = contents_.width(variable);
        std::string name = contents_.name(variable);
        const char* flags = binary;
        bool vector = false;
        switch (contents_.kind_of(variable)) {
            case vcd_writer::kind::bits:
            case vcd_writer::kind::logic:
                vector = width > 1;
                flags = vector ? hexadecimal : binary;
                break;
            case vcd_writer::kind::integer:
            case vcd_writer::kind::real:
                flags = signed_decimal;
                break;
            case vcd_writer::kind::state:
                flags = text;
                color = state_color;
                break;
            case vcd_writer::kind::event:
                break;
        }
        if (vector) name += "[" + std::to_string(width - 1) + ":0]";
        out_ += std::string(flags) + "\n[color] " + std::to_string(color) + "\n" + name + "\n";
    }

    const vcd_writer& contents_;
    std::string out_;
};

/// GTKWave shows 2^zoom time units in 200 pixels; the window's waves are about 1000 wide.
std::string whole_run(std::uint64_t end) {
    constexpr double frames = 5;
    const double zoom = std::log2(std::max(static_cast<double>(end), frames) / frames);
    char line[64];
    std::snprintf(line, sizeof line, "*-%.3f 0\n", zoom);
    return line;
}

}  // namespace

std::string wave_view(const vcd_writer& contents, const std::string& dump,
                      const std::vector<wave_group>& groups) {
    std::vector<scope> sorted(groups.size() + 1);
    for (std::uint32_t id = 0; id < contents.variable_count(); ++id) {
        const std::string& name = contents.name(id);
        const auto selects = [&](const wave_group& group) {
            return std::any_of(group.scopes.begin(), group.scopes.end(),
                               [&](const auto& glob) { return scope_selected(glob, name); });
        };
        const auto group = std::find_if(groups.begin(), groups.end(), selects) - groups.begin();
        // All lies below the netlist's one module, which would be a heading without meaning.
        insert(sorted[static_cast<std::size_t>(group)],
               std::string_view(name).substr(name.find('.') + 1), id);
    }
    view_writer body(contents);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i].variables.empty() && sorted[i].inner.empty()) continue;
        const bool rest = i == groups.size();
        constexpr unsigned rest_color = 4;
        body.add_group(rest ? "Others" : groups[i].title, true, sorted[i],
                       rest ? rest_color : groups[i].color);
    }
    return "[*] Signals of a Heddle run\n[dumpfile] \"" + dump + "\"\n[savefile] \"" + dump +
           ".gtkw\"\n[timestart] 0\n[size] 1400 900\n" + whole_run(contents.time()) +
           "[sst_expanded] 0\n[signals_width] 260\n" + body.take();
}

}  // namespace heddle
