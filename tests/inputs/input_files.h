// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "models/inputs/graph.h"
#include "tests/base/temporary_directory.h"

namespace heddle::inputs {

/// Files in a directory of the test's own, which goes with it. Errors name files relative to it.
class input_files : public testing::Test {
protected:
    /// Writes a file and returns its path.
    std::string write(const std::string& name, const std::string& content) const {
        return directory_.write(name, content);
    }
    /// Loads `content` as a file of this name, with arguments "key=value,..." if there are any.
    [[nodiscard]] graph load_text(const std::string& name, const std::string& content,
                                  const std::string& arguments = "") const;
    /// The message of the configuration_error, without the directory, or "no error".
    [[nodiscard]] std::string error_of(const std::string& name, const std::string& content,
                                       const std::string& arguments = "") const;
    [[nodiscard]] std::string path(const std::string& name) const { return directory_ / name; }

private:
    temporary_directory directory_;
};

/// What load_graph(input) complains about, or "no error".
std::string error_of_input(const std::string& input);

std::string gzipped(const std::string& text);

/// One edge, for comparisons that print well.
struct stored_edge {
    std::uint32_t source, target;
    double weight;

    bool operator==(const stored_edge& other) const {
        return source == other.source && target == other.target && weight == other.weight;
    }
};
void PrintTo(const stored_edge& printed, std::ostream* out);

/// Every stored edge in the order of the graph; weight 0 if it has none. Validates it first.
std::vector<stored_edge> edges_of(const graph& listed);

}  // namespace heddle::inputs
