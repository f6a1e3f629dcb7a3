// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/smx/shared_memory/shared_banks.h"
#include "hw/smx/tm/conflict_detectors.h"
#include "hw/smx/tm/tm_engine.h"
#include "models/base/random.h"

namespace heddle {

/// A machine with transactions: block slot 0 of it.
class transactional_machine {
public:
    [[nodiscard]] virtual tm_engine& engine() = 0;
    [[nodiscard]] virtual shared_banks& memory() = 0;
    /// Performs a transactional access. Returns the cycles that the banks are busy.
    virtual unsigned access(protocol::shared_access& access) = 0;
    /// Returns whether the warp's transaction is over.
    virtual bool end_attempt(unsigned warp) { return engine().end_attempt(warp).over; }

protected:
    ~transactional_machine() = default;
};

struct random_transactions_setting {
    transaction_configuration configuration{conflict_detectors::all()};
    unsigned lanes = 32;  ///< of a warp
    unsigned banks = 32;
    unsigned rows = 4;  ///< of a bank; every second word is in the first four, so that they meet
    unsigned pass_cycles = 5;  ///< with what a directory adds
    unsigned warps = 4;        ///< at most; each set of transactions has a random number
    unsigned threads = 6;      ///< of a warp, at most
    unsigned words = 12;       ///< that they want, at most; few make for many conflicts
};

/// Random transactions of some warps on a machine, with words, halves and bytes, beside a naive one
/// that knows exactly who has read and written what. The naive machine hears only which lanes have
/// lost. It complains
///  - if the machine misses a conflict, or with `dcd` finds one that is none. Two reads are one
///    with `prw_sig` and `dcd` only;
///  - about each value that is read, about the memory after each step, and about the cycles;
///  - at the end, if the order in which the threads committed does not explain what each has read,
///    and the memory.
class random_transactions {
public:
    /// All words that transactions want are in these banks, the first ones.
    static constexpr unsigned banks_used = 3;
    using complaint = std::function<void(const std::string&)>;

    random_transactions(transactional_machine& machine, const random_transactions_setting& setting,
                        random_stream random, complaint complain);

    /// All have committed.
    [[nodiscard]] bool done() const;
    /// A random one of the warps that may go on begins an attempt, does the accesses of one step,
    /// or ends its attempt. Returns the cycles that its accesses keep the banks busy.
    unsigned step();

    /// Of the words that the transactions want.
    [[nodiscard]] const std::vector<unsigned>& words() const noexcept { return words_; }
    [[nodiscard]] std::uint32_t value(unsigned word) const { return memory_.at(word); }
    /// Whether a transaction under way has touched the word, or has written it.
    [[nodiscard]] bool touched(unsigned word) const;
    [[nodiscard]] bool written(unsigned word) const;

private:
    using word_values = std::map<unsigned, std::uint32_t>;

    /// What the attempt of one thread has done.
    struct attempt {
        word_values first_reads;  ///< of words that it had not written
        std::set<unsigned> reads, writes;
        word_values before;  ///< of written words
        word_values written;
        std::uint32_t sum = 0;  ///< of what it has read

        [[nodiscard]] bool touches(unsigned word) const {
            return reads.count(word) != 0 || writes.count(word) != 0;
        }
    };
    struct warp {
        std::vector<std::vector<std::pair<unsigned, bool>>> program;  ///< by lane: word, write
        unsigned at = 0;                                              ///< step
        bool running = false;
        bool done = false;
        std::vector<attempt> attempts;
    };

    void start(unsigned w);
    [[nodiscard]] bool can_step(unsigned w) const;
    unsigned step(unsigned w);
    void end(unsigned w);
    unsigned access(unsigned w, bool write);
    unsigned follow(unsigned w, bool write);
    unsigned follow_pass(unsigned w, isa::lane_mask pass, bool write);
    [[nodiscard]] isa::lane_mask next_pass(isa::lane_mask left) const;
    [[nodiscard]] bool conflicts(unsigned w, unsigned lane, unsigned word, bool write) const;
    void do_access(unsigned w, unsigned lane, bool write);
    [[nodiscard]] unsigned restoring_cycles(unsigned w, isa::lane_mask lanes) const;
    void undo(attempt& a);
    unsigned undo_losers();
    void check_memory() const;
    void check_order() const;
    void expect(bool good, const std::string& what) const {
        if (!good) complain_(what);
    }

    transactional_machine& machine_;
    const random_transactions_setting setting_;
    random_stream random_;
    const complaint complain_;
    const bool filtered_;  ///< reads do not conflict with reads
    const bool exact_;     ///< every loss is a conflict
    std::vector<unsigned> words_;
    word_values memory_;
    word_values initial_;
    std::vector<warp> warps_;
    std::vector<attempt> committed_;  ///< in their order
    protocol::shared_access access_;
    unsigned owed_cycles_ = 0;  ///< of restoring, that the next access waits for
};

}  // namespace heddle
