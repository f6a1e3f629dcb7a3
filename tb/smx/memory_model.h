// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/protocol/memory_access.h"
#include "models/base/flat_memory.h"
#include "models/base/random.h"
#include "tb/kit/stall_source.h"

namespace heddle {

struct memory_model_options {
    std::uint64_t seed = 1;
    double stall_probability = 0.1;  ///< of accepting a request, and of beginning an answer
    std::uint32_t least_latency = 20;
    std::uint32_t latency_spread = 60;  ///< 0: all answers take least_latency
};

/// Everything behind an SMX's memory_link: flat data, random latency, random stalls.
///
/// Accesses take effect in the order in which they are accepted; answers come in any order.
/// Atomics, lr and sc (one reservation a thread) execute as an L2 bank does.
class memory_model final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<memory_model, protocol::memory_link> socket;

    memory_model(const sc_core::sc_module_name& name, clock_domain& domain,
                 const memory_model_options& options, flat_memory& data);

    /// Called for every access that takes effect, after it: what other users of memory do.
    void observe(std::function<void(const tlm::tlm_generic_payload&)> observer) {
        observer_ = std::move(observer);
    }
    void evaluate() override;
    [[nodiscard]] activity update() override;

    [[nodiscard]] std::uint64_t accesses() const noexcept { return accesses_; }
    /// Accesses that have not been answered.
    [[nodiscard]] std::size_t pending() const noexcept {
        return requests_.size() + answers_.size() + (responding_ ? 1 : 0);
    }

private:
    using payload = tlm::tlm_generic_payload;
    struct answer {
        std::uint64_t due;
        std::uint64_t number;
        payload* what;
        friend bool operator<(const answer& a, const answer& b) noexcept {
            return a.due != b.due ? a.due > b.due : a.number > b.number;  // earliest on top
        }
    };
    struct reservation {
        std::uint32_t thread, address;
    };

    tlm::tlm_sync_enum forward(payload& what, protocol::memory_phase& phase,
                               sc_core::sc_time& delay);
    void accept();
    void respond();
    void perform(payload& what);
    void perform_atomic(payload& what, protocol::memory_access& access);
    void drop_reservations(std::uint32_t address);

    memory_model_options options_;
    std::uint8_t* data_;
    stall_source accept_stalls_;
    stall_source answer_stalls_;
    random_stream random_;
    inbox<payload*> requests_;
    inbox<bool> ends_;
    std::priority_queue<answer> answers_;
    std::vector<reservation> reservations_;
    std::function<void(const tlm::tlm_generic_payload&)> observer_;
    std::uint64_t accesses_ = 0;
    bool responding_ = false;
};

}  // namespace heddle
