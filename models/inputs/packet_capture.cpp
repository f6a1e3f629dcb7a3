// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Packets as tcpdump writes them (libpcap's file format; DARPA's intrusion detection data is
// published in it). A packet's string is its payload: what follows the headers of Ethernet, IPv4
// and TCP or UDP. Other packets have the string that follows the last header that is known.
#include <array>

#include "models/base/error.h"
#include "models/inputs/string_kinds.h"
#include "models/inputs/text_source.h"

namespace heddle::inputs {
namespace {

struct capture_arguments {
    std::string file;
    bool empty = false;

    void declare(parameter_list& p) {
        p.add("file", file, "Path of the file, which may be gzipped");
        p.add("empty", empty, "Keep packets without a payload");
    }
};

constexpr std::uint32_t largest_packet = 1 << 18;  // libpcap's own limit

/// The numbers of a capture file, in the byte order of the host that wrote it.
class capture_file {
public:
    explicit capture_file(const std::string& name) : name_(name), source_(name) {}

    /// Fills `to`; false at the end of the file, before its first byte.
    bool read(std::uint8_t* to, std::size_t size) {
        std::size_t have = 0;
        while (have < size) {
            const std::size_t more = source_.read(reinterpret_cast<char*>(to) + have, size - have);
            if (more == 0 && have == 0) return false;
            if (more == 0) fail("the end of the file", std::to_string(size - have) + " more bytes");
            have += more;
            at_ += more;
        }
        return true;
    }
    void set_swapped(bool swapped) noexcept { swapped_ = swapped; }
    [[nodiscard]] std::uint32_t word(const std::uint8_t* bytes) const noexcept {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i) {
            value |= std::uint32_t{bytes[swapped_ ? 3 - i : i]} << (8 * i);
        }
        return value;
    }
    [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
        throw configuration_error(name_ + ": byte " + std::to_string(at_) + ": found " + found +
                                  ", expected " + expected);
    }

private:
    std::string name_;
    text_source source_;
    std::uint64_t at_ = 0;
    bool swapped_ = false;
};

/// Reads the file's header; the kind of link.
std::uint32_t read_header(capture_file& file) {
    std::array<std::uint8_t, 24> header{};
    constexpr const char* expected = "the header of a capture file (a1 b2 c3 d4 in any byte order)";
    if (!file.read(header.data(), header.size())) file.fail("the end of the file", expected);
    const auto is_magic = [&] {
        const std::uint32_t magic = file.word(header.data());
        return magic == 0xa1b2c3d4 || magic == 0xa1b23c4d;  // times in micro- or nanoseconds
    };
    if (!is_magic()) {
        file.set_swapped(true);
        if (!is_magic()) file.fail("other bytes", expected);
    }
    const std::uint32_t link = file.word(header.data() + 20);
    if (link != 1 && link != 101) {
        file.fail("link type " + std::to_string(link), "1 (Ethernet) or 101 (IP)");
    }
    return link;
}

std::uint32_t big_endian_half(const std::uint8_t* bytes) noexcept {
    return bytes[0] * 256U + bytes[1];
}

/// Where the payload of a packet is: from `first` up to `last`.
struct payload_place {
    std::size_t first, last;
};

payload_place find_payload(const std::vector<std::uint8_t>& packet, std::uint32_t link) {
    constexpr std::size_t ethernet = 14;
    std::size_t at = link == 1 ? ethernet : 0;
    const std::size_t end = packet.size();
    if (at > end) return {end, end};
    if (link == 1 && big_endian_half(&packet[12]) != 0x0800) return {at, end};
    if (end - at < 20 || packet[at] >> 4U != 4) return {at, end};
    const std::size_t header = (packet[at] & 15U) * std::size_t{4};
    const std::size_t total = big_endian_half(&packet[at + 2]);
    if (header < 20 || total < header || total > end - at) return {at, end};
    const std::size_t last = at + total;  // what follows pads the frame
    const unsigned protocol = packet[at + 9];
    at += header;
    const bool udp = protocol == 17 && last - at >= 8;
    const bool tcp = protocol == 6 && last - at >= 20;
    const std::size_t inner = udp ? 8 : tcp ? (packet[at + 12] >> 4U) * std::size_t{4} : 0;
    return {inner <= last - at ? at + inner : last, last};
}

string_list read_capture(const capture_arguments& arguments, const std::string& origin,
                         std::uint64_t /*run_seed*/) try {
    capture_file file(arguments.file);
    const std::uint32_t link = read_header(file);
    string_list strings;
    strings.origin = origin;
    std::vector<std::uint8_t> packet;
    for (std::array<std::uint8_t, 16> record{}; file.read(record.data(), record.size());) {
        const std::uint32_t captured = file.word(&record[8]);
        if (captured > largest_packet) {
            file.fail("a packet of " + std::to_string(captured) + " bytes",
                      "at most " + std::to_string(largest_packet));
        }
        packet.resize(captured);
        if (captured != 0 && !file.read(packet.data(), captured)) {
            file.fail("the end of the file", "a packet of " + std::to_string(captured) + " bytes");
        }
        const payload_place place = find_payload(packet, link);
        if (place.first == place.last && !arguments.empty) continue;
        strings.add(packet.data() + place.first, place.last - place.first);
    }
    if (strings.size() == 0) file.fail("the end of the file", "a packet with a payload");
    return strings;
} catch (const source_error& error) {
    throw configuration_error(arguments.file + ": " + error.what());
}

}  // namespace

string_kind packet_capture() {
    return make_input_kind<capture_arguments>(
        "pcap", "Capture of packets (tcpdump): each payload is a string", {".pcap", ".tcpdump"},
        read_capture);
}

}  // namespace heddle::inputs
