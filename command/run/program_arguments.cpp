// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/program_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle::command {
namespace {

using program::kernel_parameter;
using bytes_of = std::vector<std::byte>;

constexpr std::uint64_t shown = 8;  ///< values of a buffer in its preview

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

[[noreturn]] void reject(const kernel_parameter& parameter, const std::string& text,
                         const std::string& expected) {
    throw configuration_error(fmt::format("--arg {}: parameter '{}' ({}) takes {}", text,
                                          parameter.name, parameter.type, expected));
}

/// An element type of a buffer: its size, and what turns a number into its bytes and those into
/// text.
struct element_type {
    const char* name;
    std::size_t size;
    bool real;
    double low, high;  ///< what encode takes; an unsigned integer may be given as signed (-1)
    void (*encode)(double value, std::byte* to);
    std::string (*print)(const std::byte* from);
};

template <class T>
element_type element(const char* name) {
    constexpr bool real = !std::numeric_limits<T>::is_integer;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr auto values = static_cast<double>(std::uint64_t{1} << (8 * sizeof(T)));
    return {name,
            sizeof(T),
            real,
            real ? -infinity : -values / 2,
            real ? infinity : static_cast<double>(std::numeric_limits<T>::max()),
            [](double value, std::byte* to) {
                T element{};
                // By way of 64 bits, which hold every value: -1 is the largest unsigned integer.
                if constexpr (std::numeric_limits<T>::is_integer) {
                    element = static_cast<T>(static_cast<std::int64_t>(value));
                } else {
                    element = static_cast<T>(value);
                }
                std::memcpy(to, &element, sizeof element);
            },
            [](const std::byte* from) {
                T value;
                std::memcpy(&value, from, sizeof value);
                return fmt::format("{}", +value);  // a byte is a number, not a character
            }};
}

const element_type* find_element(const std::string& name) {
    static const element_type types[] = {
        element<std::int8_t>("i8"),    element<std::uint8_t>("u8"),  element<std::int16_t>("i16"),
        element<std::uint16_t>("u16"), element<std::int32_t>("i32"), element<std::uint32_t>("u32"),
        element<float>("f32")};
    const auto* const found = std::find_if(std::begin(types), std::end(types),
                                           [&](const element_type& t) { return t.name == name; });
    return found == std::end(types) ? nullptr : found;
}

/// Contents of a buffer by its INIT text; none if that is no number of the type, "iota" or
/// "random".
std::optional<bytes_of> initial_contents(const argument_buffer& buffer, const std::string& init,
                                         std::uint64_t seed) {
    const element_type& type = *find_element(buffer.type);
    random_stream random(seed, "argument." + buffer.name);
    const std::optional<double> number = parse<double>(init);
    if (!number && init != "iota" && init != "random") return std::nullopt;
    if (number && !type.real &&
        !(*number >= type.low && *number <= type.high && *number == std::floor(*number))) {
        return std::nullopt;
    }
    if (init == "iota" && static_cast<double>(buffer.count) - 1 > type.high) return std::nullopt;
    bytes_of contents(buffer.bytes());
    std::byte* const first = contents.data();
    if (number) {
        type.encode(*number, first);
        for (std::size_t done = type.size; done < contents.size(); done *= 2) {
            std::memcpy(first + done, first, std::min(done, contents.size() - done));
        }
        return contents;
    }
    const bool is_random = init == "random";
    for (std::uint64_t i = 0; i < buffer.count; ++i) {
        auto value = static_cast<double>(i);
        if (is_random) {
            value = type.real ? random.uniform() : static_cast<double>(random.below(256));
        }
        type.encode(value, first + i * type.size);
    }
    return contents;
}

constexpr const char* buffer_syntax =
    "null, NAME:TYPE[COUNT] or NAME:TYPE[COUNT]=INIT with TYPE i8 u8 i16 u16 i32 u32 f32, COUNT "
    "from 1 on and INIT a number of that type, iota (0 1 2 ..., up to what the type holds) or "
    "random; as in out:f32[1024]=0";

/// Splits NAME:TYPE[COUNT][=INIT]; none if the text has another form.
std::optional<argument_buffer> parse_buffer(const std::string& text, std::string& init) {
    const std::size_t colon = text.find(':');
    const std::size_t open = text.find('[', colon == std::string::npos ? 0 : colon);
    const std::size_t close = text.find(']', open == std::string::npos ? 0 : open);
    if (colon == std::string::npos || open == std::string::npos || close == std::string::npos) {
        return std::nullopt;
    }
    argument_buffer buffer{text.substr(0, colon), text.substr(colon + 1, open - colon - 1), 0, 0};
    const auto count = parse<std::uint32_t>(text.substr(open + 1, close - open - 1));
    const std::string rest = text.substr(close + 1);
    if (!count || *count == 0 || find_element(buffer.type) == nullptr || buffer.name.empty())
        return std::nullopt;
    if (!rest.empty() && rest[0] != '=') return std::nullopt;
    buffer.count = *count;
    init = rest.empty() ? "0" : rest.substr(1);
    return buffer;
}

bytes_of parse_number(const kernel_parameter& parameter, const std::string& text) {
    if (parameter.what == kernel_parameter::kind::floating) {
        const auto value = parse<double>(text);
        if (!value) reject(parameter, text, "a number");
        return parameter.size == 4 ? to_bytes(static_cast<float>(*value)) : to_bytes(*value);
    }
    const auto negative = parse_whole<std::int64_t>(text);
    const auto positive = parse_whole<std::uint64_t>(text);
    if (!negative && !positive) reject(parameter, text, "a whole number");
    bytes_of bytes = to_bytes(positive ? *positive : static_cast<std::uint64_t>(*negative));
    const unsigned bits = 8 * parameter.size;
    // An unsigned one may be given as signed: -1 is its largest.
    const std::int64_t low = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
    const std::uint64_t high =
        std::numeric_limits<std::uint64_t>::max() >> (64 - bits + (parameter.is_signed ? 1 : 0));
    if (positive ? *positive > high : *negative < low) {
        reject(parameter, text, fmt::format("a whole number from {} to {}", low, high));
    }
    bytes.resize(parameter.size);
    return bytes;
}

}  // namespace

std::size_t argument_buffer::bytes() const {
    return count * find_element(type)->size;
}

std::size_t argument_buffer::previewed_bytes() const {
    return std::min(count, shown) * find_element(type)->size;
}

std::string argument_buffer::preview(const std::vector<std::byte>& contents) const {
    const element_type& element = *find_element(type);
    std::string text;
    for (std::uint64_t i = 0; i < std::min(count, shown); ++i) {
        text += (i == 0 ? "" : " ") + element.print(contents.data() + i * element.size);
    }
    return count > shown ? text + " ..." : text;
}

program_arguments::program_arguments(const program::kernel& kernel,
                                     const std::vector<std::string>& texts, device& target,
                                     std::uint64_t seed) {
    if (texts.size() != kernel.parameters.size()) {
        std::string list;
        for (const auto& p : kernel.parameters) list += fmt::format("\n  {} {}", p.type, p.name);
        throw configuration_error(fmt::format(
            "kernel '{}' takes {} arguments, {} given{}{}", kernel.name, kernel.parameters.size(),
            texts.size(), list.empty() ? "" : "; its parameters, one --arg each:", list));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const kernel_parameter& parameter = kernel.parameters[i];
        switch (parameter.what) {
            case kernel_parameter::kind::integer:
            case kernel_parameter::kind::floating:
                values_.push_back(parse_number(parameter, texts[i]));
                kinds_.push_back(parameter.what == kernel_parameter::kind::integer
                                     ? launch_argument::kind::integer
                                     : launch_argument::kind::floating);
                break;
            case kernel_parameter::kind::local_pointer: {
                const auto bytes = parse<std::uint32_t>(texts[i]);
                if (!bytes) reject(parameter, texts[i], "the bytes of local memory");
                values_.push_back(to_bytes(*bytes));
                kinds_.push_back(launch_argument::kind::local_memory);
                break;
            }
            case kernel_parameter::kind::pointer:
                values_.push_back(to_bytes(make_buffer(parameter, texts[i], target, seed)));
                kinds_.push_back(launch_argument::kind::pointer);
                break;
            case kernel_parameter::kind::aggregate:
                reject(parameter, texts[i], "a struct, which only a host program can give");
        }
    }
}

device_address program_arguments::make_buffer(const kernel_parameter& parameter,
                                              const std::string& text, device& target,
                                              std::uint64_t seed) {
    if (text == "null") return 0;
    std::string init;
    auto buffer = parse_buffer(text, init);
    if (!buffer) reject(parameter, text, buffer_syntax);
    // Allocated first: that refuses a size which the host could not hold either.
    buffer->address = target.allocate(buffer->bytes(), buffer->name);
    const auto contents = initial_contents(*buffer, init, seed);
    if (!contents) reject(parameter, text, buffer_syntax);
    target.write(buffer->address, contents->data(), contents->size());
    buffers_.push_back(*buffer);
    return buffer->address;
}

std::vector<std::byte> program_arguments::pack(const program::kernel& kernel,
                                               launch_shape& shape) const {
    std::vector<launch_argument> arguments;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        arguments.push_back({kinds_[i], values_[i].size(), values_[i].data()});
    }
    return pack_arguments(kernel, shape, arguments.data(), arguments.size());
}

}  // namespace heddle::command
