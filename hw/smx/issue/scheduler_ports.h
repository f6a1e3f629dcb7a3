// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/protocol/warp_issue.h"
#include "hw/smx/smx_configuration.h"
#include "models/base/strong_index.h"

namespace heddle {

/// Events of warps since the schedulers were called.
struct warp_events {
    protocol::warp_mask started = 0;
    protocol::warp_mask ended = 0;
    protocol::warp_mask memory_done = 0;
    protocol::warp_mask lost_locality = 0;

    [[nodiscard]] protocol::warp_mask any() const noexcept {
        return started | ended | memory_done | lost_locality;
    }
};

/// The SMX's ends of the links to its warp schedulers (warp_link): one call per scheduler and cycle
/// in which it may have something to do.
class scheduler_ports {
public:
    using socket = protocol::initiator_socket_base<protocol::warp_link>;
    struct port {
        socket* to;
        protocol::warp_mask own;  ///< slots
    };
    /// `follow_smx`: all schedulers hear of all warps' events, else of their own.
    scheduler_ports(sm_id sm, const std::vector<port>& ports, bool follow_smx);

    /// The sockets are bound from now on.
    void connect();

    [[nodiscard]] unsigned count() const noexcept { return count_; }
    /// Warp slots of a scheduler.
    [[nodiscard]] protocol::warp_mask own(unsigned scheduler) const noexcept {
        return own_[scheduler];
    }
    /// One bit per scheduler that one of `warps` belongs to; without branches that nobody could
    /// foresee.
    [[nodiscard]] std::uint32_t owners_of(protocol::warp_mask warps) const noexcept {
        const auto owner = [&](unsigned s) { return std::uint32_t{(warps & own_[s]) != 0} << s; };
        if (count_ <= 2) return owner(0) | owner(1);
        std::uint32_t owners = 0;
        for (unsigned s = 0; s < own_.size(); ++s) owners |= owner(s);
        return owners;
    }
    [[nodiscard]] bool follow_smx() const noexcept { return follow_smx_; }

    /// What all schedulers are told in this cycle.
    [[nodiscard]] protocol::warp_status& status() noexcept { return cycle_.status; }
    /// The warp that a scheduler picks of the `issuable` ones, if it does.
    std::optional<unsigned> select(unsigned scheduler, protocol::warp_mask issuable);

private:
    std::vector<port> ports_;
    const unsigned count_;
    const bool follow_smx_;
    protocol::warp_cycle cycle_;  ///< the payload of all calls
    std::array<protocol::warp_mask, smx_configuration::maximum_schedulers> own_{};
    /// What the sockets are bound to: asking them in each cycle costs the host two lines of its
    /// cache.
    std::array<tlm::tlm_fw_transport_if<protocol::warp_link>*,
               smx_configuration::maximum_schedulers>
        selection_{};
};

}  // namespace heddle
