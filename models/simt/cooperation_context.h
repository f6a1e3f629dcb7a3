// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle::simt {

/// What the scheduler can give a cooperative kernel, and wants of it, at a call.
struct cooperation_terms {
    std::uint32_t wanted = 0;  ///< blocks that others wait for
    std::uint32_t places = 0;  ///< blocks that could start now; used only while none is wanted
};

/// How a cooperative kernel gives and gets blocks.
struct cooperation_rules {
    bool resizes = true;  ///< else every call leaves the number of blocks as it is
    bool query = true;    ///< of resizing barriers
};

/// Blocks that end or start with one event.
struct cooperation_change {
    std::uint32_t groups = 0;  ///< M before
    std::uint32_t killed = 0;  ///< the highest ones
    std::uint32_t forked = 0;  ///< from `groups` on
};

/// One cooperative kernel: which of its blocks are active, and who has come to its global barrier
/// (Sorensen, Evrard, Donaldson, "Cooperative Kernels", FSE 2017, 3.1;
/// docs/cooperative_kernels.md).
///
/// It wants N blocks, M of them are active, with the ids below M. The highest alone can end, block
/// 0 never does. A block that has returned stays counted. O(1) a call.
class cooperation_context {
public:
    /// Precondition: 1 <= started <= wanted.
    cooperation_context(std::uint32_t wanted, std::uint32_t started, cooperation_rules rules)
        : most_(wanted), groups_(started), expected_(started), rules_(rules) {}

    /// N.
    [[nodiscard]] std::uint32_t most() const noexcept { return most_; }
    /// M, as blocks see it.
    [[nodiscard]] std::uint32_t groups() const noexcept { return groups_; }
    /// Blocks that wait at the barrier, and how many have to come.
    [[nodiscard]] std::uint32_t arrived() const noexcept { return arrived_; }
    [[nodiscard]] std::uint32_t expected() const noexcept { return expected_; }

    /// Block `id` offers itself. True: it ends, and there is one less.
    [[nodiscard]] bool offer_kill(std::uint32_t id, const cooperation_terms& terms) noexcept;
    /// A block asks for more. So many start, with the ids from the old groups() on.
    [[nodiscard]] std::uint32_t request_fork(const cooperation_terms& terms) noexcept;

    enum class arrival : std::uint8_t {
        waits,
        ends,   ///< on the spot; groups() changes only when the barrier is released
        mixed,  ///< others wait at a barrier of the other kind: nothing is counted
    };
    [[nodiscard]] arrival arrive(std::uint32_t id, bool resizing,
                                 const cooperation_terms& terms) noexcept;
    /// All have come that are to come.
    [[nodiscard]] bool complete() const noexcept { return arrived_ != 0 && arrived_ == expected_; }
    /// All that wait go on, but for the highest `killed`. `killed` does not count those that have
    /// ended as they came. Precondition: complete().
    [[nodiscard]] cooperation_change release(const cooperation_terms& terms) noexcept;

private:
    [[nodiscard]] std::uint32_t room(const cooperation_terms& terms) const noexcept;

    std::uint32_t most_;
    std::uint32_t groups_;
    std::uint32_t expected_;  ///< at the barrier: groups_ without those that ended as they came
    std::uint32_t arrived_ = 0;
    bool resizing_ = false;  ///< the barrier that blocks wait at
    cooperation_rules rules_;
};

}  // namespace heddle::simt
