// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/kernel_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "models/program/image.h"

namespace heddle {
namespace {

constexpr std::uint32_t header_words = 3;
constexpr std::uint32_t word_bytes = 4;
constexpr std::size_t longest_string = 4096;
constexpr std::int32_t widest = 4096;  ///< of a number or text, where an argument says it

bool is_one_of(char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
}

/// The arguments of a record, one after the other.
class argument_words {
public:
    argument_words(const std::uint32_t* first, const std::uint32_t* end) : at_(first), end_(end) {}

    std::uint64_t take(unsigned bytes) {
        const std::uint64_t low = next();
        return bytes == 8 ? low | std::uint64_t{next()} << 32 : low;
    }

private:
    /// A format of more arguments than the record's was changed since, by the kernel itself.
    std::uint32_t next() { return at_ != end_ ? *at_++ : 0; }

    const std::uint32_t* at_;
    const std::uint32_t* end_;
};

/// "%-8.3v4hld", taken apart as print.c does.
struct conversion {
    std::string flags;  ///< with width and precision; '*' still in it
    unsigned elements = 1;
    unsigned bytes = 4;  ///< of an element in the record
    unsigned shown = 4;  ///< of which so many count
    char letter = 0;     ///< 0: the format ends within it

    [[nodiscard]] bool is_real() const { return is_one_of(letter, "aAeEfFgG"); }
};

/// `at` is behind the '%', and then behind the conversion.
conversion read_conversion(const char*& at, unsigned long_bytes) {
    conversion read;
    unsigned longs = 0, shorts = 0;
    for (; *at != 0 && !is_one_of(*at, "diouxXcspaAeEfFgG"); ++at) {
        if (*at == 'l') {
            ++longs;
        } else if (*at == 'h') {
            ++shorts;
        } else if (*at == 'j') {
            longs += 2;
        } else if (*at == 'z' || *at == 't') {
            continue;
        } else if (*at == 'v') {
            read.elements = 0;
            for (; at[1] >= '0' && at[1] <= '9'; ++at) {
                read.elements = read.elements * 10 + static_cast<unsigned>(at[1] - '0');
            }
        } else {
            read.flags += *at;
        }
    }
    if (*at == 0) return read;
    read.letter = *at++;
    if (read.elements == 1) {
        read.bytes = read.is_real() || longs >= 2 ? 8 : longs == 1 ? long_bytes : 4;
        read.shown = shorts == 0 ? read.bytes : shorts == 1 ? 2 : 1;
    } else {
        read.shown = shorts == 2 ? 1 : longs == shorts ? 4 : longs != 0 ? 8 : 2;
        read.bytes = read.shown == 8 ? 8 : 4;
    }
    return read;
}

template <class Value>
std::string formatted(const std::string& format, Value value) {
    char text[512];
    const int length = std::snprintf(text, sizeof text, format.c_str(), value);
    if (length < 0) return {};
    if (static_cast<std::size_t>(length) < sizeof text) return {text, text + length};
    std::string all(static_cast<std::size_t>(length) + 1, '\0');
    (void)std::snprintf(all.data(), all.size(), format.c_str(), value);
    all.pop_back();
    return all;
}

std::string number_text(const conversion& what, std::uint64_t bits) {
    const std::string begin = "%" + what.flags;
    if (what.is_real()) {
        double value = 0;
        if (what.bytes == 8) {
            std::memcpy(&value, &bits, sizeof value);
        } else {
            const auto word = static_cast<std::uint32_t>(bits);
            float single = 0;
            std::memcpy(&single, &word, sizeof single);
            value = single;
        }
        return formatted(begin + what.letter, value);
    }
    const unsigned unused = 64 - 8 * what.shown;
    if (what.letter == 'c') return formatted(begin + 'c', static_cast<int>(bits & 0xff));
    if (what.letter == 'p') return formatted(begin + "s", fmt::format("0x{:08x}", bits).c_str());
    if (is_one_of(what.letter, "di")) {
        return formatted(begin + "ll" + what.letter,
                         static_cast<long long>(bits << unused) >> unused);
    }
    return formatted(begin + "ll" + what.letter,
                     static_cast<unsigned long long>(bits << unused) >> unused);
}

void print_to_standard_output(std::string_view text) {
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

kernel_output::kernel_output(memory memory)
    : memory_(std::move(memory)), sink_(print_to_standard_output) {}

void kernel_output::load(program_id program, const program::image& image) {
    const program::symbol* const found = image.find_symbol("heddle_print_buffer");
    if (found == nullptr) return;
    buffers_.push_back({program, found->address, found->size / word_bytes - 1});
}

void kernel_output::unload(program_id program) {
    buffers_.erase(std::remove_if(buffers_.begin(), buffers_.end(),
                                  [&](const buffer& each) { return each.program == program; }),
                   buffers_.end());
}

std::string kernel_output::string_at(device_address address) const {
    std::string text;
    for (char c = 0; text.size() < longest_string; text += c) {
        if (!memory_.exists(address, 1)) return fmt::format("(no string at 0x{:08x})", address);
        memory_.get(&c, address++, 1);
        if (c == 0) break;
    }
    return text;
}

std::string kernel_output::text_of(const std::vector<std::uint32_t>& words) {
    const std::string format = string_at(words[2]);
    argument_words arguments(words.data() + header_words, words.data() + words.size());
    std::string text;
    for (const char* at = format.c_str(); *at != 0;) {
        if (*at != '%') {
            text += *at++;
            continue;
        }
        if (*++at == '%') {
            text += *at++;
            continue;
        }
        conversion what = read_conversion(at, words[1]);
        for (std::size_t star = 0; (star = what.flags.find('*')) != std::string::npos;) {
            const auto given = static_cast<std::int32_t>(arguments.take(4));
            // A kernel may pass anything; nobody wants gigabytes of blanks.
            const std::int32_t value = std::clamp(given, -widest, widest);
            what.flags.replace(star, 1, std::to_string(value));
        }
        if (what.letter == 0) break;
        if (what.letter == 's') {
            const std::string string = string_at(static_cast<device_address>(arguments.take(4)));
            text += formatted("%" + what.flags + "s", string.c_str());
            continue;
        }
        for (unsigned n = 0; n < what.elements; ++n) {
            if (n != 0) text += ',';
            text += number_text(what, arguments.take(what.bytes));
        }
    }
    return text;
}

void kernel_output::show() {
    for (const buffer& each : buffers_) show(each);
}

void kernel_output::show(const buffer& of) {
    std::uint32_t used = 0;
    memory_.get(&used, of.address, word_bytes);
    if (used == 0) return;
    std::vector<std::uint32_t> words(std::min(used, of.capacity));
    memory_.get(words.data(), of.address + word_bytes, words.size() * word_bytes);
    const std::vector<std::uint32_t> nothing(words.size() + 1, 0);
    memory_.put(of.address, nothing.data(), nothing.size() * word_bytes);
    if (!sink_) return;
    std::string text;
    std::size_t at = 0;
    while (at + header_words <= words.size()) {
        const std::uint32_t length = words[at];
        if (length < header_words || length > words.size() - at) break;
        text += text_of({words.begin() + static_cast<std::ptrdiff_t>(at),
                         words.begin() + static_cast<std::ptrdiff_t>(at + length)});
        at += length;
    }
    if (at != used) {
        text += fmt::format(
            "printf: {} bytes found no room; kernels can print {} between two waits of the host\n",
            std::uint64_t{used - at} * word_bytes, std::uint64_t{of.capacity} * word_bytes);
    }
    sink_(text);
}

}  // namespace heddle
