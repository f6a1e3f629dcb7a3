// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/base/parameter.h"
#include "models/inputs/graph.h"

namespace heddle::inputs {

/// A file format or a generator with its arguments, at their defaults until someone assigns
/// others.
class prepared_input {
public:
    prepared_input() = default;
    prepared_input(const prepared_input&) = delete;
    prepared_input& operator=(const prepared_input&) = delete;
    virtual ~prepared_input() = default;

    [[nodiscard]] virtual parameter_list& arguments() noexcept = 0;
    /// Reads or generates; `origin` becomes the graph's, `run_seed` is a generator's default seed.
    [[nodiscard]] virtual graph load(const std::string& origin, std::uint64_t run_seed) const = 0;
};

/// An entry of the table of inputs.
struct input_kind {
    std::string name;
    std::string description;              ///< one line
    std::vector<std::string> extensions;  ///< of the files; none for a generator
    std::function<std::unique_ptr<prepared_input>()> prepare;

    [[nodiscard]] bool is_format() const noexcept { return !extensions.empty(); }
};

template <class Arguments>
using graph_maker = graph (*)(const Arguments& arguments, const std::string& origin,
                              std::uint64_t run_seed);

template <class Arguments>
class typed_input final : public prepared_input {
public:
    explicit typed_input(graph_maker<Arguments> make) : make_(make), list_(arguments_) {}

    parameter_list& arguments() noexcept override { return list_; }
    graph load(const std::string& origin, std::uint64_t run_seed) const override {
        return make_(arguments_, origin, run_seed);
    }

private:
    graph_maker<Arguments> make_;
    Arguments arguments_;
    parameter_list list_;
};

/// The entry of a reader or generator. Arguments is a struct with defaults that declares its
/// members as parameter_list says: a format's have `file`, a generator's `seed`.
template <class Arguments>
input_kind make_input_kind(std::string name, std::string description,
                           std::vector<std::string> extensions, graph_maker<Arguments> make) {
    return {std::move(name), std::move(description), std::move(extensions),
            [make] { return std::make_unique<typed_input<Arguments>>(make); }};
}

// File formats.
input_kind dimacs();
input_kind edge_list_file();
input_kind matrix_market();
input_kind metis();

// Generators.
input_kind kronecker();
input_kind powerlaw();
input_kind rmat();
input_kind road();

/// Formats, then generators, by ascending name.
const std::vector<input_kind>& all_input_kinds();

}  // namespace heddle::inputs
