// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>

/// The bytes of a generic payload as the bits of pins, and back.
namespace heddle::pins {

/// Bytes of a beat. A request has bytes of one aligned line of this size.
inline constexpr std::uint32_t line_bytes = 128;

[[nodiscard]] inline bool is_enabled(const tlm::tlm_generic_payload& access, std::uint32_t byte) {
    const unsigned char* const enables = access.get_byte_enable_ptr();
    return enables == nullptr || enables[byte % access.get_byte_enable_length()] != 0;
}

/// A line with a bit for each byte that is accessed: byte 0 in the lowest bits, as on the pins.
/// It keeps its vectors, as a vector takes memory when it is made.
class line_beat {
public:
    using data_bits = sc_dt::sc_bv<8 * line_bytes>;
    using mask_bits = sc_dt::sc_bv<line_bytes>;

    /// Takes mask and, of a write, data over from an access inside of one line.
    void load(const tlm::tlm_generic_payload& access) {
        const std::uint32_t first = offset(access);
        std::array<std::uint32_t, line_bytes / 32> mask{};
        for (std::uint32_t byte = 0; byte < access.get_data_length(); ++byte) {
            const std::uint32_t at = first + byte;
            if (is_enabled(access, byte)) mask[at / 32] |= std::uint32_t{1} << at % 32;
        }
        for (std::size_t n = 0; n < mask.size(); ++n) mask_.set_word(static_cast<int>(n), mask[n]);
        if (access.is_write()) {
            std::memcpy(bytes_.data() + first, access.get_data_ptr(), access.get_data_length());
            set_data(bytes_.data());
        }
    }
    /// The bytes that a read asks for, from `data`, into its buffer.
    void store(const data_bits& data, tlm::tlm_generic_payload& access) {
        get_data(data, bytes_.data());
        const unsigned char* const from = bytes_.data() + offset(access);
        if (access.get_byte_enable_ptr() == nullptr) {
            std::memcpy(access.get_data_ptr(), from, access.get_data_length());
            return;
        }
        for (std::uint32_t byte = 0; byte < access.get_data_length(); ++byte) {
            if (is_enabled(access, byte)) access.get_data_ptr()[byte] = from[byte];
        }
    }
    /// `bytes` has a line.
    void set_data(const unsigned char* bytes) {
        for (std::uint32_t n = 0; n < line_bytes / 4; ++n) {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes + std::size_t{4} * n, 4);
            data_.set_word(static_cast<int>(n), word);
        }
    }
    static void get_data(const data_bits& data, unsigned char* bytes) {
        for (std::uint32_t n = 0; n < line_bytes / 4; ++n) {
            const auto word = static_cast<std::uint32_t>(data.get_word(static_cast<int>(n)));
            std::memcpy(bytes + std::size_t{4} * n, &word, 4);
        }
    }
    [[nodiscard]] const data_bits& data() const noexcept { return data_; }
    [[nodiscard]] const mask_bits& mask() const noexcept { return mask_; }

private:
    static std::uint32_t offset(const tlm::tlm_generic_payload& access) {
        return static_cast<std::uint32_t>(access.get_address() % line_bytes);
    }

    std::array<unsigned char, line_bytes> bytes_{};
    data_bits data_;
    mask_bits mask_;
};

}  // namespace heddle::pins
