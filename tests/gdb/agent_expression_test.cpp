// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/wire/agent_expression.h"

#include <gmock/gmock.h>

#include <cstring>
#include <random>

namespace heddle::command::gdb {
namespace {

/// Registers have 100 times their number, but 9, which has none; byte b of memory is b.
const agent_context context{[](unsigned number) -> std::optional<std::uint64_t> {
                                if (number == 9) return std::nullopt;
                                return 100 * number;
                            },
                            [](std::uint32_t address, std::byte* to, std::size_t bytes) {
                                if (address >= 256) return false;
                                for (std::size_t i = 0; i < bytes; ++i)
                                    to[i] = static_cast<std::byte>(address + i);
                                return true;
                            }};

std::optional<std::uint64_t> value_of(std::initializer_list<int> code) {
    std::string bytes;
    for (const int one : code) bytes += static_cast<char>(one);
    return evaluate(bytes, context);
}

/// a OPERATION b, of constants of 64 bits.
std::optional<std::uint64_t> of_two(int operation, std::uint64_t a, std::uint64_t b) {
    std::string code;
    for (const std::uint64_t value : {a, b}) {
        code += '\x25';
        for (int shift = 56; shift >= 0; shift -= 8) code += static_cast<char>(value >> shift);
    }
    code += static_cast<char>(operation);
    code += '\x27';
    return evaluate(code, context);
}

constexpr std::uint64_t minus(std::uint64_t value) {
    return 0 - value;
}

TEST(agent_expression, constants_have_their_sizes) {
    EXPECT_EQ(value_of({0x22, 0xfe, 0x27}), 0xfeU);
    EXPECT_EQ(value_of({0x23, 0x12, 0xfe, 0x27}), 0x12feU);
    EXPECT_EQ(value_of({0x24, 1, 2, 3, 4, 0x27}), 0x01020304U);
    EXPECT_EQ(value_of({0x25, 1, 2, 3, 4, 5, 6, 7, 8, 0x27}), 0x0102030405060708U);
}

TEST(agent_expression, arithmetic) {
    EXPECT_EQ(of_two(0x02, 7, 5), 12U);
    EXPECT_EQ(of_two(0x03, 7, 5), 2U);
    EXPECT_EQ(of_two(0x04, 7, 5), 35U);
    EXPECT_EQ(of_two(0x05, minus(7), 2), minus(3));
    EXPECT_EQ(of_two(0x06, minus(7), 2), minus(7) / 2);
    EXPECT_EQ(of_two(0x07, minus(7), 2), minus(1));
    EXPECT_EQ(of_two(0x08, minus(7), 4), minus(7) % 4);
    EXPECT_EQ(of_two(0x09, 3, 4), 48U);
    EXPECT_EQ(of_two(0x09, 3, 64), 0U);
    EXPECT_EQ(of_two(0x0a, minus(8), 1), minus(4));
    EXPECT_EQ(of_two(0x0a, minus(8), 99), minus(1));
    EXPECT_EQ(of_two(0x0b, minus(8), 60), 15U);
    EXPECT_EQ(of_two(0x0f, 12, 10), 8U);
    EXPECT_EQ(of_two(0x10, 12, 10), 14U);
    EXPECT_EQ(of_two(0x11, 12, 10), 6U);
}

TEST(agent_expression, comparisons) {
    EXPECT_EQ(of_two(0x13, 5, 5), 1U);
    EXPECT_EQ(of_two(0x13, 5, 6), 0U);
    EXPECT_EQ(of_two(0x14, minus(1), 1), 1U);
    EXPECT_EQ(of_two(0x15, minus(1), 1), 0U);
    EXPECT_EQ(of_two(0x14, 1, 1), 0U);
    EXPECT_EQ(value_of({0x22, 0, 0x0e, 0x27}), 1U);
    EXPECT_EQ(value_of({0x22, 3, 0x0e, 0x27}), 0U);
    EXPECT_EQ(value_of({0x22, 0, 0x12, 0x27}), ~0ULL);
}

TEST(agent_expression, extensions) {
    EXPECT_EQ(value_of({0x22, 0x80, 0x16, 8, 0x27}), minus(128));
    EXPECT_EQ(value_of({0x22, 0x7f, 0x16, 8, 0x27}), 127U);
    EXPECT_EQ(value_of({0x23, 0x12, 0x80, 0x2a, 8, 0x27}), 0x80U);
    EXPECT_EQ(value_of({0x22, 5, 0x16, 64, 0x27}), 5U);
    EXPECT_EQ(value_of({0x22, 5, 0x2a, 0, 0x27}), 5U);
}

TEST(agent_expression, reads_registers_and_memory) {
    EXPECT_EQ(value_of({0x26, 0, 3, 0x27}), 300U);
    EXPECT_EQ(value_of({0x26, 1, 3, 0x27}), 25900U);
    EXPECT_EQ(value_of({0x26, 0, 9, 0x27}), std::nullopt);
    EXPECT_EQ(value_of({0x22, 16, 0x17, 0x27}), 0x10U);
    EXPECT_EQ(value_of({0x22, 16, 0x18, 0x27}), 0x1110U);
    EXPECT_EQ(value_of({0x22, 16, 0x19, 0x27}), 0x13121110U);
    EXPECT_EQ(value_of({0x22, 16, 0x1a, 0x27}), 0x1716151413121110U);
    EXPECT_EQ(value_of({0x23, 1, 0, 0x17, 0x27}), std::nullopt);
}

TEST(agent_expression, moves_on_the_stack) {
    EXPECT_EQ(value_of({0x22, 7, 0x22, 5, 0x2b, 0x03, 0x27}), minus(2));  // swap
    EXPECT_EQ(value_of({0x22, 7, 0x28, 0x04, 0x27}), 49U);                // dup
    EXPECT_EQ(value_of({0x22, 7, 0x22, 5, 0x29, 0x27}), 7U);              // pop
    EXPECT_EQ(value_of({0x22, 7, 0x22, 5, 0x32, 1, 0x27}), 7U);           // pick
    EXPECT_EQ(value_of({0x22, 7, 0x22, 5, 0x32, 2, 0x27}), std::nullopt);
    // a b c becomes c a b.
    EXPECT_EQ(value_of({0x22, 1, 0x22, 2, 0x22, 3, 0x33, 0x27}), 2U);
    EXPECT_EQ(value_of({0x22, 1, 0x22, 2, 0x22, 3, 0x33, 0x29, 0x29, 0x27}), 3U);
}

TEST(agent_expression, jumps) {
    // 0: const8 c; 2: if_goto 9; 5: const8 1; 7: end; 8: end; 9: const8 2; 11: end
    EXPECT_EQ(value_of({0x22, 0, 0x20, 0, 9, 0x22, 1, 0x27, 0x27, 0x22, 2, 0x27}), 1U);
    EXPECT_EQ(value_of({0x22, 4, 0x20, 0, 9, 0x22, 1, 0x27, 0x27, 0x22, 2, 0x27}), 2U);
    EXPECT_EQ(value_of({0x21, 0, 5, 0x22, 1, 0x22, 2, 0x27}), 2U);
}

TEST(agent_expression, without_a_value) {
    EXPECT_EQ(value_of({}), std::nullopt);
    EXPECT_EQ(value_of({0x27}), std::nullopt);                 // nothing on the stack
    EXPECT_EQ(value_of({0x22}), std::nullopt);                 // an operand is missing
    EXPECT_EQ(value_of({0x22, 1}), std::nullopt);              // no end
    EXPECT_EQ(value_of({0x21, 0, 0}), std::nullopt);           // for ever
    EXPECT_EQ(value_of({0x21, 0, 99}), std::nullopt);          // to nowhere
    EXPECT_EQ(value_of({0x22, 1, 0x21, 0, 0}), std::nullopt);  // a stack without end
    EXPECT_EQ(value_of({0x22, 1, 0x01, 0x27}), std::nullopt);  // float
    EXPECT_EQ(value_of({0x22, 1, 0xff, 0x27}), std::nullopt);  // no operation
    for (const int division : {0x05, 0x06, 0x07, 0x08}) {
        EXPECT_EQ(of_two(division, 1, 0), std::nullopt);
    }
    EXPECT_EQ(of_two(0x05, std::uint64_t{1} << 63, minus(1)), std::uint64_t{1} << 63);
    EXPECT_EQ(of_two(0x07, std::uint64_t{1} << 63, minus(1)), 0U);
}

TEST(agent_expression, any_bytes_are_evaluated_without_harm) {
    std::mt19937 random(11);
    std::size_t values = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::string code;
        const std::size_t size = random() % 24;
        for (std::size_t k = 0; k < size; ++k) {
            code += static_cast<char>(random() % 3 == 0 ? random() & 0xff : random() % 0x34);
        }
        code = "\x22\x05\x22\x07" + code + '\x27';
        values += evaluate(code, context) ? 1 : 0;
    }
    EXPECT_GT(values, 3'000U);
}

}  // namespace
}  // namespace heddle::command::gdb
