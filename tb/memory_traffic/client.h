// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "tb/memory_traffic/scoreboard.h"

namespace heddle::traffic {

struct client_options {
    unsigned first_identity = 0;  ///< clients of the scoreboard that share the link
    unsigned identities = 1;
    std::uint64_t accesses = 1000;
    unsigned outstanding = 16;
};

/// Random accesses over one memory_link, with random stalls before each request and response.
class client final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<client, protocol::memory_link> socket;

    client(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
           scoreboard& reference, const client_options& options);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    [[nodiscard]] bool done() const noexcept {
        return completed_ == options_.accesses && held_ == nullptr;
    }
    [[nodiscard]] std::string leak_report() const { return pool_.leak_report(); }
    /// Sum over all responses, and the mean, of the edges since the request.
    [[nodiscard]] std::uint64_t latency_sum() const noexcept { return latency_sum_; }

private:
    using payload = tlm::tlm_generic_payload;
    struct event {
        enum class kind : std::uint8_t { accepted, answered, held } what;
        payload* transaction;
    };
    struct slot {
        access_record record;
        std::uint64_t issued_at = 0;
    };

    tlm::tlm_sync_enum from_target(payload& transaction, protocol::memory_phase& phase,
                                   sc_core::sc_time& delay);
    void issue();
    void complete(payload& transaction);

    testbench& bench_;
    scoreboard& reference_;
    const client_options options_;
    protocol::memory_pool pool_;
    random_stream random_;
    stall_source request_stalls_, response_stalls_, styles_;
    inbox<event> events_;
    std::vector<slot> slots_;
    std::vector<std::uint32_t> free_;
    payload* on_link_ = nullptr;  ///< waits for end_request
    payload* held_ = nullptr;     ///< its end_response is withheld
    std::uint64_t issued_ = 0, completed_ = 0, latency_sum_ = 0;
};

}  // namespace heddle::traffic
