// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/argument_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "command/run/data/element_type.h"
#include "command/run/data/npy_header.h"
#include "command/run/data/value_text.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "models/base/suggestion.h"

namespace heddle::command {

namespace {

using program::kernel_parameter;
using program::value_layout;

constexpr std::uint64_t shown = 8;  ///< values of a buffer in its preview
constexpr std::uint64_t most_values = std::uint64_t{1} << 32;  ///< no device has more bytes
constexpr const char* record_type = "record";

[[noreturn]] void refuse(const std::string& where) {
    throw configuration_error(where + " takes " + argument_buffers::syntax);
}

/// Splits TYPE[COUNT] or TYPE[COUNT]=INIT; false if the text has another form.
bool split(const std::string& text, argument_buffer& buffer, std::string& init) {
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos) return false;
    buffer.asked_type = text.substr(0, open);
    if (buffer.asked_type != record_type && find_element(buffer.asked_type) == nullptr) {
        return false;
    }
    const char* const end = text.data() + close;
    for (const char* at = text.data() + open + 1; at != end;) {
        std::uint32_t extent = 0;
        const auto [next, error] = std::from_chars(at, end, extent);
        if (error != std::errc{} || extent == 0 || (next != end && *next != ',')) return false;
        buffer.asked_shape.push_back(extent);
        at = next == end ? end : next + 1;
        if (next != end && at == end) return false;  // [4,]
    }
    if (!value_count(buffer.asked_shape, buffer.count) || buffer.count > most_values) return false;
    const std::string rest = text.substr(close + 1);
    if (!rest.empty() && rest[0] != '=') return false;
    init = rest.empty() ? "0" : rest.substr(1);
    return true;
}

/// Contents of a buffer by its INIT text; false if that is none of the type's.
bool fill(const argument_buffer& buffer, std::uint64_t seed, std::vector<std::byte>& contents) {
    contents.resize(buffer.bytes());
    std::byte* const first = contents.data();
    if (buffer.values.layout.is_record()) return buffer.init == "0";
    const element_type& type = *find_element(buffer.asked_type);
    const bool is_random = buffer.init == "random";
    if (!is_random && buffer.init != "iota") {
        if (!type.parse(buffer.init, first)) return false;
        for (std::size_t done = type.size; done < contents.size(); done *= 2) {
            std::memcpy(first + done, first, std::min(done, contents.size() - done));
        }
        return true;
    }
    if (!is_random && static_cast<double>(buffer.count) - 1 > type.highest) return false;
    random_stream random(seed, "argument." + buffer.name);
    const std::uint64_t most = type.what == program::layout_field::kind::boolean ? 2 : 256;
    for (std::uint64_t i = 0; i < buffer.count; ++i) {
        auto value = static_cast<double>(i);
        if (is_random) {
            value = type.is_real() ? random.uniform() : static_cast<double>(random.below(most));
        }
        type.encode(value, first + i * type.size);
    }
    return true;
}

/// A struct that the program says nothing about can't be compared with anything.
const value_layout& record_of(const kernel_parameter& parameter, const std::string& where) {
    if (parameter.layout.is_record()) return parameter.layout;
    throw configuration_error(fmt::format(
        "{}: a record is a struct of the kernel's, but '{}' {}", where, parameter.name,
        parameter.layout.size == 0
            ? "points to nothing that the program describes; if it was compiled by an older "
              "Heddle, compile it again"
            : "points to " + type_name(parameter.layout)));
}

/// The type came from a file, so nobody has said that the kernel may read it as another one.
void check_pointee(const argument_buffer& buffer, const kernel_parameter& parameter,
                   const std::string& where) {
    const value_layout& pointee = parameter.layout;
    const value_layout& own = buffer.values.layout;
    if (pointee.size == 0) return;
    if (!own.is_record() && !pointee.is_record() && !own.fields.empty() &&
        !pointee.fields.empty()) {
        const auto& a = own.fields.front();
        const auto& b = pointee.fields.front();
        if (a.what == b.what && a.size == b.size) return;  // also the numbers of a vector
    }
    if (own.is_record() && pointee.is_record() && layout_differences(pointee, own).empty()) return;
    throw configuration_error(fmt::format(
        "{}: '{}' has values of type {}, but '{}' points to {}{}", where, buffer.name,
        type_name(own), parameter.name,
        own.is_record() && pointee.is_record() ? "another struct" : type_name(pointee),
        own.is_record() ? ""
                        : fmt::format("; convert the file, or say that it is to be read so: "
                                      "{}:{}[]=@FILE",
                                      buffer.name, type_name(own))));
}

void read_file(argument_buffer& buffer, const value_layout& layout) {
    buffer.values = read_array(buffer.file, layout, buffer.asked.where);
    const std::uint64_t found = buffer.values.count();
    const bool any = buffer.asked_shape.empty();
    if (found == 0 || (!any && found != buffer.count)) {
        throw configuration_error(fmt::format("{}: {}: has {} values, expected {}",
                                              buffer.asked.where, buffer.file.string(), found,
                                              any ? "at least one" : std::to_string(buffer.count)));
    }
    buffer.count = found;
    if (buffer.asked_shape.size() > 1) buffer.values.shape = buffer.asked_shape;
}

}  // namespace

const std::string argument_buffers::syntax =
    "null, NAME:TYPE[COUNT], NAME:TYPE[COUNT]=INIT or NAME=@FILE.npy with TYPE " + element_names() +
    " record, COUNT from 1 on (or ROWS,COLUMNS) and INIT a number of that type, iota (0 1 2 ..., "
    "up to what the type holds), random or @FILE (.npy, .csv, else raw bytes; COUNT may then be "
    "left out); as in "
    "out:f32[1024]=0 or in:f64[]=@in.npy";

std::string argument_buffer::type() const {
    return type_name(values.layout);
}

std::uint64_t argument_buffer::previewed_bytes() const noexcept {
    return std::min(count, shown) * values.layout.size;
}

std::string argument_buffer::preview(const std::vector<std::byte>& contents) const {
    std::string text;
    for (std::uint64_t i = 0; i < std::min(count, shown); ++i) {
        text += (i == 0 ? "" : " ") +
                value_text(values.layout, contents.data() + i * values.layout.size);
    }
    return count > shown ? text + " ..." : text;
}

std::size_t argument_buffers::add(const std::string& name, const std::string& definition,
                                  const located_text& asked, const std::filesystem::path& folder) {
    argument_buffer buffer;
    buffer.name = name;
    buffer.asked = asked;
    std::string init = definition;
    const bool from_file = !definition.empty() && definition[0] == '@';
    if (name.empty() || (!from_file && !split(definition, buffer, init))) refuse(asked.where);
    if (!init.empty() && init[0] == '@') {
        if (init.size() == 1) refuse(asked.where);
        buffer.file = folder / init.substr(1);
    } else {
        if (buffer.asked_shape.empty()) refuse(asked.where);
        buffer.init = init;
    }
    if (find(name)) {
        throw configuration_error(
            fmt::format("{}: there are two buffers of the name '{}'", asked.where, name));
    }
    buffers_.push_back(std::move(buffer));
    return buffers_.size() - 1;
}

void argument_buffers::use(std::size_t index, const kernel_parameter& parameter,
                           const std::string& where) {
    argument_buffer& buffer = buffers_[index];
    if (!buffer.is_known) {
        value_layout layout;
        if (buffer.asked_type == record_type) {
            layout = record_of(parameter, where);
        } else if (!buffer.asked_type.empty()) {
            layout = layout_of(*find_element(buffer.asked_type));
        } else if (parameter.layout.is_record()) {
            layout = parameter.layout;
        }
        if (buffer.file.empty()) {
            buffer.values.layout = layout;
            buffer.values.shape = buffer.asked_shape;
        } else {
            read_file(buffer, layout);
        }
        buffer.is_known = true;
    }
    if (buffer.asked_type.empty() || buffer.asked_type == record_type) {
        check_pointee(buffer, parameter, where);
    }
}

std::optional<std::size_t> argument_buffers::find(const std::string& name) const {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (buffers_[i].name == name) return i;
    }
    return std::nullopt;
}

std::string argument_buffers::missing(const std::string& name) const {
    std::vector<std::string> names;
    for (const argument_buffer& buffer : buffers_) names.push_back(buffer.name);
    const std::string near = hint(name, names);
    return fmt::format("there is no buffer '{}'{} there {}", shortened(name),
                       near.empty() ? ";" : near,
                       names.empty() ? "is none" : "are " + joined(names));
}

void argument_buffers::make(device& target, std::uint64_t seed) {
    for (argument_buffer& buffer : buffers_) {
        // Allocated first: that refuses a size which the host could not hold either.
        buffer.address = target.allocate(buffer.bytes(), buffer.name);
        std::vector<std::byte> contents = std::move(buffer.values.contents);
        buffer.values.contents.clear();
        if (buffer.file.empty() && !fill(buffer, seed, contents)) refuse(buffer.asked.where);
        target.write(buffer.address, contents.data(), contents.size());
    }
}

}  // namespace heddle::command
