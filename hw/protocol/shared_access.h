// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/base/pool.h"
#include "hw/protocol/link_rules.h"

/// Load-store unit -> shared_memory, the block with the banks of shared memory: one access of a
/// warp.
namespace heddle::protocol {

enum class local_command : std::uint8_t { load, store, atomic };

/// `incomplete` until the target has served the access.
enum class shared_response : std::uint8_t { incomplete, ok, address_error };

/// Values travel in the payload, one word per lane; loads and atomics overwrite `data` with what
/// memory held (zero- or sign-extension is the LSU's business).
struct shared_access : pooled<shared_access> {
    launch_id launch{};
    sm_id sm{};
    warp_slot warp{};
    block_slot block{};
    local_command command = local_command::load;
    isa::opcode operation = isa::opcode::illegal;  ///< which atomic
    shared_response response = shared_response::incomplete;
    std::uint16_t busy_cycles = 1;  ///< set by the target: how long the access keeps the banks
    std::uint8_t bytes = 4;         ///< per lane: 1, 2 or 4; addresses are multiples of it
    lane_mask lanes = 0;
    std::array<std::uint32_t, maximum_lanes> address{};  ///< byte offset in the SMX's shared memory
    std::array<std::uint32_t, maximum_lanes> data{};
    std::array<std::uint32_t, maximum_lanes> compare{};  ///< amocas.w only
    bool transactional = false;     ///< inside a transaction of the lanes; loads and stores
    std::uint16_t transaction = 0;  ///< transactional: the SMX's context of the transaction
    // Set by the target of a transactional access; lanes of `lanes`:
    lane_mask lost = 0;            ///< they have lost their transaction, and got nothing
    lane_mask losers = 0;          ///< of these, they have lost by this access
    lane_mask lost_to_lower = 0;   ///< now, to an item of their warp with a lower number
    lane_mask lost_to_higher = 0;  ///< now, to one with a higher number
    /// Thread in the SMX: home warp slot x warp size + home lane; atomics only.
    std::array<std::uint16_t, maximum_lanes> thread{};

    /// The lane arrays keep their contents: only lanes in `lanes` are looked at.
    void recycle() {
        launch = {};
        sm = {};
        warp = {};
        block = {};
        command = local_command::load;
        operation = isa::opcode::illegal;
        response = shared_response::incomplete;
        busy_cycles = 1;
        bytes = 4;
        lanes = 0;
        transactional = false;
        transaction = 0;
        lost = losers = lost_to_lower = lost_to_higher = 0;
    }
};

/// b_transport only: the target performs the access, sets `response` and adds its latency, bank
/// conflicts included, to the time annotation. It never waits and never takes time away.
/// nb_transport is an error; the phase type has no legal value.
enum class shared_phase : std::uint8_t {};

struct shared_link {
    using tlm_payload_type = shared_access;
    using tlm_phase_type = shared_phase;
};

template <>
struct link_rules<shared_link> : usual_rules<shared_access> {
    static const rule_table& table();
    static std::string request_error(const shared_access& p);
    static std::string response_error(const shared_access& p);
    static fixed_attributes fixed(const shared_access& p);
    static void describe(const shared_access& p, attribute_list& out);

    static constexpr bool carries_accesses = true;
};

}  // namespace heddle::protocol
