// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/pool.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link_rules.h"
#include "models/device/newcomer.h"

/// smx -> smx_scheduler: the calls of cooperative blocks. Sorensen, Evrard, Donaldson, "Cooperative
/// Kernels", FSE 2017, 3.1.
namespace heddle::protocol {

enum class cooperation_request : std::uint8_t {
    offer_kill,
    request_fork,
    arrive,           ///< at the global barrier; the block's accesses have been performed
    arrive_resizing,  ///< at the resizing one
    come_back,        ///< the block was told to leave, and asks for the answer to its call
};

enum class cooperation_answer : std::uint8_t {
    none,
    go_on,
    die,
    refused,  ///< blocks wait at a barrier of the other kind
    leave,    ///< the block is to be preempted: the call stays open, and the block asks again
};

/// One call of a block, made when all its threads have come to it.
struct cooperation_call : pooled<cooperation_call> {
    launch_id launch{};
    std::uint32_t block = 0;  ///< linear, in the grid
    sm_id sm{};
    block_slot slot{};
    cooperation_request request = cooperation_request::offer_kill;
    newcomer origin;  ///< of blocks that start; unless offer_kill, arrive
    // Set before the answer:
    cooperation_answer answer = cooperation_answer::none;
    std::uint32_t groups = 0;  ///< M from now on
    std::uint32_t forked = 0;  ///< blocks that start with this call

    void recycle() { *this = cooperation_call(); }
};

/// ```
///            fw request                 bw answer
///   [idle] -------------> [waiting] -------------> [closed]
///   request: TLM_ACCEPTED
///   answer:  TLM_COMPLETED; `answer` and `groups` are set before
/// ```
/// A block has one call at a time. At a barrier the answer comes when all active blocks have come,
/// or when the block has to leave.
enum class cooperation_phase : std::uint8_t { request, answer };

struct cooperation_link {
    using tlm_payload_type = cooperation_call;
    using tlm_phase_type = cooperation_phase;
};

template <>
struct link_rules<cooperation_link> : usual_rules<cooperation_call> {
    static const rule_table& table();
    static std::string request_error(const cooperation_call& p);
    static std::string response_error(const cooperation_call& p);
    static fixed_attributes fixed(const cooperation_call& p);
    static void describe(const cooperation_call& p, attribute_list& out);
    static std::string title(const cooperation_call& p);
    static std::string instant(const cooperation_call& p, cooperation_phase phase);
    static std::uint64_t flow_in(const cooperation_call& p) {
        return block_flow(p.launch, p.block);
    }
};

}  // namespace heddle::protocol
