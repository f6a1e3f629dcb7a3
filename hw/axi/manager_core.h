// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "hw/axi/channels.h"
#include "hw/axi/id_queues.h"
#include "hw/base/ring.h"
#include "models/base/free_list.h"

namespace heddle::axi {

struct manager_settings {
    unsigned bus_bytes = 16;
    unsigned ids = 64;    ///< transactions under way, at most; each has one ID or shares it
    unsigned line = 128;  ///< bytes; a power of two
};

/// The manager's side of AXI4 without its pins: cuts transactions of TLM into INCR bursts and
/// drives the channels, clock by clock. No simulation kernel, no allocation after construction.
///
/// IDs: a line under way has one ID, which all its transactions in one direction share, so that
/// they keep their order. AXI has no order between reads and writes, or between IDs: what touches
/// the line of an older transaction in the other direction begins when that one has its last
/// response, as does a write that shares some, but not all, lines of an older one. Transactions of
/// one direction begin in their order. Bursts of one transaction have one ID.
/// A write's strobes are its byte enables. Its W beats begin in the clock of its AW, and follow the
/// order of AW. Responses are taken at once: READY is high unless it is held back.
class manager_core {
public:
    using payload = tlm::tlm_generic_payload;

    explicit manager_core(const manager_settings& settings);

    [[nodiscard]] bool full() const noexcept { return room() == 0; }
    /// Transactions that it can take; those that finished() has not given out yet need room.
    [[nodiscard]] std::size_t room() const noexcept {
        return settings_.ids - open_.size() - finished_.size();
    }
    /// Takes a transaction that check_base_access() finds legal; call only if not full(). Its data
    /// stay where they are until finished() has it.
    void take(payload& request);
    /// A rising edge: what the subordinate drove before it.
    void clock(const subordinate_side& in, const held_channels& held = {});
    /// What the manager drives behind the edge.
    [[nodiscard]] const manager_side& outputs() const noexcept { return out_; }
    /// The next transaction that has its response and its status, or null.
    [[nodiscard]] payload* finished();

    /// Nothing new begins; what has begun goes on.
    void pause(bool on) noexcept { paused_ = on; }
    /// Transactions that have no response yet.
    [[nodiscard]] std::size_t open() const noexcept { return open_.size(); }
    /// Writes of which an address has been sent and a response is missing.
    [[nodiscard]] std::size_t writes_begun() const noexcept { return writes_begun_; }
    /// Puts the bytes of writes without response over those of `read`, the oldest first: of those
    /// that have begun, or of the others.
    void overlay(payload& read, bool begun) const;
    /// Responses to no transaction, or before its last W beat, which were ignored.
    [[nodiscard]] std::uint64_t unexpected() const noexcept { return unexpected_; }
    /// Channel and ID of the last one of them.
    [[nodiscard]] char unexpected_channel() const noexcept { return unexpected_channel_; }
    [[nodiscard]] std::uint32_t unexpected_id() const noexcept { return unexpected_id_; }

private:
    using index = std::uint32_t;
    static constexpr std::uint32_t no_id = ~std::uint32_t{0};

    struct transaction {
        payload* request = nullptr;
        std::uint64_t next = 0;  ///< address of its next burst
        std::uint64_t end = 0;
        std::uint32_t id = no_id;
        std::uint32_t bursts = 0;  ///< without their response
        bool begun = false;
        response worst = response::okay;
    };
    struct open_burst {
        index owner = 0;
        std::uint32_t bytes = 0;
        std::uint32_t beat = 0;
        address_beat burst;
        std::uint64_t number = 0;  ///< of a write, in the order of AW
    };

    [[nodiscard]] bool is_write(index at) const { return table_[at].request->is_write(); }
    [[nodiscard]] std::uint64_t first_line(index at) const {
        return table_[at].request->get_address() / settings_.line;
    }
    [[nodiscard]] std::uint64_t last_line(index at) const {
        return (table_[at].end - 1) / settings_.line;
    }
    /// Gives the transaction its ID; false if it has to wait.
    bool begin(index at);
    void send_address(ring<index>& waiting, id_queues<open_burst>& bursts, bool& valid,
                      address_beat& address);
    void send_data();
    void take_b(const write_response& b);
    void take_r(const read_beat& r);
    void ignore(char channel, std::uint32_t id) noexcept;
    /// A burst of the transaction has its response.
    void answered(index at, response code);

    const manager_settings settings_;
    manager_side out_;
    std::vector<transaction> table_;
    free_list<index> free_;
    std::vector<index> open_;     ///< oldest first
    ring<index> reads_, writes_;  ///< of these some bursts, or all, have not been sent
    bool reads_blocked_ = false;  ///< the oldest waits for a transaction to end
    bool writes_blocked_ = false;
    id_queues<open_burst> read_bursts_, write_bursts_;
    ring<open_burst> data_;             ///< W beats to send
    std::uint64_t addresses_sent_ = 0;  ///< of writes
    std::uint64_t data_moved_ = 0;      ///< bursts whose last W beat has moved
    free_list<std::uint32_t> free_ids_;
    std::vector<std::uint32_t> id_users_;
    ring<payload*> finished_;
    bool paused_ = false;
    std::size_t writes_begun_ = 0;
    std::uint64_t unexpected_ = 0;
    char unexpected_channel_ = 'B';
    std::uint32_t unexpected_id_ = 0;
};

}  // namespace heddle::axi
