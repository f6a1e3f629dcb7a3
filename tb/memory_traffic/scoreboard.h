// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/protocol/memory_access.h"
#include "models/base/random.h"
#include "tb/kit/testbench.h"

namespace heddle::traffic {

inline constexpr unsigned line_bytes = 128;
inline constexpr unsigned line_words = line_bytes / 4;
inline constexpr std::uint64_t region = 0x40000000;

/// What a word of the region is used for, and thereby what a load of it may return.
enum class word_use : std::uint8_t {
    bytes,     ///< each byte belongs to one client: exactly what that one issued last
    sequence,  ///< one writer counts upwards: between acknowledged and issued
    tickets,   ///< amoadd 1 by everybody: old values are the numbers 0, 1, 2, ..., each once
    floats,    ///< the same with amofadd 1.0
    compares,  ///< amocas: the value counts the successes
    reserved,  ///< lr/sc: the value counts the successes
};

/// A transaction on its way, and what it must return.
struct access_record {
    protocol::memory_transaction* transaction = nullptr;
    unsigned client = 0;
    std::array<std::uint32_t, line_words> low{};   ///< least legal value of each word, at issue
    std::array<std::uint8_t, line_bytes> exact{};  ///< expected bytes where is_exact
    std::array<bool, line_bytes> is_exact{};
};

/// Flat reference of a region of memory that several clients use at once. Clients ask it for legal
/// random accesses and hand it what comes back; it checks data and order per address:
///  - a client sees its own stores in the order in which it issued them;
///  - an access issued after another one has completed sees its effect (linearisable words);
///  - atomics take effect once each, lanes of one access in ascending order, nothing in between.
class scoreboard {
public:
    scoreboard(testbench& bench, unsigned clients, unsigned lines);

    [[nodiscard]] static word_use use(std::uint64_t word);
    /// Fills in a random access of `client` and notes what it must return.
    void prepare(access_record& record, random_stream& random);
    /// The response has come.
    void complete(access_record& record);

    using debug_access = std::function<unsigned(tlm::tlm_generic_payload&)>;
    /// The host reads a random part of the region, and may write words of its own.
    void debug(random_stream& random, const debug_access& transport, bool may_write);
    /// Everything has completed: compares the whole region.
    void check_all(const debug_access& transport);

    [[nodiscard]] std::uint64_t checks() const noexcept { return checks_; }

private:
    struct word_state {
        std::uint32_t issued = 0;     ///< sequence: last value; tickets: number of operations
        std::uint32_t completed = 0;  ///< sequence: acknowledged; others: highest known value
        std::uint32_t successes = 0;  ///< compares, reserved
        std::vector<bool> seen;       ///< tickets that were drawn
    };
    struct client_state {
        std::vector<std::uint32_t> last_seen;  ///< per word: no load may return less
        std::vector<std::uint32_t> comparand;  ///< per word
        std::uint64_t reserved_word = 0;       ///< of the lr/sc under way
        std::uint32_t reserved_value = 0;
        enum class chain : std::uint8_t { none, loading, loaded, storing } reservation{};
    };

    [[nodiscard]] unsigned byte_owner(std::uint64_t byte) const { return byte * 7 / 3 % clients_; }
    [[nodiscard]] unsigned sequence_owner(std::uint64_t word) const {
        return word / 8 % (clients_ + 1);
    }
    void prepare_load(access_record& record, random_stream& random);
    void prepare_store(access_record& record, random_stream& random);
    bool prepare_atomic(access_record& record, random_stream& random);
    void prepare_lane(access_record& record, word_use what, unsigned lane, unsigned word);
    void read_line(std::uint64_t line, const debug_access& transport);
    void note_bounds(access_record& record);
    void complete_load(access_record& record);
    void complete_store(access_record& record);
    void complete_atomic(access_record& record);
    void complete_lane(access_record& record, const protocol::lane_atomic& atomic);
    void draw_ticket(std::uint64_t word, std::uint32_t ticket, std::uint32_t low);
    void check_word(std::uint64_t word, std::uint32_t value, std::uint32_t low, std::uint32_t high,
                    const std::string& who);
    [[nodiscard]] static std::uint32_t number(word_use what, std::uint32_t bits);

    testbench& bench_;
    const unsigned clients_;
    const unsigned lines_;
    std::vector<std::uint8_t> bytes_;    ///< owned bytes, as issued
    std::vector<unsigned> stores_open_;  ///< per line, not acknowledged
    std::vector<word_state> words_;
    std::vector<client_state> states_;
    std::uint64_t checks_ = 0;
};

}  // namespace heddle::traffic
