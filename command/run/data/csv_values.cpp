// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/csv_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "command/run/data/element_type.h"
#include "command/run/data/value_text.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle::command {

namespace {

using program::layout_field;
using program::value_layout;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return cells;
        line.remove_prefix(comma + 1);
    }
}

/// A number of a line: its place in the value and its type.
struct column {
    std::string name;
    std::uint32_t offset;
    const element_type* type;
};

std::vector<column> columns_of(const value_layout& layout, const std::string& file) {
    std::vector<column> columns;
    for (const layout_field& field : layout.fields) {
        const element_type* const type = find_element(field);
        if (type == nullptr) {
            throw configuration_error(
                fmt::format("{}: CSV has no text for {}{}; use .npy or raw bytes", file,
                            type_name({field.size, {{"", field.what, 0, field.size, field.count}}}),
                            field.name.empty() ? "" : " ('" + field.name + "')"));
        }
        for (std::uint32_t i = 0; i < field.count; ++i) {
            const bool single = field.count == 1;
            columns.push_back({single ? field.name : fmt::format("{}[{}]", field.name, i),
                               field.offset + i * field.size, type});
        }
    }
    return columns;
}

class csv_reader {
public:
    csv_reader(const value_layout& layout, const std::string& file)
        : layout_(layout), file_(file), columns_(columns_of(layout, file)) {}

    csv_values read(std::string_view text) {
        while (!text.empty()) {
            ++line_;
            const std::size_t end = text.find('\n');
            const std::string_view line = trimmed(text.substr(0, end));
            if (!line.empty() && line.front() != '#') add(cells_of(line));
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        out_.shape.push_back(lines_);
        if (!layout_.is_record() && width_ > 1) out_.shape.push_back(width_ / columns_.size());
        return std::move(out_);
    }

private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw configuration_error(fmt::format("{}:{}: {}", file_, line_, reason));
    }

    void add(const std::vector<std::string_view>& cells) {
        if (lines_ == 0 && !names_ && is_names(cells)) {
            check_names(cells);
            names_ = true;
            return;
        }
        if (lines_ == 0) {
            width_ = cells.size();
            if (layout_.is_record() ? width_ != columns_.size() : width_ % columns_.size() != 0) {
                fail(fmt::format("found {} numbers, expected the {} of a {}", width_,
                                 columns_.size(), type_name(layout_)));
            }
        }
        if (cells.size() != width_) {
            fail(fmt::format("found {} numbers, expected {} as in the lines before", cells.size(),
                             width_));
        }
        ++lines_;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const column& at = columns_[i % columns_.size()];
            if (&at == &columns_.front()) out_.contents.resize(out_.contents.size() + layout_.size);
            std::byte* const value = &out_.contents[out_.contents.size() - layout_.size];
            std::string_view text = cells[i];
            if (!text.empty() && text.front() == '+') text.remove_prefix(1);
            if (at.type->parse(text, value + at.offset)) continue;
            fail(fmt::format("found '{}', expected a number of type {}", shortened(cells[i]),
                             at.type->name));
        }
    }

    /// Whether no cell of a line is a number.
    static bool is_names(const std::vector<std::string_view>& cells) {
        std::byte ignored[sizeof(double)];
        const element_type& number = *find_element("f64");
        return std::none_of(cells.begin(), cells.end(), [&](std::string_view cell) {
            return cell.empty() || number.parse(cell, ignored);
        });
    }

    void check_names(const std::vector<std::string_view>& cells) const {
        if (!layout_.is_record()) return;
        for (std::size_t i = 0; i < std::max(cells.size(), columns_.size()); ++i) {
            const std::string found(i < cells.size() ? cells[i] : "nothing");
            const std::string expected = i < columns_.size() ? columns_[i].name : "nothing";
            if (found == expected) continue;
            fail(fmt::format("column {} is {}, expected {}, as the fields of the kernel's struct",
                             i + 1, shortened(found), expected));
        }
    }

    const value_layout& layout_;
    const std::string& file_;
    std::vector<column> columns_;
    std::size_t line_ = 0;
    std::size_t width_ = 0;  ///< numbers of a line
    std::uint64_t lines_ = 0;
    bool names_ = false;
    csv_values out_;
};

}  // namespace

csv_values read_csv(std::string_view text, const value_layout& layout, const std::string& file) {
    return csv_reader(layout, file).read(text);
}

void write_csv(std::ostream& out, const value_layout& layout,
               const std::vector<std::uint64_t>& shape, const std::vector<std::byte>& contents) {
    const std::uint64_t width = layout.is_record() || shape.size() < 2 ? 1 : shape.back();
    const char* separator = "";
    const auto each_number = [&](auto write) {
        for (const layout_field& field : layout.fields) {
            for (std::uint32_t i = 0; i < field.count; ++i) {
                out << separator;
                separator = ",";
                write(field, i);
            }
        }
    };
    if (layout.is_record()) {
        each_number([&](const layout_field& field, std::uint32_t i) {
            out << field.name;
            if (field.count != 1) out << '[' << i << ']';
        });
        out << '\n';
    }
    for (std::uint64_t value = 0; value * layout.size < contents.size(); ++value) {
        if (value % width == 0) separator = "";
        const std::byte* const at = &contents[value * layout.size];
        each_number([&](const layout_field& field, std::uint32_t i) {
            out << number_text(field, at + field.offset + std::size_t{i} * field.size);
        });
        if (value % width == width - 1) out << '\n';
    }
}

}  // namespace heddle::command
