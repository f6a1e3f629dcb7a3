// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/wire/packet.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace heddle::command::gdb {
namespace {

using kind = received::kind;

/// All that comes of these bytes, in pieces of `size`.
std::vector<received> all_of(std::string_view bytes, std::size_t size = 1) {
    packet_reader reader;
    std::vector<received> found;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
        reader.feed(bytes.substr(at, size));
        while (auto next = reader.next()) found.push_back(*next);
    }
    return found;
}

std::string payload_of(std::string_view bytes) {
    const auto found = all_of(bytes);
    if (found.size() != 1 || found[0].what != kind::packet) return "not one packet";
    return found[0].payload;
}

/// As gdb reads an answer: repeats, then escapes.
std::string as_gdb_reads(const std::string& frame) {
    std::string repeated;
    for (std::size_t i = 1; i + 3 < frame.size(); ++i) {
        if (frame[i] == '*') {
            const int count = frame[++i] - 29;
            repeated.append(static_cast<std::size_t>(count), repeated.back());
        } else {
            repeated += frame[i];
        }
    }
    std::string plain;
    for (std::size_t i = 0; i < repeated.size(); ++i) {
        plain += repeated[i] == '}' ? static_cast<char>(repeated[++i] ^ 0x20) : repeated[i];
    }
    return plain;
}

TEST(gdb_packet, is_read_in_pieces_of_any_size) {
    for (std::size_t size = 1; size < 12; ++size) {
        const auto found = all_of("+$m0,4#fd\x03-$g#67", size);
        ASSERT_EQ(found.size(), 3U) << size;
        EXPECT_EQ(found[0].payload, "m0,4");
        EXPECT_EQ(found[1].what, kind::interrupt);
        EXPECT_EQ(found[2].payload, "g");
    }
}

TEST(gdb_packet, with_a_wrong_checksum_is_broken) {
    for (const char* bytes : {"$g#66", "$g#6x", "$g#x7"}) {
        const auto found = all_of(bytes);
        ASSERT_EQ(found.size(), 1U) << bytes;
        EXPECT_EQ(found[0].what, kind::broken) << bytes;
    }
}

TEST(gdb_packet, that_has_lost_its_end_is_passed_over) {
    EXPECT_EQ(payload_of("$m40000$g#67"), "g");
}

TEST(gdb_packet, checksum_digits_may_be_capitals) {
    EXPECT_EQ(payload_of("$m0,4#FD"), "m0,4");
}

TEST(gdb_packet, escapes_stand_for_other_characters) {
    EXPECT_EQ(payload_of("$a}\x03}\x04}]z#b6"), "a#$}z");
}

TEST(gdb_packet, says_whether_it_is_open) {
    packet_reader reader;
    EXPECT_FALSE(reader.in_packet());
    reader.feed("$m4000");
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.in_packet());
    reader.feed("0000,4#20");
    EXPECT_TRUE(reader.next());
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.in_packet());
}

TEST(gdb_packet, of_the_longest_length_is_taken_and_no_longer_one) {
    const std::string longest(packet_limit, 'a');
    std::string frame = "$" + longest + "#00";
    unsigned sum = 0;
    for (const char c : longest) sum += static_cast<unsigned char>(c);
    frame.replace(frame.size() - 2, 2, fmt::format("{:02x}", sum & 0xff));
    auto found = all_of(frame, 1000);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].payload, longest);
    sum += 'a';
    found = all_of("$a" + longest + fmt::format("#{:02x}$g#67", sum & 0xff), 1000);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].what, kind::broken);
    EXPECT_EQ(found[1].payload, "g");
}

TEST(gdb_packet, frames_are_what_the_manual_shows) {
    EXPECT_EQ(framed("OK"), "$OK#9a");
    EXPECT_EQ(framed(""), "$#00");
    EXPECT_EQ(framed("0000"), "$0* #7a");  // "0* " is the manual's example
    EXPECT_EQ(framed("000"), "$000#90");
}

TEST(gdb_packet, frames_say_what_they_are_made_of) {
    std::mt19937 random(3);
    const std::string alphabet = "0000x#$}*+-ab";
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        const std::size_t size = random() % 300;
        while (text.size() < size) {
            const char c = random() % 4 == 0 ? static_cast<char>(random() & 0xff)
                                             : alphabet[random() % alphabet.size()];
            text.append(1 + random() % 130 * (random() % 3 == 0 ? 1 : 0), c);
        }
        const std::string frame = framed(text);
        EXPECT_EQ(as_gdb_reads(frame), text);
        // Within a frame, what begins or ends one would be taken for it.
        EXPECT_EQ(frame.find_first_of("$#", 1), frame.size() - 3);
    }
}

TEST(gdb_packet, repeats_use_no_count_that_is_a_sign) {
    for (std::size_t size = 1; size < 200; ++size) {
        const std::string frame = framed(std::string(size, '0'));
        EXPECT_EQ(as_gdb_reads(frame), std::string(size, '0'));
        EXPECT_THAT(frame.substr(1, frame.size() - 4),
                    testing::Not(testing::ContainsRegex("[*][#$+-]")))
            << size;
    }
}

TEST(gdb_packet, any_bytes_are_read_without_harm) {
    std::mt19937 random(5);
    const std::string alphabet = "$#}+-\x03mgZ0123456789abcdef,;:";
    std::size_t packets = 0;
    packet_reader reader;
    for (int i = 0; i < 100'000; ++i) {
        std::string bytes;
        const std::size_t size = random() % 40;
        for (std::size_t k = 0; k < size; ++k) {
            bytes += random() % 5 == 0 ? static_cast<char>(random() & 0xff)
                                       : alphabet[random() % alphabet.size()];
        }
        // Some packets that are whole, else hardly any were.
        if (random() % 4 == 0) bytes = framed(bytes);
        reader.feed(bytes);
        while (const auto next = reader.next()) packets += next->what == kind::packet ? 1 : 0;
    }
    EXPECT_GT(packets, 15'000U);
}

TEST(gdb_fields, are_taken_from_the_front) {
    packet_fields fields("1f,20:rest");
    EXPECT_EQ(fields.number(), 0x1fU);
    fields.skip(',');
    EXPECT_EQ(fields.number(), 0x20U);
    EXPECT_FALSE(fields.take(";"));
    EXPECT_TRUE(fields.take(":"));
    EXPECT_FALSE(fields.complete());
    EXPECT_EQ(fields.until('t'), "res");
    EXPECT_EQ(fields.characters(1), "t");
    EXPECT_TRUE(fields.complete());
}

TEST(gdb_fields, that_are_missing_are_told) {
    packet_fields none("x");
    EXPECT_EQ(none.number(), 0U);
    EXPECT_TRUE(none.failed());
    EXPECT_EQ(none.rest(), "");
    packet_fields longest("ffffffffffffffff");
    EXPECT_EQ(longest.number(), ~0ULL);
    EXPECT_FALSE(longest.failed());
    packet_fields too_long("10000000000000000");
    (void)too_long.number();
    EXPECT_TRUE(too_long.failed());
    packet_fields all("-1");
    EXPECT_EQ(all.thread(), ~0ULL);
    EXPECT_TRUE(all.complete());
    packet_fields few("ab");
    EXPECT_EQ(few.characters(3), "");
    EXPECT_TRUE(few.failed());
}

TEST(gdb_hex, is_read_and_written) {
    EXPECT_EQ(to_hex("a\xff"), "61ff");
    EXPECT_EQ(from_hex("61fF"), "a\xff");
    EXPECT_EQ(from_hex("6"), std::nullopt);
    EXPECT_EQ(from_hex("6g"), std::nullopt);
    EXPECT_EQ(little_endian(0x12345678, 4), "78563412");
    EXPECT_EQ(little_endian(1, 8), "0100000000000000");
}

}  // namespace
}  // namespace heddle::command::gdb
