// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What the network tells the outside: debug transport, statistics, wait-for reports.
#include <algorithm>
#include <vector>

#include "hw/crossbar/fixed_latency_network.h"

namespace heddle {

bool fixed_latency_network::empty() const {
    return requests_.fabric.empty() && responses_.fabric.empty() && requests_.events.empty() &&
           responses_.events.empty() && requests_.parked_ports.empty() &&
           responses_.parked_ports.empty();
}

std::string fixed_latency_network::waiting_for() const {
    if (empty()) {
        return {};
    }
    const auto text = [](const direction& way, const char* name) {
        return std::to_string(way.fabric.size()) + ' ' + name + " under way, " +
               std::to_string(way.parked_ports.size()) + " ports without room";
    };
    return text(requests_, "requests") + ", " + text(responses_, "responses");
}

void fixed_latency_network::collect(statistics& out, const std::string& scope) const {
    out.declare(scope, network_statistics);
    const auto set = [&](const char* name, std::uint64_t value) {
        out.set(scope + "." + name, value);
    };
    set("requests", requests_.packets);
    set("responses", responses_.packets);
    set("request_bytes", requests_.bytes);
    set("response_bytes", responses_.bytes);
    set("request_stall_cycles", requests_.stall_cycles);
    set("response_stall_cycles", responses_.stall_cycles);
    set("request_wait_cycles", requests_.fabric.wait_cycles());
    set("response_wait_cycles", responses_.fabric.wait_cycles());
}

// ---- debug ------------------------------------------------------------------------------------

unsigned fixed_latency_network::debug(payload& access) {
    constexpr unsigned granule = 32;  // the smallest interleaving
    const std::uint64_t address = access.get_address();
    const unsigned length = access.get_data_length();
    std::uint8_t* const data = access.get_data_ptr();
    std::uint8_t* const enables = access.get_byte_enable_ptr();
    const unsigned period = access.get_byte_enable_length();
    std::vector<std::uint8_t> shifted;  // byte enables of a part
    unsigned done = 0;
    while (done < length) {
        const std::uint32_t bank = decode_(address + done);
        unsigned end = done;
        do {
            end = std::min<std::uint64_t>(length, end + granule - (address + end) % granule);
        } while (end < length && decode_(address + end) == bank);
        if (bank >= bank_ports_.size()) {
            access.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            break;
        }
        access.set_address(address + done);
        access.set_data_ptr(data + done);
        access.set_data_length(end - done);
        if (enables != nullptr && period != 0) {
            shifted.clear();
            for (unsigned byte = done; byte < end; ++byte) {
                shifted.push_back(enables[byte % period]);
            }
            access.set_byte_enable_ptr(shifted.data());
            access.set_byte_enable_length(end - done);
        }
        const unsigned moved = bank_sockets[bank]->transport_dbg(access);
        done += moved;
        if (moved != access.get_data_length()) {
            break;
        }
    }
    access.set_address(address);
    access.set_data_ptr(data);
    access.set_data_length(length);
    access.set_byte_enable_ptr(enables);
    access.set_byte_enable_length(period);
    return done;
}

}  // namespace heddle
