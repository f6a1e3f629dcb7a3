// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Lists of strings: readers, generators, statistics, and what is said about damaged files.
#include <gmock/gmock.h>

#include <algorithm>

#include "models/base/error.h"
#include "models/base/random.h"
#include "models/inputs/input_file.h"
#include "models/inputs/load_strings.h"
#include "tests/inputs/input_files.h"

namespace heddle::inputs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> texts(const string_list& strings) {
    std::vector<std::string> result;
    for (std::uint32_t i = 0; i < strings.size(); ++i) result.push_back(strings.text(i));
    return result;
}

class strings : public input_files {
protected:
    [[nodiscard]] string_list load(const std::string& name, const std::string& content,
                                   const std::string& format = "") const {
        (void)write(name, content);
        return load_strings(format.empty() ? path(name) : format + path(name));
    }
    [[nodiscard]] std::string error(const std::string& name, const std::string& content) const {
        try {
            (void)load(name, content);
        } catch (const configuration_error& found) {
            return found.what();
        }
        return "no error";
    }
};

TEST_F(strings, a_line_is_a_string) {
    EXPECT_THAT(texts(load("a.txt", "one\n two \r\n\nlast")),
                ElementsAre("one", " two ", "", "last"));
    EXPECT_THAT(texts(load("b.txt.gz", gzipped("x\ny\n"))), ElementsAre("x", "y"));
    EXPECT_THAT(texts(load("c", "x\n", "lines:file=")), ElementsAre("x"));
    EXPECT_THAT(error("empty.txt", ""), HasSubstr("expected a line"));
    EXPECT_THAT(error("a.graph", "x"), HasSubstr(".pcap"));
}

/// A number of `bytes` bytes, the lowest or the highest first.
std::string number(std::uint32_t value, unsigned bytes, bool highest_first) {
    std::string text;
    for (unsigned i = 0; i < bytes; ++i) {
        text += static_cast<char>(value >> (8 * (highest_first ? bytes - 1 - i : i)));
    }
    return text;
}

std::string capture_header(std::uint32_t link, bool highest_first) {
    return number(0xa1b2c3d4, 4, highest_first) + number(2, 2, highest_first) +
           number(4, 2, highest_first) + std::string(8, '\0') + number(65535, 4, highest_first) +
           number(link, 4, highest_first);
}

std::string record(const std::string& packet, bool highest_first) {
    const auto size = static_cast<std::uint32_t>(packet.size());
    return std::string(8, '\0') + number(size, 4, highest_first) +
           number(size + 100, 4, highest_first) + packet;
}

/// IPv4 without options; `protocol` 6 is TCP, 17 UDP.
std::string ip(unsigned protocol, const std::string& content) {
    return "\x45" + std::string(1, '\0') +
           number(static_cast<std::uint32_t>(20 + content.size()), 2, true) + std::string(5, '\0') +
           static_cast<char>(protocol) + std::string(10, '\0') + content;
}

std::string tcp(const std::string& payload) {
    return std::string(12, '\0') + "\x60" + std::string(7 + 4, '\0') + payload;  // one option word
}

std::string ethernet(unsigned type, const std::string& content) {
    return std::string(12, '\1') + number(type, 2, true) + content;
}

TEST_F(strings, a_capture_has_the_payloads_of_its_packets) {
    for (const bool highest_first : {false, true}) {
        const std::string file =
            capture_header(1, highest_first) +
            record(ethernet(0x800, ip(6, tcp("GET /")) + "padding"), highest_first) +
            record(ethernet(0x800, ip(17, std::string(8, '\0') + "name")), highest_first) +
            record(ethernet(0x800, ip(6, tcp(""))), highest_first) +
            record(ethernet(0x806, "who has"), highest_first) +
            record(ethernet(0x800, ip(1, "ping")), highest_first);
        const std::string name = highest_first ? "a.pcap" : "b.tcpdump";
        EXPECT_THAT(texts(load(name, file)), ElementsAre("GET /", "name", "who has", "ping"));
        EXPECT_EQ(load_strings("pcap:empty=true,file=" + path(name)).size(), 5U);
    }
    const std::string raw = capture_header(101, false) + record(ip(6, tcp("raw")), false);
    EXPECT_THAT(texts(load("c.pcap.gz", gzipped(raw))), ElementsAre("raw"));
}

TEST_F(strings, damaged_captures_are_errors) {
    const std::string header = capture_header(1, false);
    EXPECT_THAT(error("a.pcap", ""), HasSubstr("found the end of the file, expected the header"));
    EXPECT_THAT(error("a.pcap", std::string(24, 'x')), HasSubstr("byte 24: found other bytes"));
    EXPECT_THAT(error("a.pcap", header.substr(0, 20)), HasSubstr("expected 4 more bytes"));
    EXPECT_THAT(error("a.pcap", header), HasSubstr("expected a packet with a payload"));
    EXPECT_THAT(error("a.pcap", capture_header(105, false)), HasSubstr("found link type 105"));
    const std::string whole = header + record(ethernet(0x800, ip(6, tcp("text"))), false);
    for (std::size_t size = header.size() + 1; size < whole.size(); ++size) {
        EXPECT_THAT(error("a.pcap", whole.substr(0, size)), HasSubstr("expected")) << size;
    }
    EXPECT_THAT(error("a.pcap", header + std::string(8, '\0') + number(1 << 30, 4, false) + "1234"),
                HasSubstr("a packet of 1073741824 bytes, expected at most 262144"));
    EXPECT_THAT(error_of_input("packets"), HasSubstr("nor a format or generator 'packets'"));
}

TEST_F(strings, any_packet_is_read_without_a_fault) {
    random_stream random(1, "fuzz");
    const std::string packet = ethernet(0x800, ip(6, tcp("payload")));
    for (int round = 0; round < 300; ++round) {
        std::string damaged = packet.substr(0, 1 + random.below(packet.size()));
        for (int i = 0; i < 3; ++i) {
            damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        }
        (void)write("f.pcap", capture_header(1, false) + record(damaged, false));
        const string_list read = load_strings("pcap:empty=true,file=" + path("f.pcap"));
        ASSERT_EQ(read.size(), 1U);
        ASSERT_LE(read.length(0), damaged.size());
    }
}

TEST_F(strings, generators_make_the_same_strings_again) {
    for (const char* input : {"packets:count=200", "strings:count=200"}) {
        const string_list made = load_strings(input, 7);
        EXPECT_EQ(made.size(), 200U);
        EXPECT_EQ(load_strings(made.origin, 8).bytes, made.bytes);
        EXPECT_NE(load_strings(input, 8).bytes, made.bytes);
    }
    const string_list few = load_strings("strings:count=3000,shortest=5,longest=9,letters=3");
    std::uint32_t longest = 0;
    for (std::uint32_t i = 0; i < few.size(); ++i) {
        ASSERT_GE(few.length(i), 5U);
        longest = std::max(longest, few.length(i));
    }
    EXPECT_EQ(longest, 9U);
    EXPECT_EQ(*std::min_element(few.bytes.begin(), few.bytes.end()), 'a');
    EXPECT_EQ(*std::max_element(few.bytes.begin(), few.bytes.end()), 'c');
}

TEST_F(strings, packets_are_short_or_full) {
    const string_list made = load_strings("packets:count=2000,longest=800");
    double small = 0;
    double full = 0;
    for (std::uint32_t i = 0; i < made.size(); ++i) {
        ASSERT_LE(made.length(i), 800U);
        small += made.length(i) <= 4 ? 1 : 0;
        full += made.length(i) == 800 ? 1 : 0;
    }
    EXPECT_NEAR(small / made.size(), 0.3, 0.04);
    EXPECT_NEAR(full / made.size(), 0.3, 0.04);
}

TEST_F(strings, are_described) {
    const string_list three = load("three.txt", "\nab\nabcd\n");
    EXPECT_THAT(describe(three), HasSubstr("3 strings, 6 bytes\n"
                                           "length: minimum 0, median 2, mean 2.00, maximum 4, "
                                           "standard deviation 1.63\n"));
    EXPECT_THAT(describe_inputs(), HasSubstr("pcap: "));
    EXPECT_EQ(input_file("pcap:file=x"), "x");
    EXPECT_EQ(input_file("strings:count=3"), "");
    EXPECT_EQ(input_file("x.pcap"), "x.pcap");
}

}  // namespace
}  // namespace heddle::inputs
