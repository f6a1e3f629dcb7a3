// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <tlm>

#include "models/base/strong_index.h"
#include "models/device/launch_id.h"
#include "models/isa/instruction.h"

/// Vocabulary that all links share: identities carried by payloads, and the socket types.
///
/// A link is a `struct x_link` with the two TLM protocol types (payload and phase). Sockets of
/// different links don't bind: a wrong binding is a compile error.
///
/// Rules for both ends of a link:
///  - a call over a socket writes only the callee's inbox; its return value depends only on state
///    that the callee latched at its last update, so the order of modules does not matter;
///  - a target never refuses. It answers TLM_ACCEPTED and holds the transaction in its inbox; the
///    initiator may not begin another one until the accepting phase has come (as TLM_UPDATED in the
///    same call, or later on the backward path). That phase is the credit;
///  - the initiator holds a reference to a pooled payload until the transaction has ended; a callee
///    that keeps the payload beyond the call takes a reference of its own.
namespace heddle::protocol {

using heddle::launch_id;
/// A thread block's context: names its private memory.
using context_id = strong_index<struct context_id_tag>;

using isa::lane_mask;
/// One bit per warp slot of an SMX; slot 0 is bit 0.
using warp_mask = std::uint64_t;
inline constexpr unsigned maximum_lanes = 64;
inline constexpr unsigned maximum_warps = 64;
/// Largest cache line or memory access of one warp, in bytes.
inline constexpr unsigned maximum_line_bytes = 128;

/// Sockets are nominally 32 bits wide; no block depends on the width.
inline constexpr unsigned socket_width = 32;

template <typename Link>
using initiator_socket_base = tlm::tlm_initiator_socket<socket_width, Link>;
template <typename Link>
using target_socket_base = tlm::tlm_target_socket<socket_width, Link>;

/// Convenience sockets whose callbacks are member functions of `Module`.
template <typename Module, typename Link>
using initiator_socket_of = tlm_utils::simple_initiator_socket<Module, socket_width, Link>;
template <typename Module, typename Link>
using target_socket_of = tlm_utils::passthrough_target_socket<Module, socket_width, Link>;
template <typename Module, typename Link>
using multi_initiator_socket_of =
    tlm_utils::multi_passthrough_initiator_socket<Module, socket_width, Link>;
template <typename Module, typename Link>
using multi_target_socket_of =
    tlm_utils::multi_passthrough_target_socket<Module, socket_width, Link>;

}  // namespace heddle::protocol
