// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/toml_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "models/base/error.h"

namespace heddle {
namespace {

/// Far above any configuration; what is larger, or endless, is another kind of file.
constexpr std::size_t longest_file = std::size_t{1} << 20;  // bytes
/// Dots of a line outside of quotes and comments, far above any configuration. The parser calls
/// itself for every part of a dotted key, and a long enough one would end the stack.
constexpr unsigned most_dots = 32;

std::string read_text(const std::filesystem::path& path, const std::string& kind) {
    const auto refuse = [&](const std::string& reason) {
        throw configuration_error(
            fmt::format("cannot read the {} '{}': {}", kind, path.string(), reason));
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

}  // namespace

std::string toml_position(const std::string& file, const toml::source_region& source) {
    return fmt::format("{}:{}:{}", file, source.begin.line, source.begin.column);
}

toml::table read_toml(const std::filesystem::path& path, const std::string& kind) {
    return parse_toml(read_text(path, kind), path.string());
}

toml::table parse_toml(const std::string& text, const std::string& name) {
    check_dots(text, name);
    try {
        return toml::parse(text, name);
    } catch (const toml::parse_error& error) {
        throw configuration_error(fmt::format(
            "{}: not valid TOML: {}", toml_position(name, error.source()), error.description()));
    }
}

}  // namespace heddle
