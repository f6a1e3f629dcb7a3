// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/smx/pipeline/cycle_account.h"
#include "models/program/image.h"

namespace heddle {

/// What an instruction of a program did and cost.
struct instruction_cost {
    /// Cycles x schedulers by cycle_cause: in which it issued, or a warp did not get past it.
    std::array<std::uint64_t, cycle_cause_count> slots{};
    /// Cycles x schedulers in which another instruction waited for its result. They are counted
    /// there, as memory, constants or dependency.
    std::uint64_t waited_for = 0;
    std::uint64_t issues = 0;
    std::uint64_t lanes = 0;          ///< that issued
    std::uint64_t diverged = 0;       ///< issues after which its lanes went different ways
    std::uint64_t memory_issues = 0;  ///< 0 if it is no load, store or atomic
    std::uint64_t accesses = 0;       ///< to lines, words of constants and shared memory
    std::uint64_t conflicts = 0;      ///< cycles of shared memory beyond the first of an access

    void add(const instruction_cost& other) noexcept;
    /// Cycles x schedulers in which nothing issued.
    [[nodiscard]] std::uint64_t lost() const noexcept;
    /// Whether anything has been counted.
    [[nodiscard]] bool empty() const noexcept { return issues == 0 && lost() == 0; }
};

/// What the instructions of a program have cost.
struct program_costs {
    program::image image;
    std::vector<instruction_cost> instructions;  ///< parallel to image.code().instructions
};

/// What the instructions of a run's programs have cost.
struct code_costs {
    std::vector<program_costs> programs;  ///< that an SMX has run, in the order of their loads
    instruction_cost elsewhere;           ///< cycles that belong to no instruction

    /// Of another SMX of the run.
    void add(const code_costs& other);
};

/// The CPI stack of an SMX (cycle_account), line by line: the schedulers' cycles by instruction and
/// cause, and what the instructions did. The cycles of all instructions, and of none, are those of
/// the CPI stack. A charge holds from its edge until the next one of the scheduler, so that a
/// sleeping owner needs no account of the cycles that it sleeps.
///
/// Positions are program::code_position(). No call but use_program() and costs() allocates.
class code_profile {
public:
    /// The position of no instruction.
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

    /// What the cycles of a scheduler belong to.
    struct charge {
        cycle_cause cause = cycle_cause::no_warp;
        std::uint32_t at = nowhere;
        std::uint32_t result_of = nowhere;  ///< what `at` waits for; nowhere: for no result

        friend bool operator==(const charge& a, const charge& b) noexcept {
            return a.cause == b.cause && a.at == b.at && a.result_of == b.result_of;
        }
    };

    explicit code_profile(unsigned schedulers) : turns_(schedulers) {}

    /// Before the first charge to one of its instructions. Costs of a program that was at its
    /// addresses before are kept apart; again for the same program changes nothing.
    void use_program(const program::image& image);

    /// From `edge` on, the cycles of scheduler `s` belong to `to`.
    void charge_to(unsigned s, const charge& to, std::uint64_t edge) noexcept {
        turn& t = turns_[s];
        if (t.to == to) return;
        settle(t, edge);
        t.to = to;
    }
    /// A group of threads issues.
    void issued(std::uint32_t at, unsigned lanes, bool memory, bool diverged) noexcept {
        instruction_cost& cost = costs_[at];
        ++cost.issues;
        cost.lanes += lanes;
        cost.memory_issues += memory ? 1 : 0;
        cost.diverged += diverged ? 1 : 0;
    }
    /// `at` may be nowhere: an access that no instruction of the program makes.
    void accessed(std::uint32_t at) noexcept { ++cost_at(at).accesses; }
    void conflicted(std::uint32_t at, unsigned cycles) noexcept { cost_at(at).conflicts += cycles; }

    /// Counts the cycles before `edge`, for the readers.
    void settle(std::uint64_t edge) noexcept {
        for (turn& t : turns_) settle(t, edge);
    }
    [[nodiscard]] code_costs costs() const;

private:
    struct turn {
        std::uint64_t since = 0;
        charge to;
    };
    [[nodiscard]] std::vector<instruction_cost> part_of(const program::image& image) const;
    [[nodiscard]] instruction_cost& cost_at(std::uint32_t at) noexcept {
        return at == nowhere ? elsewhere_ : costs_[at];
    }
    void settle(turn& t, std::uint64_t edge) noexcept {
        if (edge <= t.since) return;
        const std::uint64_t cycles = edge - t.since;
        cost_at(t.to.at).slots[static_cast<std::size_t>(t.to.cause)] += cycles;
        if (t.to.result_of != nowhere) costs_[t.to.result_of].waited_for += cycles;
        t.since = edge;
    }

    std::vector<turn> turns_;
    std::vector<instruction_cost> costs_;  ///< by position
    instruction_cost elsewhere_;
    /// Whose costs they are, by load. Of programs that are gone, `instructions` has them.
    std::vector<program_costs> programs_;
};

}  // namespace heddle
