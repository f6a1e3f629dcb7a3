// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/bits.h"

namespace heddle {

/// Who waits at a fence until all its accesses have been performed: owners of accesses, a bit each.
class fences {
public:
    void wait(unsigned owner) noexcept {
        waiting_ |= bits::one(owner);
        check_ |= bits::one(owner);
    }
    /// An access of the owner has been performed: it may be the last one.
    void check(unsigned owner) noexcept { check_ |= bits::one(owner); }
    [[nodiscard]] std::uint64_t waiting() const noexcept { return waiting_; }
    [[nodiscard]] bool unchecked() const noexcept { return check_ != 0; }
    /// Calls passed(owner) for each owner that waits no longer; drained(owner) says whether it has
    /// no access under way.
    template <class Drained, class Passed>
    void finish(Drained&& drained, Passed&& passed) {
        bits::for_each(check_ & waiting_, [&](unsigned owner) {
            if (!drained(owner)) return;
            waiting_ &= ~bits::one(owner);
            passed(owner);
        });
        check_ = 0;
    }

private:
    std::uint64_t waiting_ = 0;
    std::uint64_t check_ = 0;  ///< may have got their accesses
};

}  // namespace heddle
