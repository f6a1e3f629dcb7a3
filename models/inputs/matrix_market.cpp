// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR 5935, 1996). Row i, column j
// with value w is the edge i -> j of weight w.
#include <algorithm>
#include <cctype>

#include "models/base/suggestion.h"
#include "models/inputs/graph_kinds.h"
#include "models/inputs/reader.h"

namespace heddle::inputs {
namespace {

enum class layout { coordinate, array };
enum class field { real, integer, pattern };
enum class symmetry { general, symmetric, skew };

const choices<layout> layouts{{"coordinate", layout::coordinate}, {"array", layout::array}};
const choices<field> fields{{"real", field::real},
                            {"double", field::real},
                            {"integer", field::integer},
                            {"pattern", field::pattern}};
const choices<symmetry> symmetries{{"general", symmetry::general},
                                   {"symmetric", symmetry::symmetric},
                                   {"skew-symmetric", symmetry::skew}};

struct matrix_arguments : file_arguments {
    bool undirected = false;

    void declare(parameter_list& p) {
        file_arguments::declare(p);
        p.add("undirected", undirected, "Store each entry of a general matrix in both directions");
    }
};

std::string lower_case_word(text_scanner& text) {
    std::string result(text.word());
    std::transform(result.begin(), result.end(), result.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return result;
}

template <class Enum>
Enum choose(text_scanner& text, const choices<Enum>& legal) {
    const auto choice = legal.find(lower_case_word(text));
    if (!choice) text.fail_at_last("one of " + joined(legal.names()));
    return *choice;
}

class matrix_reader {
public:
    explicit matrix_reader(const matrix_arguments& arguments)
        : arguments_(arguments), text_(arguments.file) {}

    graph read(const std::string& origin) {
        read_header();
        read_size();
        if (layout_ == layout::coordinate) {
            read_coordinates();
        } else {
            read_array();
        }
        if (text_.next_line_of_data("%")) {
            text_.fail("the end of the file, after the " + promise());
        }
        check_plausible(text_, size_, size_line_);
        list_.vertices = size_;
        list_.mirrored = symmetry_ == symmetry::symmetric ||
                         (symmetry_ == symmetry::general && arguments_.undirected);
        return build_graph(std::move(list_), arguments_.rules, origin);
    }

private:
    void read_header() {
        constexpr const char* banner = "%%MatrixMarket";
        if (!text_.next_line()) text_.fail_at_end(std::string(banner) + " ...");
        if (lower_case_word(text_) != "%%matrixmarket") text_.fail_at_last(banner);
        if (lower_case_word(text_) != "matrix") text_.fail_at_last("matrix");
        layout_ = choose(text_, layouts);
        field_ = choose(text_, fields);
        if (layout_ == layout::array && field_ == field::pattern) {
            text_.fail_at_last("one of real, double, integer for an array");
        }
        symmetry_ = choose(text_, symmetries);
        if (field_ == field::pattern && symmetry_ == symmetry::skew) {
            text_.fail_at_last("one of general, symmetric for a pattern");
        }
        text_.end_line();
    }

    void read_size() {
        const bool sparse = layout_ == layout::coordinate;
        if (!text_.next_line_of_data("%")) {
            text_.fail_at_end(sparse ? "rows, columns and entries" : "rows and columns");
        }
        size_line_ = text_.line();
        size_ = text_.integer(1, maximum_vertices, "the number of rows");
        if (text_.integer(1, maximum_vertices, "the number of columns") != size_) {
            text_.fail_at_last("as many columns as rows, " + std::to_string(size_) +
                               ": the matrix of a graph is square");
        }
        if (sparse) entries_ = text_.integer(0, maximum_edges, "the number of entries");
        text_.end_line();
    }

    void next_entry(std::uint64_t read) {
        if (text_.next_line_of_data("%")) return;
        text_.fail_at_end("the " + promise() + "; it has " + std::to_string(read));
    }

    void read_coordinates() {
        const std::uint64_t expected = text_.reservation(entries_, 4);
        list_.edges.reserve(expected);
        if (field_ != field::pattern) list_.weights.reserve(expected);
        for (std::uint64_t i = 0; i < entries_; ++i) {
            next_entry(i);
            const auto row = static_cast<std::uint32_t>(text_.integer(1, size_, "a row"));
            const auto column = static_cast<std::uint32_t>(text_.integer(1, size_, "a column"));
            check_triangle(row, column);
            const double value = field_ == field::pattern ? 0 : read_value();
            text_.end_line();
            add(row - 1, column - 1, value);
        }
    }

    void check_triangle(std::uint32_t row, std::uint32_t column) {
        if (symmetry_ == symmetry::general || column < row) return;
        if (symmetry_ == symmetry::symmetric && column == row) return;
        text_.fail_at_last(symmetry_ == symmetry::symmetric
                               ? "a column up to the row: symmetric matrices list the lower "
                                 "triangle"
                               : "a column below the row: skew-symmetric matrices list the strict "
                                 "lower triangle");
    }

    /// Column by column; symmetric matrices from the diagonal, skew-symmetric ones from below it.
    void read_array() {
        const auto size = static_cast<std::uint32_t>(size_);
        const std::uint64_t skipped = symmetry_ == symmetry::skew ? 1 : 0;
        entries_ = symmetry_ == symmetry::general ? size_ * size_
                                                  : size_ * (size_ + 1) / 2 - skipped * size_;
        std::uint64_t read = 0;
        for (std::uint32_t column = 0; column < size; ++column) {
            const std::uint32_t first = symmetry_ == symmetry::general ? 0
                                        : symmetry_ == symmetry::skew  ? column + 1
                                                                       : column;
            for (std::uint32_t row = first; row < size; ++row) {
                next_entry(read++);
                const double value = read_value();
                text_.end_line();
                if (value != 0) add(row, column, value);
            }
        }
    }

    double read_value() {
        if (field_ == field::real) return text_.real("a value");
        return static_cast<double>(
            text_.signed_integer(-largest_integer_weight, largest_integer_weight, "a value"));
    }

    void add(std::uint32_t row, std::uint32_t column, double value) {
        list_.edges.push_back({row, column});
        if (field_ != field::pattern) list_.weights.push_back(value);
        if (symmetry_ == symmetry::skew) {
            list_.edges.push_back({column, row});
            list_.weights.push_back(-value);
        }
    }

    [[nodiscard]] std::string promise() const {
        return std::to_string(entries_) + " entries that line " + std::to_string(size_line_) +
               " promises";
    }

    const matrix_arguments& arguments_;
    text_scanner text_;
    layout layout_ = layout::coordinate;
    field field_ = field::real;
    symmetry symmetry_ = symmetry::general;
    std::uint64_t size_ = 0;
    std::uint64_t entries_ = 0;
    std::uint64_t size_line_ = 0;
    edge_list list_;
};

graph read_matrix_market(const matrix_arguments& arguments, const std::string& origin,
                         std::uint64_t /*run_seed*/) {
    return matrix_reader(arguments).read(origin);
}

}  // namespace

graph_kind matrix_market() {
    return make_input_kind<matrix_arguments>(
        "matrix_market", "Matrix Market: square matrices, coordinate or array, real or integer",
        {".mtx"}, read_matrix_market);
}

}  // namespace heddle::inputs
