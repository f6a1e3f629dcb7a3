// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "models/base/error.h"
#include "models/program/elf_file.h"

namespace heddle::program {

namespace {

/// Extensions that the machine executes; zmmul, zaamo and zalrsc are parts of m and a. Hints
/// (zihintpause) decode as what they hint with.
constexpr std::array<std::string_view, 12> supported{"a",     "i",        "m",           "zaamo",
                                                     "zacas", "zalrsc",   "zfinx",       "zicond",
                                                     "zicsr", "zifencei", "zihintpause", "zmmul"};

/// Reads the attribute section; every read checks the end.
class reader {
public:
    reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    std::uint32_t word() {
        std::uint32_t value = 0;
        std::memcpy(&value, take(4).data(), 4);
        return value;
    }
    std::uint64_t uleb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            if (shift < 63) value |= std::uint64_t{byte & 0x7fu} << shift;
            if ((byte & 0x80) == 0) return value;
        }
    }
    std::string_view string() {
        const auto end = bytes_.find('\0');
        if (end == std::string_view::npos) malformed();
        const auto text = bytes_.substr(0, end);
        bytes_.remove_prefix(end + 1);
        return text;
    }
    std::string_view take(std::size_t count) {
        if (count > bytes_.size()) malformed();
        const auto part = bytes_.substr(0, count);
        bytes_.remove_prefix(count);
        return part;
    }
    [[noreturn]] void malformed() const {
        throw configuration_error(name_ + ": section .riscv.attributes is not well-formed");
    }

private:
    std::string_view bytes_;
    const std::string& name_;
};

/// "zicsr2p0" → "zicsr": the version is digits, p, digits at the end.
std::string_view without_version(std::string_view extension) {
    const auto digit = [&](std::size_t i) {
        return std::isdigit(static_cast<unsigned char>(extension[i])) != 0;
    };
    std::size_t end = extension.size();
    while (end > 0 && digit(end - 1)) --end;
    if (end == 0 || end == extension.size() || extension[end - 1] != 'p') return extension;
    std::size_t major = end - 1;
    while (major > 0 && digit(major - 1)) --major;
    return major == end - 1 ? extension : extension.substr(0, major);
}

void check_architecture(std::string_view text, const std::string& name) {
    const std::string whole(text);
    if (text.substr(0, 4) != "rv32") {
        throw configuration_error(name + ": compiled for " + whole + ", not for rv32");
    }
    text.remove_prefix(4);
    while (!text.empty()) {
        const auto end = std::min(text.find('_'), text.size());
        const auto extension = without_version(text.substr(0, end));
        if (!extension.empty() &&
            std::find(supported.begin(), supported.end(), extension) == supported.end()) {
            throw configuration_error(
                name + ": compiled for extension '" + std::string(extension) + "' (" + whole +
                "), which the machine lacks; compile with -march=rv32ima_zicsr_zfinx_zicond");
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace

void check_attributes(std::string_view content, const std::string& name) {
    constexpr std::uint64_t tag_file = 1, tag_architecture = 5;
    reader section(content, name);
    if (section.empty()) return;
    if (section.take(1) != "A") section.malformed();
    while (!section.empty()) {
        const std::uint32_t length = section.word();
        if (length < 4) section.malformed();
        reader vendor(section.take(length - 4), name);
        if (vendor.string() != "riscv") continue;
        while (!vendor.empty()) {
            const std::uint64_t tag = vendor.uleb();
            const std::uint32_t size = vendor.word();
            if (size < 5) vendor.malformed();
            reader attributes(vendor.take(size - 5), name);
            while (tag == tag_file && !attributes.empty()) {
                const std::uint64_t key = attributes.uleb();
                if (key % 2 == 0) {
                    attributes.uleb();
                } else if (const auto text = attributes.string(); key == tag_architecture) {
                    check_architecture(text, name);
                }
            }
        }
    }
}

}  // namespace heddle::program
