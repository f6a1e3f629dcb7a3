// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/configuration_report.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/inputs/input_kind.h"

namespace heddle::inputs {

/// Throws configuration_error "input INPUT: WHAT".
[[noreturn]] void reject_input(const std::string& input, const std::string& what);

/// Assigns "key=value,key=value" of `input` to the arguments of the kind `name`. Throws
/// configuration_error for what is no argument, out of range or given twice.
void assign_arguments(const std::string& input, const std::string& name, std::string_view text,
                      parameter_list& arguments);

/// The generator with all its arguments, so that the text makes the same input again.
std::string full_text(const std::string& name, const parameter_list& arguments,
                      std::uint64_t run_seed);

/// The extension of a file in small letters; a final .gz is ignored.
std::string extension_of(const std::string& file);

/// Throws for a file whose extension no format has.
[[noreturn]] void reject_extension(const std::string& file, const std::vector<std::string>& known,
                                   const std::string& example);

/// Throws for a text that names neither a file nor a kind.
[[noreturn]] void reject_name(const std::string& input, const std::string& name,
                              const std::vector<std::string>& known);

/// Whether there is such a file.
bool file_exists(const std::string& file);

/// The formats and generators of one product, and what an `--input` text stands for among them.
template <class Product>
class input_table {
public:
    /// `noun` names the product in messages, as "graph"; formats first, then generators.
    input_table(const char* noun, std::vector<input_kind<Product>> kinds)
        : noun_(noun), kinds_(std::move(kinds)) {}

    /// Reads or generates. Throws configuration_error with what would be legal.
    [[nodiscard]] Product load(const std::string& input, std::uint64_t run_seed) const;
    /// Throws what load() would throw before it reads or generates: for a text that is not legal,
    /// and for a file that is not there.
    void check(const std::string& input) const;
    /// Whether the text starts with the name of a format or generator of this table.
    [[nodiscard]] bool names(const std::string& input) const {
        return find(input.substr(0, input.find(':'))) != nullptr;
    }
    /// The file that load() would read; empty for a generator, and for what it would refuse.
    [[nodiscard]] std::string file_of(const std::string& input) const;
    /// Every format and generator with its arguments, for the terminal.
    [[nodiscard]] std::string describe() const;

private:
    using kind = input_kind<Product>;

    [[nodiscard]] const kind* find(std::string_view name) const;
    [[nodiscard]] const kind& kind_of_file(const std::string& file) const;
    /// What a text stands for: a kind with its arguments, and the origin of its product.
    struct understood {
        std::unique_ptr<prepared_input<Product>> prepared;
        std::string origin;
    };
    [[nodiscard]] static understood understand_kind(const std::string& input, const kind& chosen,
                                                    std::string_view text, std::uint64_t run_seed);
    [[nodiscard]] understood understand(const std::string& input, std::uint64_t run_seed) const;

    std::string noun_;
    std::vector<kind> kinds_;
};

template <class Product>
const input_kind<Product>* input_table<Product>::find(std::string_view name) const {
    for (const kind& candidate : kinds_) {
        if (candidate.name == name) return &candidate;
    }
    return nullptr;
}

template <class Product>
const input_kind<Product>& input_table<Product>::kind_of_file(const std::string& file) const {
    const std::string extension = extension_of(file);
    std::vector<std::string> known;
    std::string example;
    for (const kind& candidate : kinds_) {
        for (const std::string& one : candidate.extensions) {
            if (one == extension) return candidate;
            known.push_back(one);
        }
        if (candidate.is_format() && example.empty()) example = candidate.name;
    }
    reject_extension(file, known, example);
}

template <class Product>
typename input_table<Product>::understood input_table<Product>::understand_kind(
    const std::string& input, const kind& chosen, std::string_view text, std::uint64_t run_seed) {
    auto prepared = chosen.prepare();
    parameter_list& arguments = prepared->arguments();
    assign_arguments(input, chosen.name, text, arguments);
    std::string origin = chosen.is_format() ? to_text(arguments.find("file")->get())
                                            : full_text(chosen.name, arguments, run_seed);
    if (origin.empty()) {
        reject_input(input, "which file? expected " + chosen.name + ":file=FILE");
    }
    return {std::move(prepared), std::move(origin)};
}

template <class Product>
typename input_table<Product>::understood input_table<Product>::understand(
    const std::string& input, std::uint64_t run_seed) const {
    if (input.empty()) throw configuration_error("input: empty; expected a file or GENERATOR:args");
    const std::size_t colon = input.find(':');
    const std::string name = input.substr(0, colon);
    if (const kind* named = find(name); named != nullptr) {
        const std::string_view text(input);
        return understand_kind(input, *named,
                               colon == std::string::npos ? "" : text.substr(colon + 1), run_seed);
    }
    if (!file_exists(input)) {
        std::vector<std::string> names;
        for (const kind& one : kinds_) names.push_back(one.name);
        reject_name(input, name, names);
    }
    auto prepared = kind_of_file(input).prepare();
    prepared->arguments().assign("file", input, "given", "input " + input);
    return {std::move(prepared), input};
}

template <class Product>
Product input_table<Product>::load(const std::string& input, std::uint64_t run_seed) const try {
    const understood found = understand(input, run_seed);
    return found.prepared->load(found.origin, run_seed);
} catch (const std::bad_alloc&) {
    reject_input(input, "the " + noun_ + " does not fit into this host's memory");
}

template <class Product>
void input_table<Product>::check(const std::string& input) const {
    (void)understand(input, 1);
}

template <class Product>
std::string input_table<Product>::file_of(const std::string& input) const try {
    const std::size_t colon = input.find(':');
    const kind* const named = find(input.substr(0, colon));
    if (named == nullptr) return input;
    if (!named->is_format() || colon == std::string::npos) return {};
    const auto prepared = named->prepare();
    assign_arguments(input, named->name, std::string_view(input).substr(colon + 1),
                     prepared->arguments());
    return to_text(prepared->arguments().find("file")->get());
} catch (const configuration_error&) {
    return {};
}

template <class Product>
std::string input_table<Product>::describe() const {
    std::string text;
    for (const kind& one : kinds_) {
        text += (text.empty() ? "" : "\n") + one.name + ": " + one.description + "\n";
        if (one.is_format()) text += "files: " + joined(one.extensions) + "\n";
        text += parameters_text(one.prepare()->arguments());
    }
    return text;
}

}  // namespace heddle::inputs
