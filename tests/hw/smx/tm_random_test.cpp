// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Banks under random transactions of up to 4 warps, beside a naive machine that knows exactly who
// has read and written what.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "models/base/random.h"
#include "tests/hw/smx/tm_fixture.h"

namespace heddle {
namespace {

using word_values = std::map<unsigned, std::uint32_t>;

/// The naive machine: what the attempt of one thread has done.
struct attempt {
    std::map<unsigned, std::uint32_t> first_reads;  ///< of words that it had not written
    std::set<unsigned> reads, writes;
    word_values before;  ///< of written words
    word_values written;
    std::uint32_t sum = 0;  ///< of what it has read

    [[nodiscard]] bool touches(unsigned word) const {
        return reads.count(word) != 0 || writes.count(word) != 0;
    }
};

class random_transactions {
public:
    random_transactions(const transaction_configuration& configuration, std::uint64_t seed)
        : rig_(configuration),
          random_(seed, "transactions"),
          filtered_(configuration.detection == transaction_detection::swo_sig ||
                    configuration.detection == transaction_detection::smdcd),
          exact_(configuration.detection == transaction_detection::dcd) {
        warps_.resize(1 + random_.below(4));
        const unsigned count = 1 + static_cast<unsigned>(random_.below(12));
        for (unsigned n = 0; n < count; ++n) {
            words_.push_back(static_cast<unsigned>(random_.below(4) * 32 + random_.below(3)));
        }
        for (const unsigned n : words_) rig_.memory.write(4 * n, memory_[n] = 1000 + n, 4);
        for (unsigned w = 0; w < warps_.size(); ++w) start(w);
    }

    /// Until all have committed.
    void run() {
        for (unsigned rounds = 0; rounds < 20'000; ++rounds) {
            std::vector<unsigned> ready;
            bool open = false;
            for (unsigned w = 0; w < warps_.size(); ++w) {
                open = open || !warps_[w].done;
                if (can_step(w)) ready.push_back(w);
            }
            if (!open) return check_order();
            ASSERT_FALSE(ready.empty()) << "all warps wait";
            take_step(ready[random_.below(ready.size())]);
            check_memory();
            if (testing::Test::HasFailure()) return;
        }
        FAIL() << "no end in sight";
    }

private:
    static constexpr unsigned lanes = tm_rig::lanes;

    struct warp {
        std::vector<std::vector<std::pair<unsigned, bool>>> program;  ///< by lane: word, write
        unsigned at = 0;                                              ///< step
        bool running = false;
        bool done = false;
        std::vector<attempt> attempts = std::vector<attempt>(lanes);
    };

    void start(unsigned w) {
        warp& of = warps_[w];
        const unsigned threads = 1 + static_cast<unsigned>(random_.below(6));
        const unsigned steps = 1 + static_cast<unsigned>(random_.below(5));
        of.program.resize(threads);
        for (auto& program : of.program) {
            for (unsigned s = 0; s < steps; ++s) {
                program.emplace_back(words_[random_.below(words_.size())], random_.chance(0.5));
            }
        }
        rig_.begin(w, bits::below(threads));
    }
    [[nodiscard]] bool can_step(unsigned w) const {
        return !warps_[w].done && (warps_[w].running || rig_.engine.may_run(w));
    }
    void take_step(unsigned w) {
        warp& of = warps_[w];
        if (!of.running) {
            rig_.engine.run(w);
            of.running = true;
            of.at = 0;
            std::fill(of.attempts.begin(), of.attempts.end(), attempt());
            return;
        }
        if (rig_.engine.active(w) == 0 || of.at == of.program[0].size()) return end(w);
        // A step is a load of some lanes and then a store of the others.
        for (const bool write : {false, true}) access(w, write);
        ++of.at;
    }
    void end(unsigned w) {
        warp& of = warps_[w];
        bits::for_each(rig_.engine.active(w),
                       [&](unsigned lane) { committed_.push_back(of.attempts[lane]); });
        const isa::lane_mask commits = rig_.engine.active(w);
        of.done = rig_.engine.end_attempt(w);
        of.running = false;
        bits::for_each(commits, [&](unsigned lane) { of.attempts[lane] = {}; });
        undo_losers();
    }

    void access(unsigned w, bool write) {
        warp& of = warps_[w];
        isa::lane_mask some = 0;
        bits::for_each(rig_.engine.active(w), [&](unsigned lane) {
            if (of.program[lane][of.at].second == write) some |= bits::one(lane);
        });
        if (some == 0) return;
        const auto word = [&](unsigned lane) { return of.program[lane][of.at].first; };
        const auto value = [&](unsigned lane) {
            return of.attempts[lane].sum + 7 * (w * lanes + lane) + of.at;
        };
        if (write) {
            rig_.store(w, some, word, value);
        } else {
            rig_.load(w, some, word);
        }
        follow(w, some, write, word, value);
    }

    /// The naive machine does the same, pass by pass, and hears only who has lost.
    template <class Word, class Value>
    void follow(unsigned w, isa::lane_mask left, bool write, Word&& word, Value&& value) {
        while (left != 0) {
            std::set<unsigned> banks;
            isa::lane_mask pass = 0;
            bits::for_each(left, [&](unsigned lane) {
                if (banks.insert(word(lane) % tm_rig::banks).second) pass |= bits::one(lane);
            });
            left &= ~pass;
            bits::for_each(pass, [&](unsigned lane) {
                const bool conflict = conflicts(w, lane, word(lane), write);
                const bool lost = bits::test(rig_.answer.lost, lane);
                EXPECT_TRUE(lost || !conflict)
                    << "a conflict at word " << word(lane) << " is missed";
                EXPECT_TRUE(!exact_ || lost == conflict);
            });
            const isa::lane_mask winners = pass & ~rig_.answer.lost;
            bits::for_each(pass & rig_.answer.lost,
                           [&](unsigned lane) { undo(warps_[w].attempts[lane]); });
            bits::for_each(winners, [&](unsigned lane) {
                do_access(warps_[w].attempts[lane], word(lane), write, value(lane),
                          rig_.answer.data[lane]);
            });
        }
        undo_losers();
    }
    [[nodiscard]] bool conflicts(unsigned w, unsigned lane, unsigned word, bool write) const {
        for (unsigned other = 0; other < warps_.size(); ++other) {
            for (unsigned o = 0; o < lanes; ++o) {
                if (other == w && o == lane) continue;
                const attempt& a = warps_[other].attempts[o];
                if (filtered_ && !write ? a.writes.count(word) != 0 : a.touches(word)) return true;
            }
        }
        return false;
    }
    void do_access(attempt& a, unsigned word, bool write, std::uint32_t value, std::uint32_t read) {
        if (write) {
            a.before.emplace(word, memory_[word]);
            a.writes.insert(word);
            a.written[word] = memory_[word] = value;
            return;
        }
        EXPECT_EQ(read, memory_[word]);
        if (a.writes.count(word) == 0) a.first_reads.emplace(word, read);
        a.reads.insert(word);
        a.sum += read;
    }
    void undo(attempt& a) {
        for (const auto& [word, value] : a.before) memory_[word] = value;
        a = {};
    }
    /// Those who lost because another warp runs alone.
    void undo_losers() {
        for (unsigned w = 0; w < warps_.size(); ++w) {
            if (!warps_[w].running) continue;
            for (unsigned lane = 0; lane < lanes; ++lane) {
                if (!bits::test(rig_.engine.active(w), lane)) undo(warps_[w].attempts[lane]);
            }
        }
    }
    void check_memory() const {
        for (const auto& [word, value] : memory_) EXPECT_EQ(rig_.word(word), value) << word;
    }
    /// The order in which they committed explains what each has read, and the memory.
    void check_order() const {
        word_values serial;
        for (const unsigned n : words_) serial[n] = 1000 + n;
        for (const attempt& c : committed_) {
            for (const auto& [word, value] : c.first_reads) EXPECT_EQ(serial[word], value);
            for (const auto& [word, value] : c.written) serial[word] = value;
        }
        EXPECT_EQ(serial, memory_);
        std::size_t threads = 0;
        for (const warp& each : warps_) threads += each.program.size();
        EXPECT_EQ(committed_.size(), threads);
    }

    tm_rig rig_;
    random_stream random_;
    const bool filtered_;  ///< reads do not conflict with reads
    const bool exact_;     ///< every loss is a conflict
    std::vector<unsigned> words_;
    word_values memory_;
    std::vector<warp> warps_;
    std::vector<attempt> committed_;  ///< in their order
};

class random_mechanisms
    : public testing::TestWithParam<std::tuple<transaction_detection, transaction_serialization>> {
};
INSTANTIATE_TEST_SUITE_P(all, random_mechanisms,
                         testing::Combine(testing::ValuesIn(all_detections),
                                          testing::ValuesIn(all_serializations)));

TEST_P(random_mechanisms, are_as_if_the_transactions_ran_one_after_another) {
    transaction_configuration configuration;
    std::tie(configuration.detection, configuration.serialization) = GetParam();
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        configuration.hashes = 1 + seed % 2;
        random_transactions(configuration, seed).run();
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace heddle
