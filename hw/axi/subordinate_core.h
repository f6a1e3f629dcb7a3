// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/axi/channels.h"
#include "hw/axi/id_queues.h"
#include "hw/base/ring.h"
#include "models/base/free_list.h"

namespace heddle::axi {

struct subordinate_settings {
    unsigned bus_bytes = 16;
    unsigned queue = 16;  ///< bursts of each direction under way, at most
};

/// The subordinate's side of AXI4 without its pins: makes an access to memory of each burst, and
/// answers it, clock by clock. No simulation kernel; buffers grow to the longest burst and stay.
///
/// INCR bursts of any size up to the bus, length and alignment. FIXED and WRAP bursts, and bursts
/// that cross 4 KB or have beats wider than the bus, are answered with SLVERR, and no byte is
/// moved. The memory may answer in any order. Responses of one ID keep the order of their
/// addresses, those of different IDs come as the memory answers them. The beats of a read are not
/// mixed with others. AWREADY and ARREADY are high while a burst has room. WREADY is high while an
/// address waits for its data: data before their address wait.
class subordinate_core {
public:
    using index = std::uint32_t;

    /// What the memory has to do.
    struct access {
        address_beat burst;
        bool write = false;
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;                ///< may be 0 for a write without strobes
        std::uint8_t* data = nullptr;           ///< stays until answered()
        const std::uint8_t* enables = nullptr;  ///< 0xff or 0 for each byte; null: all
    };

    explicit subordinate_core(const subordinate_settings& settings);

    /// A rising edge: what the manager drove before it.
    void clock(const manager_side& in, const held_channels& held = {});
    /// What the subordinate drives behind the edge.
    [[nodiscard]] const subordinate_side& outputs() const noexcept { return out_; }

    /// The next access for the memory; false if there is none. `at` names it.
    bool next(index& at);
    [[nodiscard]] const access& operator[](index at) const noexcept { return bursts_[at].what; }
    /// The memory has performed it.
    void answered(index at, response code);

    /// Bursts under way.
    [[nodiscard]] std::size_t open() const noexcept { return open_; }

private:
    struct burst {
        access what;
        std::vector<std::uint8_t> data, enables;
        std::uint32_t beat = 0;
        response code = response::okay;
        bool answered = false;
    };

    [[nodiscard]] bool legal(const address_beat& a) const;
    void take_address(const address_beat& a, bool write);
    void take_data(const write_beat& w);
    /// All data of a write have come.
    void cut(burst& write);
    void make_ready(id_queues<index>& order, std::uint32_t id, ring<index>& ready);
    void send_b();
    void send_r();
    void give_back(index at);

    const subordinate_settings settings_;
    subordinate_side out_;
    std::vector<burst> bursts_;  ///< writes, then reads
    free_list<index> free_writes_, free_reads_;
    ring<index> filling_;  ///< writes that wait for data
    ring<index> to_memory_;
    id_queues<index> write_order_, read_order_;
    ring<index> ready_writes_, ready_reads_;  ///< answered, and the oldest of their ID
    std::size_t open_ = 0;
};

}  // namespace heddle::axi
