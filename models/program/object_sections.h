// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::program {

/// What host and device objects have in common: sections and symbols of a 32-bit relocatable ELF
/// file.
class object_sections {
public:
    /// Throws configuration_error that names the file: no ELF file, one of 64 bits, damaged.
    object_sections(std::string bytes, const std::string& name);

    /// All sections of that name, one after the other; empty if there is none.
    [[nodiscard]] std::string contents(std::string_view section) const;

    struct symbol {
        std::string name;
        bool defined = false;
    };
    /// Symbols that other objects see, or that others have to bring.
    [[nodiscard]] const std::vector<symbol>& symbols() const noexcept { return symbols_; }

private:
    struct section {
        std::string name;
        std::uint32_t type = 0, offset = 0, size = 0, link = 0;
    };
    [[nodiscard]] std::string text_at(const section& strings, std::uint32_t offset) const;
    [[noreturn]] void refuse(const char* why) const;

    std::string bytes_;
    std::string name_;
    std::vector<section> sections_;
    std::vector<symbol> symbols_;
};

/// The objects in a file: the one that it is, or the members of an archive (.a); none of a text,
/// which may be a linker's script. Throws configuration_error.
[[nodiscard]] std::vector<object_sections> objects_in(const std::string& file);

}  // namespace heddle::program
