// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/npy_header.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

#include "command/run/data/python_literal.h"
#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/base/suggestion.h"

namespace heddle::command {

namespace {

using program::layout_field;
using program::value_layout;
using kind = layout_field::kind;
using literal = python_literal;

constexpr std::string_view magic = "\x93NUMPY";
/// Far above the header of any array that a kernel can take.
constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::size_t most_parts = 16384;  ///< of a dtype, those of records in records included
constexpr std::uint32_t most_value_bytes = 1u << 28;
constexpr unsigned deepest_dtype = 16;

/// Turns a dtype into the layout of one value.
class descr_reader {
public:
    explicit descr_reader(const std::string& file) : file_(file) {}

    value_layout read(const literal& descr) {
        value_layout layout;
        layout.size = add(descr, "", 0, 1, 0);
        layout.fields = std::move(fields_);
        if (layout.size == 0) fail("its values have no bytes");
        return layout;
    }

private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw configuration_error(file_ + ": " + reason);
    }
    [[noreturn]] void damaged(const literal& what) const {
        fail(fmt::format("damaged .npy header: found '{}', expected a dtype",
                         shortened(what.source)));
    }

    /// Adds `count` values of a dtype at `offset`; returns their bytes.
    std::uint32_t add(const literal& descr, const std::string& name, std::uint32_t offset,
                      std::uint32_t count, unsigned depth) {
        if (depth > deepest_dtype || ++parts_ > most_parts) {
            fail("its dtype has too many fields");
        }
        if (descr.what == literal::kind::text) return add_number(descr, name, offset, count);
        if (descr.what != literal::kind::list || descr.items.empty()) damaged(descr);
        std::uint32_t end = offset;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::string at = count == 1 ? name : fmt::format("{}[{}]", name, i);
            for (const literal& field : descr.items) end = add_field(field, at, end, depth);
        }
        return end - offset;
    }

    /// ('name', dtype) or ('name', dtype, shape); the name may be ('title', 'name').
    std::uint32_t add_field(const literal& field, const std::string& prefix, std::uint32_t offset,
                            unsigned depth) {
        const auto& parts = field.items;
        if (field.what != literal::kind::tuple || parts.size() < 2 || parts.size() > 3) {
            damaged(field);
        }
        const literal* name = &parts[0];
        if (name->what == literal::kind::tuple && name->items.size() == 2) name = &name->items[1];
        if (name->what != literal::kind::text) damaged(field);
        std::uint64_t count = 1;
        if (parts.size() == 3) {
            for (const std::uint64_t extent : shape_of(parts[2])) {
                count *= extent;
                if (extent == 0 || count > most_value_bytes) fail("its dtype has an empty array");
            }
        }
        const std::string full = prefix + (prefix.empty() ? "" : ".") + name->text;
        const bool padding = name->text.empty();
        const std::size_t fields = fields_.size();
        const std::uint32_t bytes =
            add(parts[1], full, offset, static_cast<std::uint32_t>(count), depth + 1);
        if (padding) fields_.resize(fields);
        return offset + bytes;
    }

    std::vector<std::uint64_t> shape_of(const literal& shape) const {
        if (shape.what == literal::kind::number) return {shape.number};
        std::vector<std::uint64_t> extents;
        if (!shape.is_sequence()) damaged(shape);
        for (const literal& extent : shape.items) {
            if (extent.what != literal::kind::number) damaged(shape);
            extents.push_back(extent.number);
        }
        return extents;
    }

    std::uint32_t add_number(const literal& descr, const std::string& name, std::uint32_t offset,
                             std::uint32_t count) {
        const std::string& text = descr.text;
        if (text.size() < 2) damaged(descr);
        std::uint32_t size = 0;
        const char* const end = text.data() + text.size();
        const auto [next, error] = std::from_chars(text.data() + 2, end, size);
        if (text[0] == '>') {
            fail(
                fmt::format("has big-endian values ('{0}'); save it with "
                            "array.astype('<{1}')",
                            text, text.substr(1)));
        }
        const std::optional<kind> what = kind_of(text[1], size);
        if (error != std::errc{} || next != end || (text[0] != '<' && text[0] != '|') || !what) {
            fail(
                fmt::format("has values of dtype '{}', which kernels don't have; they have i1 u1 "
                            "i2 u2 i4 u4 i8 u8 f2 f4 f8 b1, S and V, and records of these",
                            shortened(text)));
        }
        if (std::uint64_t{size} * count > most_value_bytes - offset) {
            fail(fmt::format("damaged .npy header: a value of more than {} bytes",
                             most_value_bytes));
        }
        fields_.push_back({name, *what, offset, size, count});
        return size * count;
    }

    static std::optional<kind> kind_of(char type, std::uint32_t size) {
        const bool power = size == 1 || size == 2 || size == 4 || size == 8;
        switch (type) {
            case 'i':
                return power ? std::optional(kind::signed_integer) : std::nullopt;
            case 'u':
                return power ? std::optional(kind::unsigned_integer) : std::nullopt;
            case 'f':
                return power && size != 1 ? std::optional(kind::floating) : std::nullopt;
            case 'b':
                return size == 1 ? std::optional(kind::boolean) : std::nullopt;
            case 'S':
            case 'V':
                return size != 0 ? std::optional(kind::bytes) : std::nullopt;
            default:
                return std::nullopt;
        }
    }

    const std::string& file_;
    std::vector<layout_field> fields_;
    std::size_t parts_ = 0;
};

std::string number_descr(const layout_field& field) {
    const char* const order = field.size == 1 || field.what == kind::bytes ? "|" : "<";
    switch (field.what) {
        case kind::signed_integer:
            return fmt::format("'{}i{}'", order, field.size);
        case kind::unsigned_integer:
            return fmt::format("'{}u{}'", order, field.size);
        case kind::boolean:
            return fmt::format("'{}b{}'", order, field.size);
        case kind::floating:
            return fmt::format("'{}f{}'", order, field.size);
        case kind::bytes:
            break;
    }
    return fmt::format("'{}V{}'", order, field.size);
}

}  // namespace

npy_header parse_npy_header(std::string_view bytes, const std::string& file) {
    const auto fail = [&](const std::string& reason) {
        throw configuration_error(file + ": " + reason);
    };
    if (bytes.substr(0, magic.size()) != magic) fail("is no .npy file: it does not begin as one");
    const auto byte = [&](std::size_t i) -> std::size_t {
        return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
    };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3) {
        fail(fmt::format("is a .npy file of version {}; versions 1 to 3 are known", version));
    }
    const std::size_t begin = version == 1 ? 10 : 12;
    std::size_t length = byte(8) | byte(9) << 8;
    if (version != 1) length |= byte(10) << 16 | byte(11) << 24;
    if (length > longest_header || bytes.size() < begin + length) {
        fail(fmt::format("damaged .npy header: it should have {} bytes, the file has {}",
                         begin + length, bytes.size()));
    }
    const std::string_view text = bytes.substr(begin, length);
    const auto header = read_python_literal(text);
    const literal* const descr = header ? header->find("descr") : nullptr;
    const literal* const order = header ? header->find("fortran_order") : nullptr;
    const literal* const shape = header ? header->find("shape") : nullptr;
    if (descr == nullptr || order == nullptr || shape == nullptr ||
        order->what != literal::kind::boolean || shape->what != literal::kind::tuple) {
        fail(
            fmt::format("damaged .npy header: found '{}', expected a dictionary with descr, "
                        "fortran_order and shape",
                        shortened(text)));
    }
    npy_header out;
    for (const literal& extent : shape->items) {
        if (extent.what != literal::kind::number) {
            fail(fmt::format("damaged .npy header: the shape is '{}'", shortened(shape->source)));
        }
        out.shape.push_back(extent.number);
    }
    out.layout = descr_reader(file).read(*descr);
    if (order->number != 0 && out.shape.size() > 1) {
        fail("is in Fortran order; save it with numpy.ascontiguousarray(array)");
    }
    out.descr = std::string(descr->source);
    out.bytes = begin + length;
    return out;
}

std::string format_npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape) {
    std::string extents;
    for (const std::uint64_t extent : shape) extents += fmt::format("{}, ", extent);
    if (shape.size() > 1) extents.resize(extents.size() - 2);
    if (shape.size() == 1) extents.pop_back();
    std::string text =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}), }}", descr, extents);
    // The values begin at a multiple of 64 bytes, as NumPy has it.
    const bool is_short = text.size() + 1 + 10 <= 0xffff;
    const std::size_t begin = is_short ? 10 : 12;
    const std::size_t length = round_up(begin + text.size() + 1, 64) - begin;
    text.resize(length - 1, ' ');
    text += '\n';
    std::string header(magic);
    header += is_short ? '\1' : '\2';
    header += '\0';
    for (std::size_t i = 0; i < begin - 8; ++i) header += static_cast<char>(length >> (8 * i));
    return header + text;
}

std::string npy_descr(const value_layout& layout) {
    if (!layout.is_record()) {
        if (layout.fields.empty()) return fmt::format("'|V{}'", layout.size);
        return number_descr(layout.fields.front());
    }
    std::string text;
    std::uint32_t end = 0;
    const auto pad = [&](std::uint32_t to) {
        if (to > end) text += fmt::format("('', '|V{}'), ", to - end);
    };
    for (const layout_field& field : layout.fields) {
        if (field.offset < end) return fmt::format("'|V{}'", layout.size);  // bit fields overlap
        pad(field.offset);
        text += fmt::format("('{}', {}", field.name, number_descr(field));
        text += field.count == 1 ? "), " : fmt::format(", ({},)), ", field.count);
        end = field.offset + field.size * field.count;
    }
    pad(layout.size);
    text.resize(text.size() - 2);
    return "[" + text + "]";
}

bool value_count(const std::vector<std::uint64_t>& shape, std::uint64_t& count) {
    count = 1;
    for (const std::uint64_t extent : shape) {
        if (extent != 0 && count > std::numeric_limits<std::uint64_t>::max() / extent) return false;
        count *= extent;
    }
    return true;
}

}  // namespace heddle::command
