// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/netlist_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <tuple>
#include <utility>

namespace heddle {
namespace {

using kind = std::size_t;  ///< modules that are equal have the same kind

std::string times(const std::string& what, std::size_t count) {
    return count == 1 ? what : fmt::format("{} × {}", what, count);
}

std::string last_part(const std::string& path) {
    return path.substr(path.rfind('.') + 1);
}

/// Without numbers: smx of smx_3, memory_controller_pins of memory_controller_3_pins.
std::string without_numbers(const std::string& name) {
    static const std::regex number("_[0-9]+(?=_|$)");
    return std::regex_replace(name, number, "");
}

/// The first element that fits, or `otherwise` behind all others.
template <class Element, class Fits>
Element& find_or_add(std::vector<Element>& all, Fits fits, Element otherwise) {
    const auto found = std::find_if(all.begin(), all.end(), fits);
    if (found != all.end()) return *found;
    return all.emplace_back(std::move(otherwise));
}

/// Sorts modules into kinds: first by name, then again and again by what the last turn found out
/// of the modules around each, until no kind falls apart any more.
class module_kinds {
public:
    explicit module_kinds(const netlist& machine) {
        std::vector<signature> all(machine.modules.size());
        for (std::size_t m = 0; m < all.size(); ++m) {
            all[m].name = without_numbers(last_part(machine.modules[m].path));
        }
        for (std::size_t before = ~std::size_t{0}; number(all) != before;) {
            before = count_;
            for (std::size_t m = 0; m < all.size(); ++m) all[m] = {kinds_[m], {}, {}};
            for (std::size_t m = 0; m < all.size(); ++m) {
                const std::size_t parent = machine.modules[m].parent;
                if (parent == netlist::none) continue;
                all[m].around.emplace_back("in", kinds_[parent]);
                all[parent].around.emplace_back("has", kinds_[m]);
            }
            for (const netlist::link& each : machine.links) {
                all[each.initiator].around.emplace_back(each.type + " to", kinds_[each.target]);
                all[each.target].around.emplace_back(each.type + " from", kinds_[each.initiator]);
            }
            for (signature& each : all) std::sort(each.around.begin(), each.around.end());
        }
    }

    [[nodiscard]] kind of(std::size_t module) const { return kinds_[module]; }

private:
    struct signature {
        kind before = 0;
        std::string name;
        std::vector<std::pair<std::string, kind>> around;

        [[nodiscard]] bool operator<(const signature& other) const {
            return std::tie(before, name, around) <
                   std::tie(other.before, other.name, other.around);
        }
    };

    /// Gives equal signatures a kind; returns how many there are.
    std::size_t number(const std::vector<signature>& all) {
        std::map<signature, kind> found;
        kinds_.clear();
        for (const signature& each : all) {
            kinds_.push_back(found.emplace(each, found.size()).first->second);
        }
        count_ = found.size();
        return count_;
    }

    std::vector<kind> kinds_;
    std::size_t count_ = 0;
};

class drawing {
public:
    explicit drawing(const netlist& machine) : machine_(machine), kinds_(machine) {
        for (std::size_t m = 0; m < machine.modules.size(); ++m) {
            const std::size_t parent = machine.modules[m].parent;
            ++instances_[kinds_.of(m)];
            first_.emplace(kinds_.of(m), m);
            if (parent != netlist::none) children_[parent].push_back(m);
            if (parent == netlist::none) top_.push_back(m);
        }
        for (const netlist::link& each : machine.links) {
            const kind from = kinds_.of(each.initiator);
            const kind to = kinds_.of(each.target);
            const std::size_t frames = instances_of(common_parent(each.initiator, each.target));
            arrow& drawn = find_or_add(
                arrows_, [&](const auto& a) { return a.from == from && a.to == to; },
                arrow{from, to, {}});
            ++find_or_add(
                  drawn.links,
                  [&](const auto& l) { return l.type == each.type && l.frames == frames; },
                  equal_links{each.type, frames, 0})
                  .count;
            linked_.insert({from, to});
        }
    }

    [[nodiscard]] std::string text(const std::string& title) {
        text_ = fmt::format(
            "digraph \"{}\" {{\n"
            "    rankdir=LR; ranksep=0.3; fontname=\"sans-serif\"; labeljust=l; style=rounded;\n"
            "    node [shape=box, style=filled, fillcolor=\"#e8eef7\", fontname=\"sans-serif\"];\n"
            "    edge [fontname=\"sans-serif\", fontsize=11, arrowsize=0.7];\n",
            title);
        modules(top_, 1);
        for (const arrow& each : arrows_) {
            text_ += fmt::format("    \"{}\" -> \"{}\" [label=\"{}\"];\n", path(each.from),
                                 path(each.to), each.label());
        }
        return std::move(text_) + "}\n";
    }

private:
    struct equal_links {
        std::string type;
        std::size_t frames;  ///< instances of the frame that they are in
        std::size_t count;   ///< in all of these
    };
    /// All links from modules of one kind to modules of another one.
    struct arrow {
        kind from, to;
        std::vector<equal_links> links;

        [[nodiscard]] std::string label() const {
            std::string lines;
            for (const equal_links& each : links) {
                lines += (lines.empty() ? "" : "\\n") + times(each.type, each.count / each.frames);
            }
            return lines;
        }
    };

    [[nodiscard]] const std::string& path(kind of) const {
        return machine_.modules[first_.at(of)].path;
    }
    [[nodiscard]] std::size_t instances_of(std::size_t module) const {
        return module == netlist::none ? 1 : instances_.at(kinds_.of(module));
    }
    /// The innermost module that has both in it, or is one of them.
    [[nodiscard]] std::size_t common_parent(std::size_t a, std::size_t b) const {
        while (a != b) {  // parents come first
            std::size_t& later = b == netlist::none || (a != netlist::none && a > b) ? a : b;
            later = machine_.modules[later].parent;
        }
        return a;
    }

    /// The modules of one parent, a box or a frame for each kind.
    void modules(const std::vector<std::size_t>& of_parent, unsigned depth) {
        std::map<kind, std::size_t> counts;
        for (const std::size_t m : of_parent) ++counts[kinds_.of(m)];
        for (const std::size_t m : of_parent) {
            const kind which = kinds_.of(m);
            if (counts[which] == 0) continue;
            const std::size_t count = std::exchange(counts[which], 0);
            const std::string name = last_part(machine_.modules[m].path);
            module(m, count == 1 ? name : without_numbers(name), count, depth);
        }
    }

    void module(std::size_t m, const std::string& name, std::size_t count, unsigned depth) {
        const std::string& path = machine_.modules[m].path;
        const std::string indent(std::size_t{4} * depth, ' ');
        const auto inside = children_.find(m);
        if (inside == children_.end()) {
            text_ += fmt::format("{}\"{}\" [label=\"{}\"];\n", indent, path, times(name, count));
            return;
        }
        text_ += fmt::format("{}subgraph \"cluster_{}\" {{\n{}    label=\"{}\";\n", indent, path,
                             indent, times(name, count));
        if (linked_.count(kinds_.of(m)) != 0) {
            text_ += fmt::format("{}    \"{}\" [label=\"{}\"];\n", indent, path, name);
        }
        modules(inside->second, depth + 1);
        text_ += indent + "}\n";
    }

    const netlist& machine_;
    const module_kinds kinds_;
    std::map<kind, std::size_t> instances_;
    std::map<kind, std::size_t> first_;  ///< the module that is drawn
    std::map<std::size_t, std::vector<std::size_t>> children_;
    std::vector<std::size_t> top_;
    std::vector<arrow> arrows_;
    std::set<kind> linked_;  ///< have sockets of their own
    std::string text_;
};

}  // namespace

std::string netlist_drawing(const netlist& machine, const std::string& title) {
    return drawing(machine).text(title);
}

}  // namespace heddle
