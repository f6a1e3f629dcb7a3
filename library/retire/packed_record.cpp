// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/retire/packed_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "library/retire/record_fields.h"
#include "models/base/error.h"

namespace heddle::library {
namespace {

using shape = record_field::shape;

void check_lanes(std::uint64_t lanes) {
    if (lanes >= 1 && lanes <= HEDDLE_LANES) return;
    throw configuration_error(
        fmt::format("warps of {} lanes; legal: 1 to {}", lanes, HEDDLE_LANES));
}

std::uint64_t number_at(const std::byte* from, std::size_t bytes) noexcept {
    std::uint64_t value = 0;  // hosts are little-endian (isa::require_host_support)
    std::memcpy(&value, from, bytes);
    return value;
}

/// Reads or writes vectors from the lowest bit up.
class bit_cursor {
public:
    explicit bit_cursor(std::uint32_t* words) : words_(words) {}

    void put(std::uint64_t value, std::size_t bits) noexcept {
        for (std::size_t done = 0; done < bits;) {
            const std::size_t here = std::min(32 - at_ % 32, bits - done);
            words_[at_ / 32] |= static_cast<std::uint32_t>(part(value >> done, here) << at_ % 32);
            done += here;
            at_ += here;
        }
    }
    [[nodiscard]] std::uint64_t take(std::size_t bits) noexcept {
        std::uint64_t value = 0;
        for (std::size_t done = 0; done < bits;) {
            const std::size_t here = std::min(32 - at_ % 32, bits - done);
            value |= part(words_[at_ / 32] >> at_ % 32, here) << done;
            done += here;
            at_ += here;
        }
        return value;
    }

private:
    /// The lowest bits, at most 32.
    static std::uint64_t part(std::uint64_t value, std::size_t bits) noexcept {
        return value & ((std::uint64_t{1} << bits) - 1);
    }

    std::uint32_t* words_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<std::uint32_t> packed(const heddle_retired& record) {
    check_lanes(record.warp_size);
    const std::size_t lanes = record.warp_size;
    std::vector<std::uint32_t> words((packed_bits(lanes) + 31) / 32);
    bit_cursor to(words.data());
    const auto* const from = reinterpret_cast<const std::byte*>(&record);
    for (const record_field& field : record_fields) {
        const std::size_t count = field.form == shape::lanes ? lanes : 1;
        const std::size_t bits = field.packed_bits(lanes) / count;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t value =
                number_at(from + field.offset + i * field.bytes, field.bytes);
            if (bits < 64 && value >> bits != 0) {
                throw configuration_error(fmt::format("'{}' is 0x{:x}, but a warp has {} lanes",
                                                      field.name, value, lanes));
            }
            to.put(value, bits);
        }
    }
    return words;
}

heddle_retired unpacked(unsigned lanes, const std::uint32_t* words, std::size_t count) {
    check_lanes(lanes);
    const std::size_t needed = (packed_bits(lanes) + 31) / 32;
    if (count < needed) {
        throw configuration_error(fmt::format(
            "a record of {} words; for warps of {} lanes it has {}", count, lanes, needed));
    }
    heddle_retired record{};
    record.size = sizeof record;
    std::vector<std::uint32_t> copy(words, words + needed);
    bit_cursor from(copy.data());
    auto* const to = reinterpret_cast<std::byte*>(&record);
    for (const record_field& field : record_fields) {
        const std::size_t elements = field.form == shape::lanes ? lanes : 1;
        const std::size_t bits = field.packed_bits(lanes) / elements;
        for (std::size_t i = 0; i < elements; ++i) {
            const std::uint64_t value = from.take(bits);
            std::memcpy(to + field.offset + i * field.bytes, &value, field.bytes);
        }
    }
    return record;
}

}  // namespace heddle::library
