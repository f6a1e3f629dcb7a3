// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::layering {

/// A class or struct as it is written in a file.
struct class_size {
    std::string name;  ///< with the classes that enclose it: "outer::inner"
    unsigned line = 0;
    unsigned members = 0;    ///< data members; static ones do not count
    unsigned functions = 0;  ///< declared or defined in it; defaulted and deleted ones do not count
};

/// The source with blanks for comments, preprocessor lines, and the contents of strings and
/// characters; lines stay where they are.
[[nodiscard]] std::string without_text(const std::string& source);

/// The classes of a C++ source, in the order of their ends. Reads the text by its brackets and
/// semicolons, as clang-format leaves it: no preprocessor, no name look-up.
[[nodiscard]] std::vector<class_size> class_sizes(const std::string& source);

}  // namespace heddle::layering
