// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "command/run/data/csv_values.h"
#include "command/run/data/npy_header.h"
#include "command/run/data/value_text.h"
#include "models/base/error.h"

namespace heddle::command {

namespace {

using program::value_layout;

/// A device has no more memory.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
constexpr std::size_t differences_shown = 5;

bool has_ending(const std::filesystem::path& file, const char* ending) {
    return file.extension() == ending;
}

/// `name` begins messages.
std::string read_bytes(const std::filesystem::path& file, const std::string& name) {
    const auto fail = [&](const std::string& reason) {
        throw configuration_error(name + ": " + reason);
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) fail("is a directory");
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) fail(std::strerror(errno));
    std::string bytes;
    constexpr std::size_t step = std::size_t{1} << 20;
    while (stream && bytes.size() <= most_bytes) {
        const std::size_t before = bytes.size();
        bytes.resize(before + step);
        stream.read(&bytes[before], step);
        bytes.resize(before + static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad()) fail(std::strerror(errno));
    if (bytes.size() > most_bytes) fail("has more than 4 GiB, more than any device");
    return bytes;
}

std::vector<std::byte> to_contents(std::string_view bytes) {
    std::vector<std::byte> contents(bytes.size());
    if (!bytes.empty()) std::memcpy(contents.data(), bytes.data(), bytes.size());
    return contents;
}

void check_same(const value_layout& expected, const value_layout& found, const std::string& name) {
    std::vector<std::string> differences = layout_differences(expected, found);
    if (differences.empty()) return;
    if (!expected.is_record() || !found.is_record()) {
        throw configuration_error(fmt::format("{}: has values of type {}, expected {}", name,
                                              type_name(found), type_name(expected)));
    }
    const bool only_places =
        std::all_of(found.fields.begin(), found.fields.end(), [&](const auto& field) {
            return std::any_of(expected.fields.begin(), expected.fields.end(),
                               [&](const auto& own) { return own.name == field.name; });
        });
    if (differences.size() > differences_shown) {
        const std::size_t more = differences.size() - differences_shown;
        differences.resize(differences_shown);
        differences.push_back(fmt::format("{} more differences", more));
    }
    throw configuration_error(fmt::format(
        "{}: its records are not the kernel's struct: {}{}", name, fmt::join(differences, "; "),
        only_places ? "; numpy.dtype(..., align=True) lays fields out as C++ does" : ""));
}

array_values read_npy(const std::string& bytes, const value_layout& expected,
                      const std::string& name) {
    const npy_header header = parse_npy_header(bytes, name);
    if (expected.size != 0) check_same(expected, header.layout, name);
    array_values values;
    values.layout = expected.size != 0 ? expected : header.layout;
    values.descr = header.descr;
    values.shape = header.shape;
    std::uint64_t count = 0;
    const std::uint64_t held = bytes.size() - header.bytes;
    const bool fits = value_count(header.shape, count) && count <= most_bytes;
    if (!fits || count * values.layout.size != held) {
        throw configuration_error(
            fmt::format("{}: the file is too {}: it has {} bytes of values, its header promises "
                        "{} values of {} bytes",
                        name, fits && count * values.layout.size < held ? "long" : "short", held,
                        fits ? std::to_string(count) : "more than 4 G", values.layout.size));
    }
    values.contents = to_contents(std::string_view(bytes).substr(header.bytes));
    return values;
}

}  // namespace

array_values read_array(const std::filesystem::path& file, const value_layout& expected,
                        const std::string& where) {
    const std::string name = fmt::format("{}: {}", where, file.string());
    const std::string bytes = read_bytes(file, name);
    if (has_ending(file, ".npy")) return read_npy(bytes, expected, name);
    if (expected.size == 0) {
        throw configuration_error(name +
                                  ": only a .npy file says what its values are; give their type, "
                                  "as in NAME:f32[]=@FILE");
    }
    if (has_ending(file, ".csv")) {
        csv_values read = read_csv(bytes, expected, name);
        return {expected, "", std::move(read.shape), std::move(read.contents)};
    }
    if (bytes.size() % expected.size != 0) {
        throw configuration_error(fmt::format("{}: has {} bytes, no multiple of the {} of a {}",
                                              name, bytes.size(), expected.size,
                                              type_name(expected)));
    }
    return {expected, "", {bytes.size() / expected.size}, to_contents(bytes)};
}

void check_writable(const std::filesystem::path& file, const value_layout& layout,
                    const std::string& where) {
    // Reading an empty text asks the same.
    if (has_ending(file, ".csv")) (void)read_csv("", layout, where);
}

void write_array(std::ostream& out, const std::filesystem::path& file, const array_values& values) {
    if (has_ending(file, ".csv")) {
        write_csv(out, values.layout, values.shape, values.contents);
        return;
    }
    if (has_ending(file, ".npy")) {
        out << format_npy_header(values.descr.empty() ? npy_descr(values.layout) : values.descr,
                                 values.shape);
    }
    out.write(reinterpret_cast<const char*>(values.contents.data()),
              static_cast<std::streamsize>(values.contents.size()));
}

}  // namespace heddle::command
