// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/configuration_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/base/toml_file.h"

namespace heddle {
namespace {

const char* name_of(toml::node_type type) {
    switch (type) {
        case toml::node_type::table:
            return "an empty table";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::date:
            return "a date";
        case toml::node_type::time:
            return "a time";
        case toml::node_type::date_time:
            return "a date and time";
        default:
            return "a value";
    }
}

std::optional<parameter_value> value_of(const toml::node& node) {
    if (const auto* boolean = node.as_boolean()) return boolean->get();
    if (const auto* integer = node.as_integer()) return integer->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* text = node.as_string()) return text->get();
    return std::nullopt;
}

/// Turns the tree of tables into a list, in the order of the file.
class flattener {
public:
    explicit flattener(std::string file) : file_(std::move(file)) {}

    [[nodiscard]] std::string position(const toml::source_region& source) const {
        return toml_position(file_, source);
    }

    void add(const toml::table& table, const std::string& prefix) {
        for (const auto& [name, node] : table) {
            if (is_misplaced(table, name.str())) {
                throw configuration_error(fmt::format(
                    "{}: the quoted key \"{}\" contains a dot: write the part before it as a table",
                    position(name.source()), shortened(name.str())));
            }
            const std::string key = prefix + std::string(name.str());
            const auto* inner = node.as_table();
            if (inner != nullptr && !inner->empty()) {
                add(*inner, key + ".");
                continue;
            }
            found_.push_back({name.source().begin,
                              {key, value_of(node), name_of(node.type()), inner != nullptr,
                               position(name.source()), position(node.source())}});
        }
    }

    /// Whether a quoted key with a dot could be written as a table: not behind a value, as in
    /// slot = {part = "rtl", "part.where" = "*"}.
    static bool is_misplaced(const toml::table& table, std::string_view key) {
        const std::size_t dot = key.find('.');
        if (dot == std::string_view::npos) return false;
        const toml::node* const before = table.get(key.substr(0, dot));
        return before == nullptr || before->is_table();
    }

    /// toml++ iterates in alphabetical order; the first error should be the file's first.
    std::vector<configuration_file::entry> in_file_order() {
        std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
            return std::make_pair(a.first.line, a.first.column) <
                   std::make_pair(b.first.line, b.first.column);
        });
        std::vector<configuration_file::entry> result;
        for (auto& found : found_) result.push_back(std::move(found.second));
        return result;
    }

private:
    std::string file_;
    std::vector<std::pair<toml::source_position, configuration_file::entry>> found_;
};

configuration_file taken_apart(const toml::table& contents, const std::string& name) {
    flattener flat(name);
    flat.add(contents, "");
    configuration_file file;
    for (configuration_file::entry& entry : flat.in_file_order()) {
        if (entry.key != "inherits" && entry.key != "description") {
            file.entries.push_back(std::move(entry));
            continue;
        }
        const auto* given = entry.value ? std::get_if<std::string>(&*entry.value) : nullptr;
        if (given == nullptr) {
            throw configuration_error(fmt::format(
                "{}: {} = {} has the wrong type: it must be text in quotes", entry.value_position,
                entry.key, shortened(entry.value ? to_text(*entry.value) : entry.found)));
        }
        if (entry.key == "inherits") {
            file.inherits = *given;
            file.inherits_position = entry.value_position;
        } else {
            file.description = *given;
        }
    }
    return file;
}

}  // namespace

configuration_file read_configuration_file(const std::filesystem::path& path) {
    return taken_apart(read_toml(path, "configuration file"), path.string());
}

configuration_file read_configuration_text(const std::string& text, const std::string& name) {
    return taken_apart(parse_toml(text, name), name);
}

}  // namespace heddle
