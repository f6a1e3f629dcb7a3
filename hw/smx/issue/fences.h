// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/lsu/load_store_unit.h"
#include "hw/smx/pipeline/warp_waits.h"

namespace heddle {

/// Who waits at a fence until all its accesses have been performed: owners of accesses, a bit each.
///
/// Where L1D keeps stores to global memory, a fence also waits until each other owner of the block
/// has had all its writes in memory once: a barrier before the fence makes their writes visible to
/// the owner, and the fence passes them on.
class fences {
public:
    explicit fences(warp_waits& waits) : waits_(waits) {}

    void wait(unsigned owner) noexcept {
        waits_.begin(wait_reason::fence, owner);
        check_ |= bits::one(owner);
    }
    /// The same; `block`: the owners of its block.
    void wait(unsigned owner, std::uint64_t block, load_store_unit& lsu) {
        wait(owner);
        if (!lsu.maintenance().writes_back()) return;
        bits::for_each(block & ~bits::one(owner), [&](unsigned other) {
            if (lsu.outstanding_writes(access_owner(other)) == 0) return;
            others_[owner] |= bits::one(other);
            for_others_ |= bits::one(owner);
        });
        (void)lsu.maintenance().write_back(owner_set(block));
    }
    /// All writes of the owner are in memory.
    void written(unsigned owner) noexcept {
        check_ |= bits::one(owner);
        bits::for_each(for_others_, [&](unsigned waiting) {
            others_[waiting] &= ~bits::one(owner);
            if (others_[waiting] != 0) return;
            for_others_ &= ~bits::one(waiting);
            check_ |= bits::one(waiting);
        });
    }
    /// An access of the owner has been performed: it may be the last one.
    void check(unsigned owner) noexcept { check_ |= bits::one(owner); }
    [[nodiscard]] bool unchecked() const noexcept { return check_ != 0; }
    /// Calls passed(owner) for each owner that waits no longer; drained(owner) says whether it has
    /// no access under way.
    template <class Drained, class Passed>
    void finish(Drained&& drained, Passed&& passed) {
        const std::uint64_t waiting = waits_.waiting(wait_reason::fence);
        bits::for_each(check_ & waiting & ~for_others_, [&](unsigned owner) {
            if (!drained(owner)) return;
            waits_.end(wait_reason::fence, bits::one(owner));
            passed(owner);
        });
        check_ = 0;
    }

private:
    warp_waits& waits_;
    std::uint64_t check_ = 0;       ///< may have got their accesses
    std::uint64_t for_others_ = 0;  ///< wait for writes of others
    std::array<std::uint64_t, 64> others_{};
};

}  // namespace heddle
