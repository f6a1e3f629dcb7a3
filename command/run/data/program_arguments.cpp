// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/program_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <limits>

#include "command/run/data/value_text.h"
#include "models/base/error.h"

namespace heddle::command {
namespace {

using program::kernel_parameter;
using bytes_of = std::vector<std::byte>;

template <class T>
bytes_of to_bytes(T value) {
    bytes_of bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

template <class T>
std::optional<T> parse(const std::string& text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A whole number, decimal or 0x….
template <class T>
std::optional<T> parse_whole(const std::string& text) {
    if (text.rfind("0x", 0) != 0) return parse<T>(text);
    T value{};
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data() + 2, end, value, 16);
    if (error != std::errc{} || next != end) return std::nullopt;
    return value;
}

[[noreturn]] void reject(const located_text& argument, const std::string& expected) {
    throw configuration_error(argument.where + " takes " + expected);
}

bytes_of parse_number(const kernel_parameter& parameter, const located_text& argument) {
    const std::string& text = argument.text;
    if (parameter.what == kernel_parameter::kind::floating) {
        const auto value = parse<double>(text);
        if (!value) reject(argument, "a number");
        return parameter.size == 4 ? to_bytes(static_cast<float>(*value)) : to_bytes(*value);
    }
    const auto negative = parse_whole<std::int64_t>(text);
    const auto positive = parse_whole<std::uint64_t>(text);
    if (!negative && !positive) reject(argument, "a whole number");
    bytes_of bytes = to_bytes(positive ? *positive : static_cast<std::uint64_t>(*negative));
    const unsigned bits = 8 * parameter.size;
    // An unsigned one may be given as signed: -1 is its largest.
    const std::int64_t low = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
    const std::uint64_t high =
        std::numeric_limits<std::uint64_t>::max() >> (64 - bits + (parameter.is_signed ? 1 : 0));
    if (positive ? *positive > high : *negative < low) {
        reject(argument, fmt::format("a whole number from {} to {}", low, high));
    }
    bytes.resize(parameter.size);
    return bytes;
}

/// A struct by value, from a file with one record; a vector, from its numbers.
bytes_of read_struct(const kernel_parameter& parameter, const located_text& argument,
                     const std::filesystem::path& folder) {
    const std::size_t at = argument.text.find('@');
    const bool legal = at == 0 || (at != std::string::npos && argument.text[at - 1] == '=');
    if (!legal || at + 1 == argument.text.size()) {
        reject(argument,
               "a struct from a file, as NAME=@FILE (.npy with one record, or its bytes)");
    }
    program::value_layout layout = parameter.layout;
    std::uint64_t count = 1;
    if (layout.fields.empty()) {  // nothing is known but its size
        layout = {parameter.size, {{"", program::layout_field::kind::bytes, 0, parameter.size, 1}}};
    } else if (!layout.is_record()) {
        count = layout.fields.front().count;
        layout.fields.front().count = 1;
        layout.size = layout.fields.front().size;
    }
    const std::filesystem::path file = folder / argument.text.substr(at + 1);
    if (parameter.layout.size == 0 && (file.extension() == ".npy" || file.extension() == ".csv")) {
        reject(argument,
               "only the raw bytes of a struct, because the program does not describe it; if it "
               "was compiled by an older Heddle, compile it again");
    }
    array_values values = read_array(file, layout, argument.where);
    if (values.count() != count) {
        throw configuration_error(fmt::format("{}: {}: has {} values, expected {}", argument.where,
                                              file.string(), values.count(), count));
    }
    values.contents.resize(parameter.size);
    return values.contents;
}

/// Adds the buffer that an argument defines; returns its index.
std::size_t define(const located_text& argument, const std::filesystem::path& folder,
                   argument_buffers& buffers) {
    const std::size_t end = argument.text.find_first_of(":=");
    if (end == std::string::npos) reject(argument, argument_buffers::syntax);
    const bool typed = argument.text[end] == ':';
    const std::string definition = argument.text.substr(end + 1);
    const bool from_file = !definition.empty() && definition[0] == '@';
    if (typed == from_file) reject(argument, argument_buffers::syntax);
    return buffers.add(argument.text.substr(0, end), definition, argument, folder);
}

}  // namespace

program_arguments::program_arguments(const program::kernel& kernel,
                                     const std::vector<located_text>& texts, buffer_naming naming,
                                     const std::filesystem::path& folder,
                                     argument_buffers& buffers) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const kernel_parameter& parameter = kernel.parameters[i];
        const located_text argument{
            texts[i].text,
            fmt::format("{}: parameter '{}' ({})", texts[i].where, parameter.name, parameter.type)};
        switch (parameter.what) {
            case kernel_parameter::kind::integer:
                arguments_.push_back(
                    {launch_argument::kind::integer, parse_number(parameter, argument), {}});
                break;
            case kernel_parameter::kind::floating:
                arguments_.push_back(
                    {launch_argument::kind::floating, parse_number(parameter, argument), {}});
                break;
            case kernel_parameter::kind::local_pointer: {
                const auto bytes = parse<std::uint32_t>(argument.text);
                if (!bytes) reject(argument, "the bytes of local memory");
                arguments_.push_back({launch_argument::kind::local_memory, to_bytes(*bytes), {}});
                break;
            }
            case kernel_parameter::kind::pointer: {
                arguments_.push_back(
                    {launch_argument::kind::pointer, to_bytes(device_address{0}), {}});
                if (argument.text == "null") break;
                auto buffer = naming == buffer_naming::defined ? define(argument, folder, buffers)
                                                               : buffers.find(argument.text);
                if (!buffer) {
                    throw configuration_error(argument.where + ": " +
                                              buffers.missing(argument.text));
                }
                buffers.use(*buffer, parameter, argument.where);
                arguments_.back().buffer = buffer;
                break;
            }
            case kernel_parameter::kind::aggregate:
                arguments_.push_back({launch_argument::kind::aggregate,
                                      read_struct(parameter, argument, folder),
                                      {}});
                break;
        }
    }
}

std::vector<std::byte> program_arguments::pack(const program::kernel& kernel, launch_shape& shape,
                                               const argument_buffers& buffers) const {
    std::vector<device_address> addresses(arguments_.size());
    std::vector<launch_argument> list;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const argument& own = arguments_[i];
        if (own.buffer) addresses[i] = buffers.all()[*own.buffer].address;
        const void* const data = own.buffer ? static_cast<const void*>(&addresses[i])
                                            : static_cast<const void*>(own.value.data());
        list.push_back({own.what, own.value.size(), data});
    }
    return pack_arguments(kernel, shape, list.data(), list.size());
}

}  // namespace heddle::command
