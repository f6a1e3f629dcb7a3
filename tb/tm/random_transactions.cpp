// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/tm/random_transactions.h"

#include <algorithm>

namespace heddle {

using protocol::local_command;

random_transactions::random_transactions(transactional_machine& machine,
                                         const random_transactions_setting& setting,
                                         random_stream random, complaint complain)
    : machine_(machine),
      setting_(setting),
      random_(std::move(random)),
      complain_(std::move(complain)),
      filtered_(!(setting.configuration.detection == conflict_detectors::of<prw_sig> ||
                  setting.configuration.detection == conflict_detectors::of<dcd>)),
      exact_(setting.configuration.detection == conflict_detectors::of<dcd>) {
    warps_.resize(1 + random_.below(setting.warps));
    const unsigned count = 1 + static_cast<unsigned>(random_.below(setting.words));
    for (unsigned n = 0; n < count; ++n) {
        constexpr unsigned few = 4;
        const bool anywhere = setting.rows > few && random_.chance(0.5);
        words_.push_back(
            static_cast<unsigned>(random_.below(anywhere ? setting.rows : few) * setting.banks +
                                  random_.below(banks_used)));
    }
    for (const unsigned n : words_) {
        initial_[n] = 1000 + n;
        machine.memory().write(4 * n, 1000 + n, 4);
    }
    memory_ = initial_;
    for (unsigned w = 0; w < warps_.size(); ++w) start(w);
}

void random_transactions::start(unsigned w) {
    warp& of = warps_[w];
    const unsigned threads = 1 + static_cast<unsigned>(random_.below(setting_.threads));
    const unsigned steps = 1 + static_cast<unsigned>(random_.below(5));
    of.program.resize(threads);
    of.attempts.resize(threads);
    for (auto& program : of.program) {
        for (unsigned s = 0; s < steps; ++s) {
            program.emplace_back(words_[random_.below(words_.size())], random_.chance(0.5));
        }
    }
    machine_.engine().begin(w, 0, w * setting_.lanes, bits::below(threads));
}

bool random_transactions::done() const {
    return std::all_of(warps_.begin(), warps_.end(), [](const warp& w) { return w.done; });
}

unsigned random_transactions::step() {
    std::vector<unsigned> ready;
    for (unsigned w = 0; w < warps_.size(); ++w) {
        if (can_step(w)) ready.push_back(w);
    }
    expect(!ready.empty(), "all warps wait");
    if (ready.empty()) return 0;
    const unsigned cycles = step(ready[random_.below(ready.size())]);
    check_memory();
    if (done()) check_order();
    return cycles;
}

bool random_transactions::can_step(unsigned w) const {
    return !warps_[w].done && (warps_[w].running || machine_.engine().may_run(w));
}

unsigned random_transactions::step(unsigned w) {
    warp& of = warps_[w];
    if (!of.running) {
        machine_.engine().run(w);
        of.running = true;
        of.at = 0;
        std::fill(of.attempts.begin(), of.attempts.end(), attempt());
        return 0;
    }
    if (machine_.engine().active(w) == 0 || of.at == of.program[0].size()) {
        end(w);
        return 0;
    }
    // A step is a load of some lanes and then a store of the others.
    unsigned cycles = access(w, false);
    cycles += access(w, true);
    ++of.at;
    return cycles;
}

void random_transactions::end(unsigned w) {
    warp& of = warps_[w];
    const isa::lane_mask commits = machine_.engine().active(w);
    bits::for_each(commits, [&](unsigned lane) { committed_.push_back(of.attempts[lane]); });
    of.done = machine_.end_attempt(w);
    of.running = false;
    bits::for_each(commits, [&](unsigned lane) { of.attempts[lane] = {}; });
    owed_cycles_ += undo_losers();
}

unsigned random_transactions::access(unsigned w, bool write) {
    warp& of = warps_[w];
    isa::lane_mask some = 0;
    bits::for_each(machine_.engine().active(w), [&](unsigned lane) {
        if (of.program[lane][of.at].second == write) some |= bits::one(lane);
    });
    if (some == 0) return 0;
    access_.recycle();
    access_.warp = warp_slot(w);
    access_.command = write ? local_command::store : local_command::load;
    access_.transactional = true;
    access_.transaction = static_cast<std::uint16_t>(w);
    access_.lanes = some;
    access_.bytes = static_cast<std::uint8_t>(1U << random_.below(3));
    bits::for_each(some, [&](unsigned lane) {
        const auto part = static_cast<unsigned>(random_.below(4 / access_.bytes));
        access_.address[lane] = 4 * of.program[lane][of.at].first + part * access_.bytes;
        access_.data[lane] = of.attempts[lane].sum + 7 * (w * setting_.lanes + lane) + of.at;
    });
    const unsigned cycles = machine_.access(access_);
    const unsigned expected = follow(w, write);
    expect(cycles == expected, "an access takes " + std::to_string(cycles) +
                                   " cycles, expected were " + std::to_string(expected));
    return cycles;
}

/// The naive machine does the same, pass by pass. Returns the cycles.
unsigned random_transactions::follow(unsigned w, bool write) {
    unsigned cycles = owed_cycles_;
    owed_cycles_ = 0;
    for (isa::lane_mask left = access_.lanes; left != 0;) {
        const isa::lane_mask pass = next_pass(left);
        left &= ~pass;
        cycles += follow_pass(w, pass, write);
    }
    return cycles;
}

isa::lane_mask random_transactions::next_pass(isa::lane_mask left) const {
    std::set<unsigned> banks;
    isa::lane_mask pass = 0;
    bits::for_each(left, [&](unsigned lane) {
        if (banks.insert(access_.address[lane] / 4 % setting_.banks).second)
            pass |= bits::one(lane);
    });
    return pass;
}

unsigned random_transactions::follow_pass(unsigned w, isa::lane_mask pass, bool write) {
    bits::for_each(pass, [&](unsigned lane) {
        const unsigned word = access_.address[lane] / 4;
        const bool conflict = conflicts(w, lane, word, write);
        const bool lost = bits::test(access_.lost, lane);
        expect(lost || !conflict, "a conflict at word " + std::to_string(word) + " is missed");
        expect(!exact_ || lost == conflict,
               "a conflict at word " + std::to_string(word) + " is none");
    });
    const isa::lane_mask losers = pass & access_.lost;
    const unsigned cycles = setting_.pass_cycles + restoring_cycles(w, losers);
    bits::for_each(losers, [&](unsigned lane) { undo(warps_[w].attempts[lane]); });
    bits::for_each(pass & ~losers, [&](unsigned lane) { do_access(w, lane, write); });
    return cycles;
}

bool random_transactions::conflicts(unsigned w, unsigned lane, unsigned word, bool write) const {
    for (unsigned other = 0; other < warps_.size(); ++other) {
        const auto& attempts = warps_[other].attempts;
        for (unsigned o = 0; o < attempts.size(); ++o) {
            if (other == w && o == lane) continue;
            const attempt& a = attempts[o];
            if (filtered_ && !write ? a.writes.count(word) != 0 : a.touches(word)) return true;
        }
    }
    return false;
}

void random_transactions::do_access(unsigned w, unsigned lane, bool write) {
    attempt& a = warps_[w].attempts[lane];
    const unsigned word = access_.address[lane] / 4;
    const std::uint32_t value = access_.data[lane];
    const unsigned shift = 8 * (access_.address[lane] % 4);
    const auto part = static_cast<std::uint32_t>(bits::below(8 * access_.bytes));
    std::uint32_t& held = memory_[word];
    if (write) {
        a.before.emplace(word, held);
        a.writes.insert(word);
        a.written[word] = held = (held & ~(part << shift)) | (value & part) << shift;
        return;
    }
    const std::uint32_t expected = held >> shift & part;
    expect(value == expected, "word " + std::to_string(word) + " is read as " +
                                  std::to_string(value) + ", expected was " +
                                  std::to_string(expected));
    if (a.writes.count(word) == 0) a.first_reads.emplace(word, held);
    a.reads.insert(word);
    a.sum += value;
}

/// A cycle for each word in the bank with most of them.
unsigned random_transactions::restoring_cycles(unsigned w, isa::lane_mask lanes) const {
    std::map<unsigned, unsigned> by_bank;
    unsigned most = 0;
    bits::for_each(lanes, [&](unsigned lane) {
        for (const unsigned word : warps_[w].attempts[lane].writes) {
            most = std::max(most, ++by_bank[word % setting_.banks]);
        }
    });
    return most;
}

void random_transactions::undo(attempt& a) {
    for (const auto& [word, value] : a.before) memory_[word] = value;
    a = {};
}

/// Of all other warps, who have lost because a warp runs alone. Returns the cycles.
unsigned random_transactions::undo_losers() {
    unsigned cycles = 0;
    for (unsigned w = 0; w < warps_.size(); ++w) {
        if (!warps_[w].running) continue;
        const isa::lane_mask losers =
            bits::below(static_cast<unsigned>(warps_[w].attempts.size())) &
            ~machine_.engine().active(w);
        cycles += restoring_cycles(w, losers);
        bits::for_each(losers, [&](unsigned lane) { undo(warps_[w].attempts[lane]); });
    }
    return cycles;
}

bool random_transactions::touched(unsigned word) const {
    for (const warp& w : warps_) {
        for (const attempt& a : w.attempts) {
            if (a.touches(word)) return true;
        }
    }
    return false;
}

bool random_transactions::written(unsigned word) const {
    for (const warp& w : warps_) {
        for (const attempt& a : w.attempts) {
            if (a.writes.count(word) != 0) return true;
        }
    }
    return false;
}

void random_transactions::check_memory() const {
    for (const auto& [word, value] : memory_) {
        expect(machine_.memory().read(4 * word, 4) == value,
               "word " + std::to_string(word) + " is wrong");
    }
}

/// The order in which they committed explains what each has read, and the memory.
void random_transactions::check_order() const {
    word_values serial = initial_;
    for (const attempt& c : committed_) {
        for (const auto& [word, value] : c.first_reads) {
            expect(serial[word] == value,
                   "no order explains a value of word " + std::to_string(word));
        }
        for (const auto& [word, value] : c.written) serial[word] = value;
    }
    expect(serial == memory_, "no order explains the memory");
    std::size_t threads = 0;
    for (const warp& each : warps_) threads += each.program.size();
    expect(committed_.size() == threads, "threads have not committed, or twice");
}

}  // namespace heddle
