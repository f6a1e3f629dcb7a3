// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/protocol/memory_access.h"
#include "models/base/random.h"
#include "tb/crossbar_traffic/traffic_options.h"
#include "tb/kit/testbench.h"

namespace heddle::crossbar_traffic {

/// Bytes of address space of each bank.
inline constexpr std::uint64_t bank_bytes = 4096;

/// What both ends of the messages of one crossbar know.
struct ledger {
    ledger(std::uint32_t inputs, std::uint32_t outputs)
        : outputs(outputs), sent(std::size_t{inputs} * outputs), seen(sent.size()) {}
    [[nodiscard]] std::size_t flow(std::uint32_t input, std::uint32_t output) const noexcept {
        return std::size_t{input} * outputs + output;
    }
    std::uint32_t outputs;
    std::vector<std::uint64_t> sent, seen;  ///< messages by flow
};

/// Stands for an SMX: stores of a fixed length, created by the traffic's pattern and sent in order
/// from an endless queue as fast as the link takes them.
class traffic_source final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<traffic_source, protocol::memory_link> socket{"socket"};

    traffic_source(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                   const traffic_options& options, double load, std::uint32_t input, ledger& flows);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// Everything sent has been answered; creates nothing more after the measured cycles.
    [[nodiscard]] bool done() const noexcept {
        return domain().edge() > last_ && queue_.empty() && open_ == 0;
    }

private:
    using payload = tlm::tlm_generic_payload;
    struct message {
        std::uint32_t output = 0;
        std::uint64_t created = 0;  ///< edge
    };

    tlm::tlm_sync_enum from_crossbar(payload& transaction, protocol::memory_phase& phase,
                                     sc_core::sc_time& delay);
    void create();
    [[nodiscard]] std::uint32_t destination();
    /// The output with the fewest messages under way; all have enough if none is returned.
    bool backlog(std::uint32_t& output) const;
    void send();

    testbench& bench_;
    const traffic_options& options_;
    const double probability_;  ///< of a message in a cycle
    const std::uint32_t input_;
    const std::uint32_t backlog_;  ///< messages to keep under way to each output
    const std::uint64_t last_;     ///< edge
    ledger& flows_;
    random_stream random_;
    protocol::memory_pool pool_;
    inbox<payload*> accepted_;
    std::deque<message> queue_;
    payload* on_link_ = nullptr;
    std::uint64_t open_ = 0;  ///< sent and not answered
};

}  // namespace heddle::crossbar_traffic
