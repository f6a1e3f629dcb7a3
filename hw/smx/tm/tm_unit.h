// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/protocol/forward_socket.h"
#include "hw/smx/shared_memory/shared_memory.h"
#include "hw/smx/tm/smx_transactions.h"
#include "hw/smx/tm/tm_account.h"
#include "hw/smx/tm/tm_bank.h"
#include "hw/smx/tm/tm_engine.h"

namespace heddle {

/// What a tm_unit works with; all of it outlives the unit.
struct tm_environment {
    const clock_domain& domain;
    transaction_configuration configuration;
    const shared_memory_configuration& shared;
    unsigned lanes;
    unsigned contexts;  ///< transactions at a time
    unsigned block_slots;
    std::uint32_t window;  ///< bytes of a block slot in the shared memory
    shared_memory& memory;
    const slot_maker<bank_state_traits>& banks;  ///< used during construction only
    protocol::instrumentation* links;            ///< checks the links to the banks; may be null
};

/// Transactions in the shared memory of an SMX (tm_engine.h). Villegas et al., "Improvements in
/// Hardware Transactional Memory for GPU Architectures". It stands between the load-store unit and
/// the shared memory; only where tm.enabled.
///
/// Children: `bank_0` ... (tm_link: a socket for accesses, and one for broadcasts).
/// socket (shared_link, target): plain accesses go on to memory_socket (shared_link, initiator) as
/// they are. A transactional access takes its passes, at least as long as a plain one; the lanes
/// that lose are in the answer. nb_transport is an error.
class tm_unit : public sc_core::sc_module, public smx_transactions, private tm_banks {
public:
    tm_unit(const sc_core::sc_module_name& name, const tm_environment& environment);

    protocol::target_socket_of<tm_unit, protocol::shared_link> socket;
    protocol::forward_socket<protocol::shared_link> memory_socket;

    [[nodiscard]] const transaction_configuration& configuration() const noexcept {
        return configuration_;
    }
    [[nodiscard]] tm_engine& engine() noexcept { return engine_; }
    [[nodiscard]] const tm_engine& engine() const noexcept { return engine_; }
    [[nodiscard]] tm_account& account() noexcept { return account_; }

    [[nodiscard]] const protocol::warp_mask& inside() const noexcept override {
        return engine_.inside().warps();
    }
    [[nodiscard]] tm_counts counts(std::uint64_t edge) const override;
    [[nodiscard]] std::uint64_t commits() const noexcept override {
        return engine_.counts().commits;
    }
    [[nodiscard]] private_log* log() noexcept override { return &engine_.undo().private_words(); }
    [[nodiscard]] tm_unit* unit() noexcept override { return this; }

private:
    void access(protocol::shared_access& access, sc_core::sc_time& delay);
    void transactional_access(protocol::shared_access& access, sc_core::sc_time& delay);
    // tm_banks
    void check(bank_passes& passes) override;
    std::uint32_t tell_all(protocol::bank_check& what) override;

    const transaction_configuration configuration_;
    const clock_domain& domain_;
    const unsigned banks_count_;
    shared_memory& memory_;
    std::vector<std::unique_ptr<tm_bank>> banks_;
    std::vector<std::unique_ptr<protocol::forward_socket<protocol::tm_link>>> access_sockets_;
    std::vector<std::unique_ptr<protocol::forward_socket<protocol::tm_link>>> broadcast_sockets_;
    tm_engine engine_;
    tm_account account_;
};

}  // namespace heddle
