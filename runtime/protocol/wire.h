// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::runtime {

/// What came over the socket is no message of this version of Heddle, or the other end is gone.
class connection_error : public std::runtime_error {
public:
    /// `code`: the exit code of the run, which has told the user.
    explicit connection_error(const std::string& what, std::uint32_t code = 0)
        : std::runtime_error(what), code_(code) {}
    [[nodiscard]] bool is_told() const noexcept { return code_ != 0; }
    [[nodiscard]] std::uint32_t code() const noexcept { return code_; }

private:
    std::uint32_t code_;
};

/// Makes the bytes of a message. A struct has a function `fields(f)` that names its members in
/// order; writer and reader both call it, so that there is one definition for both ends. Both run
/// on one computer: numbers are as the processor has them.
class wire_writer {
public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

private:
    void put_raw(const void* data, std::size_t size) {
        const auto* const begin = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), begin, begin + size);
    }
    void put(const std::string& text) {
        put(static_cast<std::uint32_t>(text.size()));
        put_raw(text.data(), text.size());
    }
    template <class T>
    void put(const std::vector<T>& values) {
        put(static_cast<std::uint32_t>(values.size()));
        if constexpr (std::is_same_v<T, std::byte>) {
            put_raw(values.data(), values.size());
        } else {
            for (const T& value : values) put(value);
        }
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(static_cast<std::uint8_t>(value.has_value()));
        if (value) put(*value);
    }
    template <class T>
    void put(const T& value) {
        if constexpr (std::is_class_v<T>) {
            const_cast<T&>(value).fields(*this);  // the same function fills it at the other end
        } else {
            put_raw(&value, sizeof value);
        }
    }

    std::vector<std::byte> bytes_;
};

/// Reads them back. Throws connection_error where the message is too short.
class wire_reader {
public:
    explicit wire_reader(const std::vector<std::byte>& bytes) noexcept : bytes_(bytes) {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    [[nodiscard]] bool at_end() const noexcept { return at_ == bytes_.size(); }

private:
    void get_raw(void* data, std::size_t size) {
        if (size > bytes_.size() - at_) throw connection_error("a message is too short");
        if (size != 0) std::memcpy(data, bytes_.data() + at_, size);
        at_ += size;
    }
    std::uint32_t count() {
        std::uint32_t value = 0;
        get(value);
        if (value > bytes_.size() - at_) throw connection_error("a message is too short");
        return value;
    }
    void get(std::string& text) {
        text.resize(count());
        get_raw(text.data(), text.size());
    }
    template <class T>
    void get(std::vector<T>& values) {
        values.resize(count());
        if constexpr (std::is_same_v<T, std::byte>) {
            get_raw(values.data(), values.size());
        } else {
            for (T& value : values) get(value);
        }
    }
    template <class T>
    void get(std::optional<T>& value) {
        std::uint8_t there = 0;
        get(there);
        value.reset();
        if (there != 0) get(value.emplace());
    }
    template <class T>
    void get(T& value) {
        if constexpr (std::is_class_v<T>) {
            value.fields(*this);
        } else {
            get_raw(&value, sizeof value);
        }
    }

    const std::vector<std::byte>& bytes_;
    std::size_t at_ = 0;
};

}  // namespace heddle::runtime
