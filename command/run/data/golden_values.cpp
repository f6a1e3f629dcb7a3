// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/golden_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "command/run/data/element_type.h"
#include "command/run/data/value_text.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle::command {

namespace {

using program::layout_field;

bool is_close(double a, double b, const golden_tolerance& tolerance) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return true;
    // An infinite expected value would make any tolerance infinite.
    return std::isfinite(b) &&
           std::fabs(a - b) <= tolerance.absolute + tolerance.relative * std::fabs(b);
}

bool same_number(const layout_field& field, const element_type* type, const std::byte* a,
                 const std::byte* b, const golden_tolerance& tolerance) {
    if (std::memcmp(a, b, field.size) == 0) return true;
    return type != nullptr && type->is_real() &&
           is_close(type->value(a), type->value(b), tolerance);
}

}  // namespace

std::string golden_tolerance::text() const {
    if (is_exact()) return "exact";
    return absolute == 0 ? fmt::format("tolerance {}", relative)
                         : fmt::format("tolerance {},{}", relative, absolute);
}

golden_tolerance parse_tolerance(const std::string& text, const std::string& where) {
    golden_tolerance tolerance;
    const char* const end = text.data() + text.size();
    auto [next, error] = std::from_chars(text.data(), end, tolerance.relative);
    if (error == std::errc{} && next != end && *next == ',') {
        const auto second = std::from_chars(next + 1, end, tolerance.absolute);
        next = second.ptr;
        error = second.ec;
    }
    const auto legal = [](double value) { return std::isfinite(value) && value >= 0; };
    if (error == std::errc{} && next == end && legal(tolerance.relative) &&
        legal(tolerance.absolute)) {
        return tolerance;
    }
    throw configuration_error(fmt::format(
        "{}: found '{}', expected REL or REL,ABS with numbers from 0 on, as in 1e-5,1e-8", where,
        shortened(text)));
}

golden_differences compare_values(const program::value_layout& layout,
                                  const std::vector<std::byte>& found,
                                  const std::vector<std::byte>& expected,
                                  const golden_tolerance& tolerance) {
    golden_differences out;
    std::vector<const element_type*> types;
    for (const layout_field& field : layout.fields) types.push_back(find_element(field));
    for (std::size_t value = 0; value * layout.size < expected.size(); ++value) {
        for (std::size_t f = 0; f < types.size(); ++f) {
            const layout_field& field = layout.fields[f];
            for (std::uint32_t i = 0; i < field.count; ++i) {
                const std::size_t at =
                    value * layout.size + field.offset + std::size_t{i} * field.size;
                ++out.numbers;
                if (same_number(field, types[f], &found[at], &expected[at], tolerance)) continue;
                if (++out.different != 1) continue;
                out.first = value;
                if (!field.name.empty()) out.field = "." + field.name;
                if (field.count != 1) out.field += fmt::format("[{}]", i);
                out.found = number_text(field, &found[at]);
                out.expected = number_text(field, &expected[at]);
            }
        }
    }
    return out;
}

std::string index_text(std::uint64_t index, const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (std::size_t i = shape.size(); i-- > 1;) {
        text = fmt::format(",{}{}", index % shape[i], text);
        index /= shape[i];
    }
    return fmt::format("[{}{}]", index, text);
}

}  // namespace heddle::command
