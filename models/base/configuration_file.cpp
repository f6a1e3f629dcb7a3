// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/configuration_file.h"

#include <fmt/format.h>
// Some of the parser's assertions stand in front of the error that it would report; what is wrong
// with a file must not depend on the build.
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle {
namespace {

/// Far above any configuration; what is larger, or endless, is another kind of file.
constexpr std::size_t longest_file = std::size_t{1} << 20;  // bytes
/// Dots of a line outside of quotes and comments, far above any configuration. The parser calls
/// itself for every part of a dotted key, and a long enough one would end the stack.
constexpr unsigned most_dots = 32;

std::string read_text(const std::filesystem::path& path) {
    const auto refuse = [&](const std::string& reason) {
        throw configuration_error(
            fmt::format("cannot read the configuration file '{}': {}", path.string(), reason));
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) refuse("it is a directory");
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) refuse(std::strerror(errno));
    std::string text(longest_file + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad()) refuse(std::strerror(errno));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > longest_file) {
        refuse(fmt::format("it has more than {} bytes", longest_file));
    }
    if (text.find('\0') != std::string::npos) refuse("it is not text, so it is not valid TOML");
    return text;
}

void check_dots(const std::string& text, const std::string& file) {
    unsigned line = 1;
    unsigned dots = 0;
    char quote = '\0';
    bool comment = false;
    for (const char c : text) {
        if (c == '\n') {
            ++line;
            dots = 0;
            quote = '\0';
            comment = false;
        } else if (comment || (quote != '\0' && c != quote)) {
            continue;
        } else if (c == '"' || c == '\'') {
            quote = quote == '\0' ? c : '\0';
        } else if (c == '#') {
            comment = true;
        } else if (c == '.' && ++dots > most_dots) {
            throw configuration_error(fmt::format(
                "{}:{}: not valid TOML: more than {} dots in a line; a key has at most a few parts",
                file, line, most_dots));
        }
    }
}

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
        return fmt::format("{}:{}:{}", file_, source.begin.line, source.begin.column);
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

}  // namespace

configuration_file read_configuration_file(const std::filesystem::path& path) {
    const std::string text = read_text(path);
    check_dots(text, path.string());
    flattener flat(path.string());
    try {
        flat.add(toml::parse(text, path.string()), "");
    } catch (const toml::parse_error& error) {
        throw configuration_error(fmt::format("{}: not valid TOML: {}",
                                              flat.position(error.source()), error.description()));
    }
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

}  // namespace heddle
