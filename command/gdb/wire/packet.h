// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The remote protocol of gdb, as text on a line (gdb's manual, appendix "Remote Protocol").
namespace heddle::command::gdb {

/// The longest packet that is taken or sent, without its frame.
inline constexpr std::size_t packet_limit = 65'536;

/// What a debugger has sent.
struct received {
    enum class kind {
        packet,     ///< with a right checksum
        broken,     ///< with a wrong one, or too long
        interrupt,  ///< Ctrl-C
    };
    kind what;
    std::string payload;  ///< of a packet; escapes are resolved
};

/// Finds packets in bytes as they come, in pieces of any size. Never fails: what is no packet is
/// passed over.
class packet_reader {
public:
    void feed(std::string_view bytes) { bytes_ += bytes; }
    /// The next one that is complete, if any.
    std::optional<received> next();
    /// A packet has begun and not ended.
    [[nodiscard]] bool in_packet() const noexcept { return !bytes_.empty(); }

private:
    std::string bytes_;         ///< not looked at yet; begins with a frame, if there is any
    std::size_t searched_ = 0;  ///< of them, without the end of the frame
    bool too_long_ = false;     ///< the present packet: it is passed over
};

/// The frame of a packet: escapes, repeated characters written once, checksum.
[[nodiscard]] std::string framed(std::string_view payload);

/// Bytes as hexadecimal digits, two each.
[[nodiscard]] std::string to_hex(std::string_view bytes);
/// Nothing if it isn't such text.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text);
/// The lowest `bytes` bytes of a value, lowest first, as hexadecimal digits.
[[nodiscard]] std::string little_endian(unsigned long long value, std::size_t bytes);

/// Takes fields from the front of a packet's text. A field that isn't there makes failed() true,
/// and every later field is empty or 0.
class packet_fields {
public:
    explicit packet_fields(std::string_view text) : left_(text) {}

    /// A hexadecimal number of at most 64 bits.
    unsigned long long number();
    /// A thread: a number, or -1 (all) as ~0.
    unsigned long long thread();
    /// The character has to come.
    void skip(char separator);
    /// Takes the word if it comes.
    bool take(std::string_view word);
    /// Up to the next separator, which stays, or the end.
    std::string_view until(char separator);
    /// Exactly so many characters.
    std::string_view characters(std::size_t count);
    [[nodiscard]] std::string_view rest() const noexcept { return left_; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }
    /// Nothing is left, and nothing has failed.
    [[nodiscard]] bool complete() const noexcept { return !failed_ && left_.empty(); }

private:
    void fail() noexcept {
        failed_ = true;
        left_ = {};
    }
    std::string_view left_;
    bool failed_ = false;
};

}  // namespace heddle::command::gdb
