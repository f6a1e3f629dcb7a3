// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/memory_traffic/scoreboard.h"

#include <algorithm>
#include <cstring>

namespace heddle::traffic {

using protocol::lane_atomic;
using protocol::memory_access;
using protocol::memory_kind;

namespace {

std::uint64_t position(const tlm::tlm_generic_payload& p) {
    return p.get_address() - region;
}

}  // namespace

scoreboard::scoreboard(testbench& bench, unsigned clients, unsigned lines)
    : bench_(bench),
      clients_(clients),
      lines_(lines),
      bytes_(std::size_t{lines} * line_bytes),
      stores_open_(lines),
      words_(std::size_t{lines} * line_words),
      states_(clients) {
    for (client_state& state : states_) {
        state.last_seen.resize(words_.size());
        state.comparand.resize(words_.size());
    }
}

word_use scoreboard::use(std::uint64_t word) {
    switch (word % 8) {
        case 3:
            return word_use::sequence;
        case 4:
            return word_use::tickets;
        case 5:
            return word_use::floats;
        case 6:
            return word_use::compares;
        case 7:
            return word_use::reserved;
        default:
            return word_use::bytes;
    }
}

std::uint32_t scoreboard::number(word_use what, std::uint32_t bits) {
    if (what != word_use::floats) {
        return bits;
    }
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value >= 0 && value < 1e9F ? static_cast<std::uint32_t>(value) : ~0U;
}

// ---- issue ------------------------------------------------------------------------------------

void scoreboard::prepare(access_record& record, random_stream& random) {
    memory_access& access = record.transaction->access();
    const std::uint64_t choice = random.below(10);
    if (choice < 4) {
        prepare_load(record, random);
    } else if (choice < 7 || !prepare_atomic(record, random)) {
        prepare_store(record, random);
    }
    access.sm = sm_id(record.client);
    access.launch = protocol::launch_id(1 + record.client);
    note_bounds(record);
}

void scoreboard::note_bounds(access_record& record) {
    record.is_exact.fill(false);
    const std::uint64_t first = position(*record.transaction);
    for (unsigned i = 0; i < record.transaction->get_data_length(); ++i) {
        if (use((first + i) / 4) == word_use::bytes && byte_owner(first + i) == record.client) {
            record.is_exact[i] = true;
            record.exact[i] = bytes_[first + i];
        }
    }
    for (unsigned i = 0; i < record.transaction->get_data_length() / 4; ++i) {
        const std::uint64_t word = first / 4 + i;
        const bool mine = use(word) == word_use::sequence && sequence_owner(word) == record.client;
        record.low[i] = mine ? words_[word].issued : words_[word].completed;
    }
}

void scoreboard::prepare_load(access_record& record, random_stream& random) {
    const std::uint64_t line = random.below(lines_);
    const unsigned first = 4 * static_cast<unsigned>(random.below(line_words));
    const unsigned length = 4 + 4 * static_cast<unsigned>(random.below((line_bytes - first) / 4));
    record.transaction->prepare(
        random.chance(0.1) ? memory_kind::instruction_fetch : memory_kind::load,
        region + line * line_bytes + first, length);
    if (random.chance(0.4)) {  // some words, some single bytes
        auto& mask = record.transaction->access().byte_mask;
        const std::uint64_t keep = random.next() | 1;
        for (unsigned i = 0; i < length; ++i) {
            if (((keep >> (i / 4)) & 1) == 0 || (i > 0 && random.chance(0.2))) {
                mask[i / 64] &= ~(std::uint64_t{1} << (i % 64));
            }
        }
    }
}

void scoreboard::prepare_store(access_record& record, random_stream& random) {
    const std::uint64_t line = random.below(lines_);
    protocol::memory_transaction& transaction = *record.transaction;
    transaction.prepare(memory_kind::store, region + line * line_bytes, line_bytes);
    auto& mask = transaction.access().byte_mask;
    mask = {};
    const double density = random.uniform();
    for (unsigned i = 0; i < line_bytes; ++i) {
        const std::uint64_t byte = line * line_bytes + i;
        const std::uint64_t word = byte / 4;
        bool takes = false;
        if (use(word) == word_use::bytes) {
            takes = byte_owner(byte) == record.client && random.chance(density);
        } else if (use(word) == word_use::sequence && sequence_owner(word) == record.client) {
            takes = true;
            if (byte % 4 == 0) {
                const std::uint32_t value = ++words_[word].issued;
                std::memcpy(transaction.data() + i, &value, 4);
            }
        }
        if (takes) {
            mask[i / 64] |= std::uint64_t{1} << (i % 64);
            if (use(word) == word_use::bytes) {
                transaction.data()[i] = bytes_[byte] = static_cast<std::uint8_t>(random.next());
            }
        }
    }
    if ((mask[0] | mask[1]) == 0) {
        prepare_load(record, random);
        return;
    }
    ++stores_open_[line];
}

bool scoreboard::prepare_atomic(access_record& record, random_stream& random) {
    static constexpr std::array<word_use, 4> uses{word_use::tickets, word_use::floats,
                                                  word_use::compares, word_use::reserved};
    client_state& state = states_[record.client];
    using chain = client_state::chain;
    word_use what = uses[random.below(uses.size())];
    if (state.reservation == chain::loaded) {
        what = word_use::reserved;
    } else if (what == word_use::reserved && state.reservation != chain::none) {
        return false;
    }
    const std::uint64_t line = state.reservation == chain::loaded ? state.reserved_word / line_words
                                                                  : random.below(lines_);
    protocol::memory_transaction& transaction = *record.transaction;
    transaction.prepare(memory_kind::atomic, region + line * line_bytes, line_bytes);
    memory_access& access = transaction.access();
    const unsigned lanes =
        what == word_use::reserved ? 1 : 1 + static_cast<unsigned>(random.below(32));
    for (unsigned lane = 0; lane < 32 && access.atomic_count < lanes; ++lane) {
        if (what == word_use::reserved || random.chance(0.5)) {
            std::uint64_t word = 8 * random.below(line_words / 8) + static_cast<unsigned>(what) + 2;
            if (state.reservation == chain::loaded) {
                word = state.reserved_word % line_words;
            }
            prepare_lane(record, what, lane, static_cast<unsigned>(word));
        }
    }
    return access.atomic_count != 0;
}

void scoreboard::prepare_lane(access_record& record, word_use what, unsigned lane, unsigned word) {
    client_state& state = states_[record.client];
    using chain = client_state::chain;
    memory_access& access = record.transaction->access();
    lane_atomic& atomic = access.atomics[access.atomic_count++];
    atomic = {};
    atomic.lane = static_cast<std::uint8_t>(lane);
    atomic.thread = static_cast<std::uint16_t>(lane);
    atomic.offset = static_cast<std::uint8_t>(4 * word);
    const std::uint64_t number = position(*record.transaction) / 4 + word;
    ++words_[number].issued;
    switch (what) {
        case word_use::tickets:
            access.operation = isa::opcode::amoadd_w;
            atomic.operand = 1;
            break;
        case word_use::floats:
            access.operation = isa::opcode::amofadd_w;
            atomic.operand = 0x3f800000;
            break;
        case word_use::compares:
            access.operation = isa::opcode::amocas_w;
            atomic.compare = state.comparand[number];
            atomic.operand = atomic.compare + 1;
            break;
        default:
            if (state.reservation == chain::loaded) {
                access.operation = isa::opcode::sc_w;
                atomic.operand = state.reserved_value + 1;
                state.reservation = chain::storing;
            } else {
                access.operation = isa::opcode::lr_w;
                state.reserved_word = number;
                state.reservation = chain::loading;
            }
    }
}

}  // namespace heddle::traffic
