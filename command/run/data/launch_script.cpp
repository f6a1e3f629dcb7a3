// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/launch_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/base/toml_file.h"

namespace heddle::command {

namespace {

/// More streams than a run can have launches at a time are a mistake.
constexpr std::int64_t most_streams = 1024;
constexpr std::int64_t any_extent = std::numeric_limits<std::uint32_t>::max();

using entry = std::pair<std::string, const toml::node*>;

class script_reader {
public:
    explicit script_reader(const std::filesystem::path& file)
        : file_(file.string()), folder_(file.parent_path()) {}

    launch_plan read() {
        const toml::table script = read_toml(file_, "launch script");
        launch_plan plan;
        plan.naming = buffer_naming::by_name;
        plan.folder = folder_;
        for (const auto& [key, node] : entries(script)) {
            if (key == "program") {
                plan.program = folder_ / text(key, *node);
            } else if (key == "buffers") {
                for (const auto& [name, value] : entries(table(key, *node))) {
                    plan.buffers.push_back(
                        {name, {text(name, *value), where(*value, "buffers." + name)}});
                }
            } else if (key == "launch") {
                read_launches(*node, plan);
            } else if (key == "save" || key == "golden") {
                auto& files = key == "save" ? plan.saved : plan.golden;
                for (const auto& [name, value] : entries(table(key, *node))) {
                    files.push_back({name, folder_ / text(name, *value),
                                     where(*value, fmt::format("{}.{}", key, name))});
                }
            } else if (key == "tolerance") {
                plan.tolerance = tolerance(*node);
            } else {
                unknown(key, *node,
                        {"program", "buffers", "launch", "save", "golden", "tolerance"});
            }
        }
        if (plan.program.empty()) missing("program = \"FILE.elf\"");
        if (plan.launches.empty()) missing("[[launch]], one for each launch");
        return plan;
    }

private:
    [[nodiscard]] std::string position(const toml::node& node) const {
        return toml_position(file_, node.source());
    }
    [[nodiscard]] std::string where(const toml::node& node, const std::string& what) const {
        return position(node) + ": " + what;
    }
    [[noreturn]] void missing(const std::string& what) const {
        throw configuration_error(fmt::format("{}: there is no {}", file_, what));
    }
    [[noreturn]] void expected(const std::string& key, const toml::node& node,
                               const std::string& what) const {
        throw configuration_error(fmt::format("{}: {} must be {}", position(node), key, what));
    }
    [[noreturn]] void unknown(const std::string& key, const toml::node& node,
                              const std::vector<std::string>& known) const {
        const std::string near = hint(key, known);
        throw configuration_error(fmt::format("{}: unknown key '{}'{} legal: {}", position(node),
                                              shortened(key), near.empty() ? ";" : near,
                                              joined(known)));
    }

    /// In the order of the file; the table has them in alphabetical order.
    static std::vector<entry> entries(const toml::table& table) {
        std::vector<entry> list;
        for (const auto& [key, node] : table) list.emplace_back(std::string(key.str()), &node);
        std::stable_sort(list.begin(), list.end(), [](const entry& a, const entry& b) {
            const auto& at = a.second->source().begin;
            const auto& other = b.second->source().begin;
            return std::make_pair(at.line, at.column) < std::make_pair(other.line, other.column);
        });
        return list;
    }

    const toml::table& table(const std::string& key, const toml::node& node) const {
        const toml::table* const found = node.as_table();
        if (found == nullptr) expected(key, node, fmt::format("a table, [{}]", key));
        return *found;
    }

    std::string text(const std::string& key, const toml::node& node) const {
        const auto* const found = node.as_string();
        if (found == nullptr || found->get().empty()) expected(key, node, "text in quotes");
        return found->get();
    }

    std::int64_t whole(const std::string& key, const toml::node& node, std::int64_t low,
                       std::int64_t high) const {
        const auto* const found = node.as_integer();
        if (found == nullptr || found->get() < low || found->get() > high) {
            expected(key, node, fmt::format("a whole number from {} to {}", low, high));
        }
        return found->get();
    }

    golden_tolerance tolerance(const toml::node& node) const {
        const auto* const list = node.as_array();
        std::vector<double> values;
        const auto add = [&](const toml::node& each) {
            const auto value = each.value<double>();
            if (!value || !(*value >= 0)) {
                expected("tolerance", node, "REL or [REL, ABS], numbers from 0 on");
            }
            values.push_back(*value);
        };
        if (list == nullptr) {
            add(node);
        } else {
            for (const toml::node& each : *list) add(each);
        }
        if (values.empty() || values.size() > 2) expected("tolerance", node, "REL or [REL, ABS]");
        return {values[0], values.size() == 2 ? values[1] : 0};
    }

    /// What is left out is `least`.
    dim3 extent(const std::string& key, const toml::node& node, std::uint32_t least = 1) const {
        const auto* const list = node.as_array();
        if (list == nullptr) {
            return {static_cast<std::uint32_t>(whole(key, node, least, any_extent)), least, least};
        }
        if (list->empty() || list->size() > 3) {
            expected(
                key, node,
                "X, [X, Y] or [X, Y, Z] with whole numbers from " + std::to_string(least) + " on");
        }
        std::uint32_t values[3] = {least, least, least};
        for (std::size_t i = 0; i < list->size(); ++i) {
            values[i] = static_cast<std::uint32_t>(whole(key, *list->get(i), least, any_extent));
        }
        return {values[0], values[1], values[2]};
    }

    /// A number as the command line would have it, or a text.
    std::string argument(const toml::node& node) const {
        if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
        if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
        if (const auto* boolean = node.as_boolean()) return boolean->get() ? "1" : "0";
        return text("an argument", node);
    }

    void read_launches(const toml::node& node, launch_plan& plan) const {
        const auto* const list = node.as_array();
        if (list == nullptr) expected("launch", node, "[[launch]], one for each launch");
        for (const toml::node& each : *list) {
            plan.launches.push_back(read_launch(table("launch", each)));
        }
    }

    planned_launch read_launch(const toml::table& fields) const {
        planned_launch launch;
        launch.where = toml_position(file_, fields.source()) + ": ";
        for (const auto& [key, node] : entries(fields)) {
            if (key == "kernel") {
                launch.kernel = text(key, *node);
            } else if (key == "grid") {
                launch.grid = extent(key, *node);
            } else if (key == "block") {
                launch.block = extent(key, *node);
            } else if (key == "offset") {
                launch.offset = extent(key, *node, 0);
            } else if (key == "shared") {
                launch.shared_bytes = static_cast<std::uint32_t>(whole(key, *node, 0, any_extent));
            } else if (key == "cooperative") {
                const auto* const flag = node->as_boolean();
                if (flag == nullptr) expected(key, *node, "true or false");
                launch.cooperative = flag->get();
            } else if (key == "stream") {
                launch.stream = static_cast<std::uint32_t>(whole(key, *node, 0, most_streams - 1));
            } else if (key == "arguments") {
                const auto* const list = node->as_array();
                if (list == nullptr) expected(key, *node, "an array, one element a parameter");
                for (const toml::node& each : *list) {
                    const std::string value = argument(each);
                    launch.arguments.push_back(
                        {value, fmt::format("{}: argument {}", position(each), value)});
                }
            } else {
                unknown(key, *node,
                        {"kernel", "grid", "block", "offset", "shared", "cooperative", "stream",
                         "arguments"});
            }
        }
        return launch;
    }

    std::string file_;
    std::filesystem::path folder_;
};

}  // namespace

launch_plan read_launch_script(const std::filesystem::path& file) {
    return script_reader(file).read();
}

}  // namespace heddle::command
