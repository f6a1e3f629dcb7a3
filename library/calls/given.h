// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "models/base/error.h"

namespace heddle::library {

/// What a caller has given: a pointer that must not be null. Throws configuration_error.
template <class Value>
Value& given(Value* pointer, const char* name) {
    if (pointer != nullptr) return *pointer;
    throw configuration_error(std::string("'") + name + "' is NULL");
}

/// The same for text.
inline std::string given_text(const char* text, const char* name) {
    return std::string(&given(text, name));
}

/// A struct of the caller's with its size in front. Throws configuration_error for a size that no
/// version of the interface has had.
template <class Struct>
Struct& given_struct(Struct* pointer, const char* name, const char* type) {
    Struct& found = given(pointer, name);
    if (found.size == sizeof(Struct)) return found;
    throw configuration_error(std::string("'") + name + "'.size is " + std::to_string(found.size) +
                              "; legal: sizeof(" + type + "), " + std::to_string(sizeof(Struct)));
}

/// Throws configuration_error for an index into a list of `count`.
inline std::size_t given_index(std::size_t index, std::size_t count, const char* what) {
    if (index < count) return index;
    throw configuration_error("index " + std::to_string(index) + ": there are " +
                              std::to_string(count) + " " + what);
}

}  // namespace heddle::library
