// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <vector>

#include "hw/smx/tm/conflict_detectors.h"
#include "hw/smx/tm/tm_engine.h"
#include "hw/smx/tm/transactional_bank.h"

namespace heddle {

/// A tm_engine with its banks, without SystemC: a block of up to 256 items in slot 0 or 1.
class tm_rig : private tm_banks {
public:
    static constexpr unsigned lanes = 32;
    static constexpr unsigned banks = 32;
    static constexpr std::uint32_t window = 65408;  // no power of two: slots differ in low bits
    static constexpr unsigned directory_cycles = 4;

    explicit tm_rig(const transaction_configuration& configuration)
        : memory(banks, 2 * window),
          engine({configuration, lanes, transaction_configuration::maximum_items / lanes, 2, banks,
                  window, directory_cycles},
                 *this) {
        for (unsigned b = 0; b < banks; ++b) {
            banks_.push_back(std::make_unique<transactional_bank>(
                make_bank_state({configuration, 2, transactional_bank::rows(window, banks)}),
                transactional_bank::place{b, banks, window}, memory));
        }
    }

    /// Returns whether the warp's transaction is over.
    bool end_attempt(unsigned warp) {
        const auto end = engine.end_attempt(warp);
        for (const transaction_lanes& each : end.losers) heard[each.warp] |= each.lanes;
        return end.over;
    }
    void begin(unsigned warp, isa::lane_mask of) { engine.begin(warp, slot, warp * lanes, of); }

    /// The running lanes of `of` load word(lane), or store value(lane). Returns the cycles;
    /// `answer` has the values that have been loaded, and who has lost.
    template <class Word>
    unsigned load(unsigned warp, isa::lane_mask of, Word&& word) {
        return access(warp, of, protocol::local_command::load, word, [](unsigned) { return 0; });
    }
    template <class Word, class Value>
    unsigned store(unsigned warp, isa::lane_mask of, Word&& word, Value&& value) {
        return access(warp, of, protocol::local_command::store, word, value);
    }
    /// Stores of `bytes` bytes at an address.
    void store_part(unsigned warp, isa::lane_mask of, std::uint32_t address, std::uint8_t bytes,
                    std::uint32_t value) {
        prepare(warp, of, protocol::local_command::store);
        answer.bytes = bytes;
        bits::for_each(answer.lanes, [&](unsigned lane) {
            answer.address[lane] = slot * window + address;
            answer.data[lane] = value;
        });
        perform();
    }
    [[nodiscard]] std::uint32_t word(unsigned n) const {
        return memory.read(slot * window + 4 * n, 4);
    }

    unsigned slot = 0;  ///< of the block that all calls are about
    shared_banks memory;
    tm_engine engine;
    protocol::shared_access answer;
    std::vector<isa::lane_mask> heard = std::vector<isa::lane_mask>(64);  ///< losses, by warp

private:
    unsigned perform() {
        const unsigned cycles = engine.access(answer).cycles;
        heard[answer.transaction] |= answer.losers;
        return cycles;
    }
    void prepare(unsigned warp, isa::lane_mask of, protocol::local_command what) {
        answer.recycle();
        answer.warp = warp_slot(warp);
        answer.block = block_slot(slot);
        answer.command = what;
        answer.transactional = true;
        answer.transaction = static_cast<std::uint16_t>(warp);
        answer.lanes = of & engine.active(warp);
    }
    template <class Word, class Value>
    unsigned access(unsigned warp, isa::lane_mask of, protocol::local_command what, Word&& word,
                    Value&& value) {
        prepare(warp, of, what);
        bits::for_each(answer.lanes, [&](unsigned lane) {
            answer.address[lane] = slot * window + 4 * static_cast<std::uint32_t>(word(lane));
            answer.data[lane] = static_cast<std::uint32_t>(value(lane));
        });
        return answer.lanes == 0 ? 0 : perform();
    }
    void check(bank_passes& passes) override {
        passes.pass(
            [&](unsigned bank, protocol::bank_check& what) { banks_[bank]->perform(what); });
    }
    std::uint32_t tell_all(protocol::bank_check& what) override {
        std::uint32_t most = 0;
        for (auto& each : banks_) {
            const std::uint32_t before = what.words;
            each->perform(what);
            most = std::max(most, what.words - before);
        }
        return most;
    }

    std::vector<std::unique_ptr<transactional_bank>> banks_;
};

inline void PrintTo(const transaction_detection& detection, std::ostream* out) {
    *out << detection.name;
}
inline constexpr transaction_serialization all_serializations[] = {
    transaction_serialization::ascending_single, transaction_serialization::descending_single,
    transaction_serialization::ascending_multiple, transaction_serialization::descending_multiple};

}  // namespace heddle
