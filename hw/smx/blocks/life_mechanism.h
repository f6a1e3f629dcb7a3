// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/link.h"

namespace heddle {

/// What a mechanism has to say in the life of the blocks of an SMX: why blocks leave before their
/// end, when they may not, and what they take with them. `block_life` asks those that are
/// registered with it, in the order of their registration.
class life_mechanism {
public:
    /// Step (6) of the cycle has something to do for it.
    [[nodiscard]] virtual bool busy() const = 0;
    /// Before blocks end and start. True: something has changed.
    virtual bool cycle(std::uint64_t edge) {
        (void)edge;
        return false;
    }

    /// All threads of the blocks in these slots have come to a call.
    virtual void called(std::uint64_t slots) { (void)slots; }

    /// Block slots whose blocks are to leave; after blocks have ended and started. Sets `changed`
    /// if something has changed.
    virtual std::uint64_t to_leave(bool& changed) {
        (void)changed;
        return 0;
    }
    /// Warps that wait for the mechanism, and may leave like that.
    [[nodiscard]] virtual protocol::warp_mask waiting() const { return 0; }
    /// The block may not leave now.
    [[nodiscard]] virtual bool keeps(unsigned slot) const {
        (void)slot;
        return false;
    }
    /// Why a block leaves that begins to; null: not for this mechanism. Of several mechanisms the
    /// reason counts that comes first in block_outcome.
    [[nodiscard]] virtual std::optional<protocol::block_outcome> reason(unsigned slot) const {
        (void)slot;
        return std::nullopt;
    }
    /// There is no room for the block's state: it goes on here. True: something has changed.
    virtual bool stays(unsigned slot) {
        (void)slot;
        return false;
    }

    /// Puts what the mechanism knows of a block that leaves behind `words`.
    virtual void save(unsigned slot, std::vector<std::uint32_t>& words) const {
        (void)slot;
        (void)words;
    }
    /// Takes from `words` what save() has put there; returns where the next part begins.
    virtual const std::uint32_t* restore(unsigned slot, const std::uint32_t* words) {
        (void)slot;
        return words;
    }
    /// The state of the block has been taken: it leaves.
    virtual void leaves(unsigned slot, std::uint64_t edge) {
        (void)slot;
        (void)edge;
    }
    /// The block is here again, with its state.
    virtual void returned(unsigned slot) { (void)slot; }
    /// The block is here no longer: it has ended or left.
    virtual void gone(unsigned slot) { (void)slot; }

protected:
    ~life_mechanism() = default;
};

}  // namespace heddle
