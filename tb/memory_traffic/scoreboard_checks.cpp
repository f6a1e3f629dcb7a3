// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What the scoreboard compares: responses, and what the host sees.
#include <algorithm>
#include <cstring>

#include "tb/memory_traffic/scoreboard.h"

namespace heddle::traffic {

using protocol::lane_atomic;
using protocol::memory_access;
using protocol::memory_kind;

namespace {

std::uint64_t position(const tlm::tlm_generic_payload& p) {
    return p.get_address() - region;
}

}  // namespace

// ---- completion -------------------------------------------------------------------------------

void scoreboard::check_word(std::uint64_t word, std::uint32_t value, std::uint32_t low,
                            std::uint32_t high, const std::string& who) {
    ++checks_;
    if (value < low || value > high) {
        bench_.check(false, who + " found " + std::to_string(value) + " in word " +
                                std::to_string(word) + " at " +
                                sc_core::sc_time_stamp().to_string() +
                                ", legal: " + std::to_string(low) + " to " + std::to_string(high));
    }
}

void scoreboard::complete(access_record& record) {
    protocol::memory_transaction& transaction = *record.transaction;
    if (!transaction.is_response_ok()) {
        bench_.check(false, "client " + std::to_string(record.client) + " was answered " +
                                transaction.get_response_string());
    }
    switch (transaction.access().kind) {
        case memory_kind::store:
            complete_store(record);
            break;
        case memory_kind::atomic:
            complete_atomic(record);
            break;
        default:
            complete_load(record);
    }
}

void scoreboard::complete_load(access_record& record) {
    protocol::memory_transaction& transaction = *record.transaction;
    const std::uint64_t first = position(transaction);
    const std::string who = "client " + std::to_string(record.client);
    for (unsigned i = 0; i < transaction.get_data_length(); ++i) {
        if (record.is_exact[i] && transaction.access().byte_enabled(i)) {
            ++checks_;
            if (transaction.data()[i] != record.exact[i]) {
                bench_.check(false, who + " does not see its own store: byte " +
                                        std::to_string(first + i) + " is " +
                                        std::to_string(transaction.data()[i]) + " instead of " +
                                        std::to_string(record.exact[i]) + " at " +
                                        sc_core::sc_time_stamp().to_string());
            }
        }
    }
    for (unsigned i = 0; i < transaction.get_data_length(); i += 4) {
        const std::uint64_t word = (first + i) / 4;
        bool whole = use(word) != word_use::bytes;
        for (unsigned byte = 0; byte < 4; ++byte) {
            whole = whole && transaction.access().byte_enabled(i + byte);
        }
        if (!whole) {
            continue;
        }
        std::uint32_t bits = 0;
        std::memcpy(&bits, transaction.data() + i, 4);
        const std::uint32_t value = number(use(word), bits);
        std::uint32_t& seen = states_[record.client].last_seen[word];
        check_word(word, value, std::max(record.low[i / 4], seen), words_[word].issued, who);
        seen = value;
    }
}

void scoreboard::complete_store(access_record& record) {
    const std::uint64_t first = position(*record.transaction);
    --stores_open_[first / line_bytes];
    for (unsigned i = 0; i < line_bytes; i += 4) {
        if (use((first + i) / 4) == word_use::sequence &&
            record.transaction->access().byte_enabled(i)) {
            std::uint32_t value = 0;
            std::memcpy(&value, record.transaction->data() + i, 4);
            std::uint32_t& completed = words_[(first + i) / 4].completed;
            completed = std::max(completed, value);
        }
    }
}

void scoreboard::draw_ticket(std::uint64_t word, std::uint32_t ticket, std::uint32_t low) {
    word_state& state = words_[word];
    check_word(word, ticket, low, state.issued - 1, "an atomic");
    if (state.seen.size() < state.issued) {
        state.seen.resize(2 * std::size_t{state.issued});
    }
    if (ticket < state.seen.size()) {
        bench_.check(!state.seen[ticket], "two atomics found " + std::to_string(ticket) +
                                              " in word " + std::to_string(word));
        state.seen[ticket] = true;
    }
    state.completed = std::max(state.completed, ticket + 1);
}

void scoreboard::complete_lane(access_record& record, const lane_atomic& atomic) {
    client_state& client = states_[record.client];
    using chain = client_state::chain;
    const std::uint64_t word = position(*record.transaction) / 4 + atomic.offset / 4;
    const std::uint32_t low = record.low[atomic.offset / 4];
    word_state& state = words_[word];
    switch (use(word)) {
        case word_use::tickets:
        case word_use::floats:
            draw_ticket(word, number(use(word), atomic.result), low);
            break;
        case word_use::compares: {
            check_word(word, atomic.result, low, state.issued, "amocas");
            const bool done = atomic.result == atomic.compare;
            state.successes += done ? 1 : 0;
            client.comparand[word] = atomic.result + (done ? 1 : 0);
            state.completed = std::max(state.completed, client.comparand[word]);
            break;
        }
        default:
            if (client.reservation == chain::loading) {
                check_word(word, atomic.result, low, state.issued, "lr");
                client.reserved_value = atomic.result;
                client.reservation = chain::loaded;
                break;
            }
            check_word(word, atomic.result, 0, 1, "sc");
            client.reservation = chain::none;
            if (atomic.result == 0) {
                ++state.successes;
                state.completed = std::max(state.completed, client.reserved_value + 1);
            }
    }
}

void scoreboard::complete_atomic(access_record& record) {
    const memory_access& access = record.transaction->access();
    std::array<std::int64_t, line_words> previous;
    previous.fill(-1);
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        const lane_atomic& atomic = access.atomics[i];
        const word_use what = use(position(*record.transaction) / 4 + atomic.offset / 4);
        std::int64_t& before = previous[atomic.offset / 4];
        const std::int64_t value = number(what, atomic.result);
        if (before >= 0 && (what == word_use::tickets || what == word_use::floats)) {
            bench_.check(value == before + 1, "lanes of one atomic are not in a row");
        }
        before = value;
        complete_lane(record, atomic);
    }
}

// ---- the host ---------------------------------------------------------------------------------

void scoreboard::debug(random_stream& random, const debug_access& transport, bool may_write) {
    const std::uint64_t line = random.below(lines_);
    std::array<std::uint8_t, line_bytes> data{};
    tlm::tlm_generic_payload access;
    access.set_data_ptr(data.data());
    if (may_write && random.chance(0.3)) {
        for (std::uint64_t word = line * line_words; word < (line + 1) * line_words; ++word) {
            if (use(word) == word_use::sequence && sequence_owner(word) == clients_) {
                const std::uint32_t value = words_[word].completed = ++words_[word].issued;
                std::memcpy(data.data(), &value, 4);
                access.set_write();
                access.set_address(region + 4 * word);
                access.set_data_length(4);
                access.set_streaming_width(4);
                bench_.check(transport(access) == 4, "a debug write failed");
            }
        }
    }
    read_line(line, transport);
}

void scoreboard::read_line(std::uint64_t line, const debug_access& transport) {
    std::array<std::uint8_t, line_bytes> data{};
    tlm::tlm_generic_payload access;
    access.set_data_ptr(data.data());
    access.set_read();
    access.set_address(region + line * line_bytes);
    access.set_data_length(line_bytes);
    access.set_streaming_width(line_bytes);
    bench_.check(transport(access) == line_bytes, "a debug read failed");
    for (unsigned i = 0; i < line_bytes; ++i) {
        const std::uint64_t byte = line * line_bytes + i;
        const word_use what = use(byte / 4);
        if (what == word_use::bytes && stores_open_[line] == 0) {
            ++checks_;
            if (data[i] != bytes_[byte]) {
                bench_.check(false, "debug read of byte " + std::to_string(byte) + " gives " +
                                        std::to_string(data[i]) + " instead of " +
                                        std::to_string(bytes_[byte]) + " at " +
                                        sc_core::sc_time_stamp().to_string());
            }
        } else if (what != word_use::bytes && i % 4 == 0) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, data.data() + i, 4);
            const word_state& word = words_[byte / 4];
            check_word(byte / 4, number(what, bits), word.completed, word.issued, "debug read");
        }
    }
}

void scoreboard::check_all(const debug_access& transport) {
    for (std::uint64_t word = 0; word < words_.size(); ++word) {
        word_state& state = words_[word];
        if (use(word) == word_use::compares || use(word) == word_use::reserved) {
            state.issued = state.completed = state.successes;
        } else if (use(word) == word_use::tickets || use(word) == word_use::floats) {
            state.completed = state.issued;
        }
    }
    for (unsigned line = 0; line < lines_; ++line) {
        read_line(line, transport);
    }
}

}  // namespace heddle::traffic
