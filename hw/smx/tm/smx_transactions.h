// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/protocol/link.h"
#include "hw/smx/tm/private_log.h"
#include "hw/smx/tm/tm_counts.h"

namespace heddle {

class tm_unit;

/// The transactions of an SMX as its other rooms see them. An object of this very class is what an
/// SMX without transactions has: nobody is inside of one.
class smx_transactions {
public:
    smx_transactions() = default;
    smx_transactions(const smx_transactions&) = delete;
    smx_transactions& operator=(const smx_transactions&) = delete;
    virtual ~smx_transactions() = default;

    /// Warps that have begun a transaction and have not ended it; only where warps have slots.
    [[nodiscard]] virtual const protocol::warp_mask& inside() const noexcept { return nobody; }
    /// Up to `edge`; resident_cycles is left 0.
    [[nodiscard]] virtual tm_counts counts(std::uint64_t /*edge*/) const { return {}; }
    /// Of threads.
    [[nodiscard]] virtual std::uint64_t commits() const noexcept { return 0; }
    /// Gets the old values of private memory; null: no store is logged.
    [[nodiscard]] virtual private_log* log() noexcept { return nullptr; }
    /// What carries transactions out, for whoever issues them; null: there is nothing.
    [[nodiscard]] virtual tm_unit* unit() noexcept { return nullptr; }

private:
    static constexpr protocol::warp_mask nobody = 0;
};

}  // namespace heddle
