// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <array>
#include <cstddef>

#include "models/isa/instruction.h"
#include "models/isa/instruction_table.h"

namespace heddle::isa {
namespace {

constexpr std::uint32_t field(std::uint32_t raw, unsigned low, unsigned bits) noexcept {
    return (raw >> low) & ((1u << bits) - 1);
}

/// Bits `low` and up of the word as a signed number.
constexpr std::int32_t signed_from(std::uint32_t raw, unsigned low) noexcept {
    return static_cast<std::int32_t>(raw) >> low;
}

// Rows are looked up in buckets of equal bits 6..2 and 14..12, which every mask but those of the
// formats without funct3 fixes; those rows stand in eight buckets.
constexpr unsigned bucket_count = 256;

constexpr unsigned bucket_of(std::uint32_t raw) noexcept {
    return field(raw, 2, 5) << 3 | field(raw, 12, 3);
}

constexpr bool in_bucket(const instruction_row& row, unsigned bucket) noexcept {
    const std::uint32_t word = (bucket >> 3) << 2 | (bucket & 7) << 12;
    constexpr std::uint32_t bucket_bits = 0x1f << 2 | 7 << 12;
    return ((word ^ row.match) & row.mask & bucket_bits) == 0;
}

constexpr std::size_t bucket_entries() noexcept {
    std::size_t entries = 0;
    for (unsigned bucket = 0; bucket < bucket_count; ++bucket) {
        for (const instruction_row& row : instruction_table) entries += in_bucket(row, bucket);
    }
    return entries;
}

struct bucket_index {
    std::array<std::uint16_t, bucket_count + 1> first{};
    std::array<opcode, bucket_entries()> rows{};
};

constexpr bucket_index make_buckets() noexcept {
    bucket_index index;
    std::uint16_t next = 0;
    for (unsigned bucket = 0; bucket < bucket_count; ++bucket) {
        index.first[bucket] = next;
        for (const instruction_row& row : instruction_table) {
            if (in_bucket(row, bucket)) index.rows[next++] = row.op;
        }
    }
    index.first[bucket_count] = next;
    return index;
}

constexpr bucket_index buckets = make_buckets();

const instruction_row* find_row(std::uint32_t raw) noexcept {
    if ((raw & 3) != 3) return nullptr;  // a compressed encoding
    const unsigned bucket = bucket_of(raw);
    for (unsigned k = buckets.first[bucket]; k < buckets.first[bucket + 1]; ++k) {
        const instruction_row& row = row_of(buckets.rows[k]);
        if ((raw & row.mask) == row.match) return &row;
    }
    return nullptr;
}

std::int32_t branch_offset(std::uint32_t raw) noexcept {
    return (signed_from(raw, 31) * 4096) |
           static_cast<std::int32_t>(field(raw, 7, 1) << 11 | field(raw, 25, 6) << 5 |
                                     field(raw, 8, 4) << 1);
}

std::int32_t jump_offset(std::uint32_t raw) noexcept {
    return (signed_from(raw, 31) * (1 << 20)) |
           static_cast<std::int32_t>(field(raw, 12, 8) << 12 | field(raw, 20, 1) << 11 |
                                     field(raw, 21, 10) << 1);
}

std::int32_t store_offset(std::uint32_t raw) noexcept {
    return (signed_from(raw, 25) * 32) | static_cast<std::int32_t>(field(raw, 7, 5));
}

constexpr bool is_link(std::uint8_t index) noexcept {
    return index == 1 || index == 5;
}

/// Register operands that a format has.
struct operands {
    bool rd, rs1, rs2;
};

constexpr operands operands_of(instruction_format format) noexcept {
    using f = instruction_format;
    switch (format) {
        case f::none:
        case f::fence:
            return {false, false, false};
        case f::r:
        case f::amo:
        case f::r_rounded:
        case f::r4_rounded:
        case f::shuffle:
            return {true, true, true};
        case f::store:
        case f::branch:
        case f::sources:
            return {false, true, true};
        case f::u:
        case f::j:
        case f::destination:
            return {true, false, false};
        case f::source:
            return {false, true, false};
        default:
            return {true, true, false};
    }
}

std::int32_t immediate_of(instruction_format format, std::uint32_t raw) noexcept {
    using f = instruction_format;
    switch (format) {
        case f::i:
        case f::load:
        case f::jalr:
            return signed_from(raw, 20);
        case f::shift:
            return static_cast<std::int32_t>(field(raw, 20, 5));
        case f::csr:
        case f::csr_immediate:
            return static_cast<std::int32_t>(field(raw, 20, 12));
        case f::store:
            return store_offset(raw);
        case f::branch:
            return branch_offset(raw);
        case f::u:
            return static_cast<std::int32_t>(raw & 0xfffff000);
        case f::j:
            return jump_offset(raw);
        case f::shuffle:
            return static_cast<std::int32_t>(field(raw, 25, 3));
        default:
            return 0;
    }
}

/// Encodings inside a row's match that are reserved all the same.
bool is_reserved_operand(instruction_format format, std::uint32_t raw) noexcept {
    if (is_rounded(format)) {
        const std::uint32_t rm = field(raw, 12, 3);
        return rm == 5 || rm == 6;
    }
    return format == instruction_format::shuffle && field(raw, 25, 3) > largest_shuffle_width_log2;
}

}  // namespace

instruction decode(std::uint32_t raw) noexcept {
    instruction result;
    result.raw = raw;
    const instruction_row* row = find_row(raw);
    if (row == nullptr || is_reserved_operand(row->format, raw)) return result;

    result.op = row->op;
    result.cls = row->cls;
    result.flags = row->flags;
    result.imm = immediate_of(row->format, raw);
    const operands has = operands_of(row->format);
    if (has.rs1) result.rs1 = static_cast<std::uint8_t>(field(raw, 15, 5));
    if (has.rs2) result.rs2 = static_cast<std::uint8_t>(field(raw, 20, 5));
    const auto rd = static_cast<std::uint8_t>(field(raw, 7, 5));
    if (has.rd && rd != 0) {
        result.rd = rd;
        result.flags |= flag::writes_rd;
    }
    if (row->format == instruction_format::r4_rounded) {
        result.rs3 = static_cast<std::uint8_t>(field(raw, 27, 5));
    }
    if (row->op == opcode::amocas_w) result.rs3 = rd;
    if (is_rounded(row->format)) {
        result.rm = static_cast<std::uint8_t>(field(raw, 12, 3));
        if (result.rm == rounding::dynamic) result.flags |= flag::dynamic_rm;
    }
    if (row->op == opcode::jal || row->op == opcode::jalr) {
        if (is_link(rd)) result.flags |= flag::call;
        if (row->op == opcode::jalr && rd == 0 && is_link(result.rs1)) {
            result.flags |= flag::returns;
        }
    }
    return result;
}

}  // namespace heddle::isa
