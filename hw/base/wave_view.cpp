// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/wave_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>

#include "hw/base/scope_filter.h"

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
constexpr const char* translated_binary = "@2028";

constexpr unsigned state_color = 3;  // yellow; also of texts

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
    /// `names`: the file with the names of states.
    view_writer(const vcd_writer& contents, std::string names)
        : contents_(contents), names_(std::move(names)) {}

    /// A heading with what stands in a scope: variables, small scopes, then what opens on demand.
    void add_group(const std::string& title, bool open, const scope& what, unsigned color) {
        out_ += std::string(open ? group_begin : closed_group_begin) + "\n-" + title + "\n";
        add_variables(what, "", color);
        std::vector<std::vector<const scope*>> on_demand;
        std::string last;
        for (const scope& one : what.inner) {
            if (numbered(one.name) && family(one.name) == last) {
                on_demand.back().push_back(&one);
                continue;
            }
            last = numbered(one.name) ? family(one.name) : std::string();
            on_demand.emplace_back();
            if (small(one)) {
                add_variables(one, one.name + " ", color);
            } else {
                on_demand.back().push_back(&one);
            }
        }
        for (const auto& scopes : on_demand) add_closed(scopes, color);
        out_ += std::string(open ? group_end : closed_group_end) + "\n-" + title + "\n";
    }
    /// A heading with a group for each scope in it, the first of a kind open.
    void add_blocks(const std::string& title, const scope& what, unsigned color) {
        out_ += std::string(group_begin) + "\n-" + title + "\n";
        add_variables(what, "", color);
        std::vector<const scope*> others;
        for (std::size_t i = 0; i < what.inner.size(); ++i) {
            const scope& one = what.inner[i];
            others.clear();
            add_group(one.name, true, one, color);
            for (; i + 1 < what.inner.size() && numbered(one.name) &&
                   family(what.inner[i + 1].name) == family(one.name);
                 ++i) {
                others.push_back(&what.inner[i + 1]);
            }
            add_closed(others, color);
        }
        out_ += std::string(group_end) + "\n-" + title + "\n";
    }
    [[nodiscard]] std::string take() { return std::move(out_); }
    /// Of the pane with names and values, in pixels: the longest of both side by side, but not
    /// the greater part of the window. GTKWave makes room for whole names, also of those that it
    /// shortens or hides.
    [[nodiscard]] std::size_t pane_width() const {
        constexpr std::size_t pixels = 8;  // a character of GTKWave's font
        return std::clamp<std::size_t>(pixels * (longest_name_ + longest_value_), 420, 640);
    }

private:
    /// Few enough variables to stand among those of the scope around it, under their full names.
    static bool small(const scope& what) {
        constexpr std::size_t few = 8;
        return what.inner.empty() && what.variables.size() <= few;
    }
    void add_variables(const scope& what, const std::string& prefix, unsigned color) {
        for (const std::uint32_t variable : what.variables) add(variable, prefix, color);
    }
    /// Under one heading if there are several.
    void add_closed(const std::vector<const scope*>& scopes, unsigned color) {
        if (scopes.empty()) return;
        const std::string title = scopes.front()->name + " ... " + scopes.back()->name;
        const bool several = scopes.size() > 1;
        if (several) out_ += std::string(closed_group_begin) + "\n-" + title + "\n";
        for (const scope* one : scopes) add_group(one->name, false, *one, color);
        if (several) out_ += std::string(closed_group_end) + "\n-" + title + "\n";
    }
    void add(std::uint32_t variable, const std::string& prefix, unsigned color) {
        const unsigned width = contents_.width(variable);
        std::string name = contents_.name(variable);
        const std::string alias = prefix + name.substr(name.rfind('.') + 1);
        const char* flags = binary;
        bool vector = false;
        std::string filter;
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
                vector = true;
                flags = translated_binary;
                color = state_color;
                filter = "^1 " + names_ + "\n";
                break;
            case vcd_writer::kind::text:
                flags = text;
                color = state_color;
                break;
            case vcd_writer::kind::event:
                break;
        }
        longest_value_ = std::max(longest_value_, value_length(variable));
        if (!prefix.empty()) filter += "+{" + alias + "} ";
        if (vector) name += "[" + std::to_string(width - 1) + ":0]";
        longest_name_ = std::max(longest_name_, name.size());
        out_ +=
            std::string(flags) + "\n[color] " + std::to_string(color) + "\n" + filter + name + "\n";
    }

    /// In characters, as far as the kind tells.
    [[nodiscard]] std::size_t value_length(std::uint32_t variable) const {
        constexpr std::size_t number = 8;
        constexpr std::size_t name = 16;
        switch (contents_.kind_of(variable)) {
            case vcd_writer::kind::bits:
                return contents_.width(variable) / 4;
            case vcd_writer::kind::text:
                return name;
            case vcd_writer::kind::state: {
                std::size_t longest = 0;
                for (const std::string& each : contents_.state_names(variable)) {
                    longest = std::max(longest, each.size());
                }
                return longest;
            }
            default:
                return number;
        }
    }

    const vcd_writer& contents_;
    const std::string names_;
    std::string out_;
    std::size_t longest_name_ = 0;
    std::size_t longest_value_ = 0;
};

/// GTKWave shows 2^zoom time units in 200 pixels; the window leaves the waves what `pane`, with the
/// names, does not take.
std::string whole_run(std::uint64_t duration, std::size_t pane) {
    const double frames = (1300 - static_cast<double>(pane)) / 200;
    const double zoom = std::log2(std::max(static_cast<double>(duration), frames) / frames);
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
    view_writer body(contents, dump + ".names");
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i].variables.empty() && sorted[i].inner.empty()) continue;
        const bool rest = i == groups.size();
        constexpr unsigned rest_color = 4;
        body.add_blocks(rest ? "Others" : groups[i].title, sorted[i],
                        rest ? rest_color : groups[i].color);
    }
    return "[*] Signals of a Heddle run\n[dumpfile] \"" + dump + "\"\n[savefile] \"" + dump +
           ".gtkw\"\n[timestart] " + std::to_string(contents.begin_time()) + "\n[size] 1400 900\n" +
           whole_run(contents.time() - contents.begin_time(), body.pane_width()) +
           "[sst_expanded] 0\n[signals_width] " + std::to_string(body.pane_width()) + "\n" +
           body.take();
}

std::string wave_names(const vcd_writer& contents,
                       const std::function<std::string(const std::string&)>& color_of) {
    std::map<unsigned, std::uint32_t> lists;  // one variable of each width
    for (std::uint32_t id = 0; id < contents.variable_count(); ++id) {
        if (contents.kind_of(id) == vcd_writer::kind::state) lists.emplace(contents.width(id), id);
    }
    std::string lines =
        "# Names of states, for GTKWave: Edit, Data Format, Translate Filter File\n";
    for (const auto& [width, id] : lists) {
        const std::vector<std::string>& names = contents.state_names(id);
        for (std::size_t value = 0; value < names.size(); ++value) {
            for (unsigned bit = width; bit-- > 0;) lines += (value >> bit & 1) != 0 ? '1' : '0';
            const std::string color = color_of(names[value]);
            lines += color.empty() ? " " : " ?" + color + "?";
            lines += names[value] + "\n";
        }
    }
    return lines;
}

}  // namespace heddle
