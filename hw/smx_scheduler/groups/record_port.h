// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/payload_pool.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/link.h"
#include "hw/protocol/memory_access.h"
#include "hw/smx_scheduler/groups/record_memory.h"
#include "models/device/device_launch.h"

namespace heddle {

/// The SMX scheduler's way to memory, for the records of groups without an entry in the AGT: stores
/// of their Next, and fetches.
///
/// Requests leave in the order of the calls, one after another. Accesses of one initiator to a line
/// take effect in this order, so that a fetch sees every store before it. Stores need no room:
/// there are at most two for each group.
class record_port final : public record_memory {
public:
    /// Bytes of a record that a fetch reads: the launch record, and Next behind it.
    static constexpr std::uint32_t next_offset = launch_request::bytes;
    static constexpr std::uint32_t record_bytes = next_offset + 4;
    static_assert(record_bytes <= launch_request::parameters_offset);

    /// `port`: the port of the crossbar, behind those of the SMXs. `owner` is woken for answers.
    record_port(clocked& owner, sm_id port,
                protocol::initiator_socket_base<protocol::memory_link>& socket);

    void store_next(record_address record, group_index next) override;
    void fetch(record_address record) override;
    [[nodiscard]] std::optional<answer> fetched() override;

    /// Takes answers and sends. True: something has changed.
    bool cycle();
    [[nodiscard]] bool idle() const noexcept { return outstanding_ == 0; }
    [[nodiscard]] std::uint64_t fetches() const noexcept { return fetches_; }
    [[nodiscard]] std::uint64_t stores() const noexcept { return stores_; }

    /// Backward path of the link.
    tlm::tlm_sync_enum take(tlm::tlm_generic_payload& payload, protocol::memory_phase phase);

private:
    using request = protocol::memory_transaction;
    struct event {
        request* of = nullptr;
        bool response = false;
        bool needs_end = false;  ///< end_response has to be sent
    };

    request& make(protocol::memory_kind kind, std::uint32_t address, unsigned bytes);
    void begin(request& next);
    void post(const event& what);
    void finish(const event& what);
    [[gnu::cold]] void report(const std::string& what) const;

    clocked& owner_;
    const sm_id port_;
    protocol::initiator_socket_base<protocol::memory_link>& socket_;
    protocol::memory_pool pool_;
    std::deque<request*> waiting_;
    request* requested_ = nullptr;  ///< has the link
    inbox<event> events_;
    std::uint64_t outstanding_ = 0;
    std::deque<answer> fetched_;
    std::uint64_t fetches_ = 0;
    std::uint64_t stores_ = 0;
};

}  // namespace heddle
