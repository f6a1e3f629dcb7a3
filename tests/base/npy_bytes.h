// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstring>
#include <string>
#include <vector>

namespace heddle {

/// The bytes of values, as they lie in memory.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// A .npy file as NumPy writes it: `descr` and `shape` as in Python, "'<f8'" and "(2, 3)".
inline std::string npy_bytes(const std::string& descr, const std::string& shape,
                             const std::string& values, const std::string& order = "False") {
    std::string text =
        "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
    while ((10 + text.size() + 1) % 64 != 0) text += ' ';
    text += '\n';
    std::string file("\x93NUMPY\1\0", 8);
    file += static_cast<char>(text.size() % 256);
    file += static_cast<char>(text.size() / 256);
    return file + text + values;
}

}  // namespace heddle
