// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Payloads of packets of the shape of DARPA's intrusion detection data (1998, 1999): single keys of
// terminal sessions, lines of mail, transfer and web protocols, and full packets of text or data.
#include <algorithm>
#include <array>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/string_kinds.h"

namespace heddle::inputs {
namespace {

struct packets_arguments : seed_argument {
    std::uint32_t count = 512;
    std::uint32_t longest = 1460;

    void declare(parameter_list& p) {
        p.add("count", count, range(1, 1 << 26), "packet", "Packets");
        p.add("longest", longest, range(1, 65535), "byte", "Most bytes of a payload");
        seed_argument::declare(p);
    }
};

template <std::size_t count>
std::string any_of(const std::array<const char*, count>& words, random_stream& random) {
    return words[random.below(count)];
}

std::string word(random_stream& random) {
    static constexpr std::array<const char*, 16> words{
        "root",  "admin", "guest", "index", "images", "login", "passwd", "list",
        "alpha", "plum",  "eagle", "marx",  "finger", "news",  "etc",    "home"};
    return any_of(words, random);
}

std::string number(random_stream& random, std::uint64_t below) {
    return std::to_string(random.below(below));
}

std::string address(random_stream& random) {
    return number(random, 256) + "." + number(random, 256) + "." + number(random, 256) + "." +
           number(random, 256);
}

/// A line of a protocol.
std::string line(random_stream& random) {
    switch (random.below(8)) {
        case 0:
            return "GET /" + word(random) + "/" + word(random) + ".html HTTP/1.0\r\n";
        case 1:
            return "Host: " + address(random) + "\r\n";
        case 2:
            return "USER " + word(random) + "\r\n";
        case 3:
            return "PASS " + word(random) + number(random, 1000) + "\r\n";
        case 4:
            return "MAIL From:<" + word(random) + "@" + word(random) + ".mil>\r\n";
        case 5:
            return "220 " + word(random) + " ready\r\n";
        case 6:
            return "cd /" + word(random) + "/" + word(random) + "\r\n";
        default:
            return word(random) + " " + word(random) + " " + number(random, 100000) + "\r\n";
    }
}

std::string payload(const packets_arguments& arguments, random_stream& random) {
    // Of ten packets, three carry a key or an echo, four a few lines, three are as full as they may
    // be, one of these with data.
    const std::uint64_t shape = random.below(10);
    std::string text;
    if (shape < 3) {
        for (std::uint64_t left = 1 + random.below(4); left > 0; --left) {
            text += static_cast<char>('a' + random.below(26));
        }
    } else if (shape < 9) {
        const std::uint64_t lines = shape < 7 ? 1 + random.below(8) : arguments.longest / 8 + 1;
        for (std::uint64_t i = 0; i < lines; ++i) text += line(random);
    } else {
        for (std::uint32_t i = 0; i < arguments.longest; ++i) {
            text += static_cast<char>(random.below(256));
        }
    }
    text.resize(std::min<std::size_t>(text.size(), arguments.longest));
    return text;
}

string_list make_packets(const packets_arguments& arguments, const std::string& origin,
                         std::uint64_t run_seed) {
    random_stream random = arguments.random("packets", run_seed);
    string_list strings;
    strings.origin = origin;
    for (std::uint32_t i = 0; i < arguments.count; ++i) {
        attention::throw_if_interrupted("making packets");
        strings.add(payload(arguments, random));
    }
    return strings;
}

}  // namespace

string_kind packets() {
    return make_input_kind<packets_arguments>(
        "packets", "Payloads of packets: keys, lines of protocols, full packets of text and data",
        {}, make_packets);
}

}  // namespace heddle::inputs
