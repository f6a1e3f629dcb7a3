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

namespace heddle::inputs {

/// A file format or a generator with its arguments, at their defaults until someone assigns
/// others. Product is what it makes: a graph or a string_list.
template <class Product>
class prepared_input {
public:
    prepared_input() = default;
    prepared_input(const prepared_input&) = delete;
    prepared_input& operator=(const prepared_input&) = delete;
    virtual ~prepared_input() = default;

    [[nodiscard]] virtual parameter_list& arguments() noexcept = 0;
    /// Reads or generates; `origin` becomes the product's, `run_seed` is a generator's default
    /// seed.
    [[nodiscard]] virtual Product load(const std::string& origin, std::uint64_t run_seed) const = 0;
};

/// An entry of a table of inputs.
template <class Product>
struct input_kind {
    std::string name;
    std::string description;              ///< one line
    std::vector<std::string> extensions;  ///< of the files; none for a generator
    std::function<std::unique_ptr<prepared_input<Product>>()> prepare;

    [[nodiscard]] bool is_format() const noexcept { return !extensions.empty(); }
};

template <class Product, class Arguments>
using input_maker = Product (*)(const Arguments& arguments, const std::string& origin,
                                std::uint64_t run_seed);

template <class Product, class Arguments>
class typed_input final : public prepared_input<Product> {
public:
    explicit typed_input(input_maker<Product, Arguments> make) : make_(make), list_(arguments_) {}

    parameter_list& arguments() noexcept override { return list_; }
    Product load(const std::string& origin, std::uint64_t run_seed) const override {
        return make_(arguments_, origin, run_seed);
    }

private:
    input_maker<Product, Arguments> make_;
    Arguments arguments_;
    parameter_list list_;
};

/// The entry of a reader or generator. Arguments is a struct with defaults that declares its
/// members as parameter_list says: a format's have `file`, a generator's `seed`.
template <class Arguments, class Product>
input_kind<Product> make_input_kind(std::string name, std::string description,
                                    std::vector<std::string> extensions,
                                    Product (*make)(const Arguments&, const std::string&,
                                                    std::uint64_t)) {
    return {std::move(name), std::move(description), std::move(extensions),
            [make] { return std::make_unique<typed_input<Product, Arguments>>(make); }};
}

}  // namespace heddle::inputs
