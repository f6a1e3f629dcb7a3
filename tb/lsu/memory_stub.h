// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/protocol/memory_access.h"
#include "models/base/flat_memory.h"
#include "models/base/random.h"
#include "tb/kit/stall_source.h"

namespace heddle {

struct memory_stub_options {
    std::uint64_t seed = 1;
    std::uint32_t minimum_latency = 20;  ///< cycles from acceptance to the effect
    std::uint32_t spread = 0;            ///< random cycles more
    double stall_probability = 0;        ///< of acceptance and of answers
    bool accept_in_call = false;         ///< end_request as TLM_UPDATED
};

/// Memory behind one memory_link: accesses take effect after a random time, in order within a line
/// and in any order otherwise; answers come in yet another order, at most one a cycle.
class memory_stub : public sc_core::sc_module, public clocked {
public:
    memory_stub(const sc_core::sc_module_name& name, clock_domain& domain,
                const memory_stub_options& options);

    protocol::target_socket_of<memory_stub, protocol::memory_link> socket;

    void evaluate() override;
    [[nodiscard]] activity update() override;

    /// The whole address space, for the testbench: another SMX's doings.
    [[nodiscard]] std::uint8_t* at(std::uint32_t address) noexcept {
        return reinterpret_cast<std::uint8_t*>(memory_.data()) + address;
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) noexcept;
    void set_word(std::uint32_t address, std::uint32_t value) noexcept;
    [[nodiscard]] std::uint64_t count(protocol::memory_kind kind) const noexcept {
        return counts_[static_cast<std::size_t>(kind)];
    }
    /// Everything that has been accepted.
    struct seen {
        protocol::memory_kind kind;
        std::uint32_t address;
        std::uint32_t length;
        bool bypass;
        std::uint64_t edge;
        warp_slot warp;
    };
    [[nodiscard]] const std::vector<seen>& log() const noexcept { return log_; }
    /// Holds back everything: nothing is accepted, nothing answered.
    void hold(bool on) {
        held_ = on;
        wake();
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload,
                                       protocol::memory_phase& phase, sc_core::sc_time& delay);
    void accept(tlm::tlm_generic_payload& payload);
    void perform(tlm::tlm_generic_payload& payload);
    void perform_atomics(const tlm::tlm_generic_payload& payload);

    memory_stub_options options_;
    random_stream random_;
    stall_source accept_stalls_;
    stall_source answer_stalls_;
    flat_memory memory_;
    inbox<tlm::tlm_generic_payload*> arrivals_;
    bool held_ = false;
    std::map<std::uint64_t, std::uint64_t> line_free_;  ///< edge of the last effect, by line
    std::multimap<std::uint64_t, tlm::tlm_generic_payload*> effects_;  ///< by due edge
    std::multimap<std::uint64_t, tlm::tlm_generic_payload*> answers_;
    std::map<std::uint16_t, std::uint32_t> reservations_;  ///< word, by thread
    std::uint64_t counts_[5] = {};
    std::vector<seen> log_;
};

}  // namespace heddle
