// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <systemc>

#include "hw/smx/tm/transactional_bank.h"

namespace heddle {

/// One bank of shared memory under transactions (transactional_bank.h).
///
/// access_socket (tm_link, target): checks of items' accesses, one in each pass.
/// broadcast_socket (tm_link, target): items that lose or commit.
/// Both serve a call at once, without time; nb_transport is an error.
class tm_bank : public sc_core::sc_module {
public:
    /// `slots` is used during construction only.
    tm_bank(const sc_core::sc_module_name& name, const bank_setting& setting,
            const transactional_bank::place& at, const slot_maker<bank_state_traits>& slots,
            shared_banks& memory)
        : sc_module(name),
          access_socket("access_socket"),
          broadcast_socket("broadcast_socket"),
          bank_(slots.make(setting, std::string(this->name()) + ".state"), at, memory) {
        access_socket.register_b_transport(this, &tm_bank::perform);
        broadcast_socket.register_b_transport(this, &tm_bank::perform);
    }

    protocol::target_socket_of<tm_bank, protocol::tm_link> access_socket;
    protocol::target_socket_of<tm_bank, protocol::tm_link> broadcast_socket;

private:
    void perform(protocol::bank_check& check, sc_core::sc_time&) { bank_.perform(check); }

    transactional_bank bank_;
};

}  // namespace heddle
