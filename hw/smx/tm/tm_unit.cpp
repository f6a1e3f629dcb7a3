// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/tm_unit.h"

#include <algorithm>

#include "hw/smx/tm/lane_loop.h"

namespace heddle {

using protocol::shared_access;

tm_unit::tm_unit(const sc_core::sc_module_name& name, const tm_environment& environment)
    : sc_module(name),
      socket("socket"),
      memory_socket("memory_socket"),
      configuration_(environment.configuration),
      domain_(environment.domain),
      banks_count_(environment.shared.banks),
      memory_(environment.memory),
      engine_({environment.configuration, environment.lanes, environment.contexts,
               environment.block_slots, environment.shared.banks, environment.window,
               2 * environment.shared.latency},
              *this),
      account_(environment.contexts) {
    socket.register_b_transport(this, &tm_unit::access);
    const bank_setting setting{configuration_, environment.block_slots,
                               transactional_bank::rows(environment.window, banks_count_)};
    for (unsigned b = 0; b < banks_count_; ++b) {
        const std::string bank = "bank_" + std::to_string(b);
        using bank_socket = protocol::forward_socket<protocol::tm_link>;
        access_sockets_.push_back(std::make_unique<bank_socket>((bank + "_access").c_str()));
        broadcast_sockets_.push_back(std::make_unique<bank_socket>((bank + "_broadcast").c_str()));
        banks_.push_back(std::make_unique<tm_bank>(
            bank.c_str(), setting, transactional_bank::place{b, banks_count_, environment.window},
            environment.banks, memory_.array()));
        protocol::connect(environment.links, *access_sockets_.back(), banks_.back()->access_socket,
                          {"tm_link_" + bank + "_access", this->name(), bank + ".access"});
        protocol::connect(environment.links, *broadcast_sockets_.back(),
                          banks_.back()->broadcast_socket,
                          {"tm_link_" + bank + "_broadcast", this->name(), bank + ".broadcast"});
    }
}

void tm_unit::access(shared_access& access, sc_core::sc_time& delay) {
    if (access.transactional) return transactional_access(access, delay);
    if (!engine_.inside().empty()) engine_.watch(access);
    memory_socket->b_transport(access, delay);
}

void tm_unit::transactional_access(shared_access& access, sc_core::sc_time& delay) {
    std::uint32_t last = 0;
    for_all_lanes(access.lanes, [&](unsigned lane, std::uint32_t in) {
        last = std::max(last, access.address[lane] & in);
    });
    if (std::uint64_t{last} + access.bytes > memory_.array().size()) {
        access.response = protocol::shared_response::address_error;
        return;
    }
    const tm_engine::access_cost cost = engine_.access(access);
    memory_.array().count_access(std::max(cost.passes, 1U));
    const unsigned plain = memory_.cycles_of(cost.plain_turns);
    account_.add_overhead(access.transaction, domain_.edge() + plain, domain_.edge() + cost.cycles);
    access.busy_cycles = static_cast<std::uint16_t>(cost.cycles);
    access.response = protocol::shared_response::ok;
    memory_.annotate(delay, std::max(cost.cycles, plain));
}

void tm_unit::check(bank_passes& passes) {
    auto time = sc_core::SC_ZERO_TIME;
    passes.pass([&](unsigned bank, protocol::bank_check& what) {
        (*access_sockets_[bank])->b_transport(what, time);
    });
}

std::uint32_t tm_unit::tell_all(protocol::bank_check& what) {
    auto time = sc_core::SC_ZERO_TIME;
    std::uint32_t most = 0;
    for (const auto& socket_of_bank : broadcast_sockets_) {
        const std::uint32_t before = what.words;
        what.answered = false;
        (*socket_of_bank)->b_transport(what, time);
        most = std::max(most, what.words - before);
    }
    return most;
}

tm_counts tm_unit::counts(std::uint64_t edge) const {
    tm_counts all = engine_.counts();
    account_.add_to(all, edge);
    return all;
}

}  // namespace heddle
