// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/bits.h"
#include "tests/simt/random_code.h"

namespace heddle::simt::test {

/// An instruction of one thread.
struct walk_step {
    std::uint32_t pc;
    std::size_t depth;  ///< calls that enclose it
};

/// All instructions of one thread that runs alone; the last one is its exit. Branches and targets
/// are random; a thread that has gone far takes the way to its end.
[[nodiscard]] std::vector<walk_step> walk(const random_code& program, random_stream& random);

/// Which threads of a warp execute together under immediate post-dominators, said for each pair of
/// threads and without a stack:
///
/// Two threads are together at their start. While together they execute every instruction
/// together; those that go to different PCs part. The place where they meet is, after a branch or
/// an indirect jump, its immediate post-dominator in the same activation of the function (if that
/// is the function's exit: the first instruction after it), and after calls of different functions
/// the return address. Each goes there alone and waits for the other, unless that one ends. Of a
/// branch's sides the taken one goes first, and the other stays where it is until the first has
/// met or ended; of several targets, those of the highest "lowest thread of a target" go first.
class pairwise_reference {
public:
    pairwise_reference(const random_code& program, std::vector<std::vector<walk_step>> walks);

    /// The machine issues the instruction at `pc` for these threads. Records the first violation.
    void issue(std::uint32_t pc, isa::lane_mask threads);

    /// Empty: everything was as it should be so far.
    [[nodiscard]] const std::string& violation() const noexcept { return violation_; }
    [[nodiscard]] bool all_ended() const;
    /// Where a thread is that has not ended.
    [[nodiscard]] std::uint32_t pc(unsigned thread) const {
        return threads_[thread].walk[threads_[thread].at].pc;
    }
    /// Instructions issued that are a branch or an indirect jump, and those that parted threads.
    [[nodiscard]] unsigned branches() const noexcept { return branches_; }
    [[nodiscard]] unsigned divergent_branches() const noexcept { return divergent_branches_; }

private:
    static constexpr std::size_t nowhere = ~std::size_t{0};

    struct thread {
        std::vector<walk_step> walk;
        std::size_t at = 0;  ///< the next step; the walk's size: it has ended

        [[nodiscard]] bool ended() const { return at == walk.size(); }
    };
    /// Of threads a < b.
    struct pair {
        bool together = true;
        bool a_first = false;
        std::size_t a_meets = 0;  ///< step at which a waits for b; nowhere: never
        std::size_t b_meets = 0;
    };

    [[nodiscard]] std::uint32_t next_pc(unsigned thread) const {
        return threads_[thread].walk[threads_[thread].at + 1].pc;
    }
    [[nodiscard]] pair& of(unsigned a, unsigned b) { return pairs_[a * threads_.size() + b]; }
    void check(unsigned a, unsigned b, isa::lane_mask issued);
    void go_on(unsigned a, unsigned b, isa::lane_mask issued);
    [[nodiscard]] std::size_t meeting(const thread& t) const;
    [[nodiscard]] std::uint32_t priority(unsigned t, isa::lane_mask issued) const;
    void violate(const std::string& what);

    const random_code& program_;
    std::vector<thread> threads_;
    std::vector<pair> pairs_;
    std::string violation_;
    unsigned branches_ = 0;
    unsigned divergent_branches_ = 0;
};

}  // namespace heddle::simt::test
