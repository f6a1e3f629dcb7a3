// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What the crossbar tells the outside: debug transport, statistics, wait-for reports.
#include <algorithm>
#include <numeric>
#include <vector>

#include "hw/crossbar/crossbar.h"

namespace heddle {

bool crossbar::empty() const {
    return requests_.fabric.empty() && responses_.fabric.empty() && requests_.events.empty() &&
           responses_.events.empty() && requests_.parked_ports.empty() &&
           responses_.parked_ports.empty();
}

std::string crossbar::waiting_for() const {
    if (empty()) {
        return {};
    }
    const auto text = [](const direction& way, const char* name) {
        std::string busy;
        for (std::size_t i = 0; i < way.outputs.size(); ++i) {
            if (way.outputs[i].on_link != nullptr) {
                busy += (busy.empty() ? "; not accepted behind output " : ", ") + std::to_string(i);
            }
        }
        return std::to_string(way.fabric.size()) + ' ' + name + " under way, " +
               std::to_string(way.parked_ports.size()) + " inputs without credits" + busy;
    };
    return text(requests_, "requests") + "; " + text(responses_, "responses");
}

void crossbar::collect(statistics& out, const std::string& scope) const {
    collect(requests_, scope + ".request", out);
    collect(responses_, scope + ".response", out);
}

void crossbar::collect(const direction& way, const std::string& scope, statistics& out) const {
    out.declare(scope, crossbar_statistics);
    const auto set = [&](const char* name, const auto& value) {
        out.set(scope + "." + name, value);
    };
    const auto& counts = way.fabric.counts();
    const std::uint64_t edges = domain().edge_count();
    set("messages", counts.messages);
    set("bytes", std::accumulate(
                     way.inputs.begin(), way.inputs.end(), std::uint64_t{0},
                     [](std::uint64_t sum, const input_port& each) { return sum + each.bytes; }));
    set("flits", counts.flits);
    const std::size_t outputs = way.outputs.size() - (&way == &responses_ ? others_ : 0);
    if (edges != 0) {
        set("utilization", static_cast<double>(counts.flits) /
                               (static_cast<double>(edges) * static_cast<double>(outputs)));
    }
    set("latency", counts.latency);
    set("stall_input_full", way.input_full);
    set("stall_not_granted", counts.not_granted);
    set("stall_output_full", counts.outputs_full + skipped_edges() * way.fabric.waiting_buffers());
    set("stall_receiver", way.link_busy);
    set("lost_grants", counts.lost_grants);
}

// ---- debug ------------------------------------------------------------------------------------

unsigned crossbar::debug(payload& access) {
    const std::uint64_t address = access.get_address();
    const unsigned length = access.get_data_length();
    std::uint8_t* const data = access.get_data_ptr();
    std::uint8_t* const enables = access.get_byte_enable_ptr();
    const unsigned period = access.get_byte_enable_length();
    std::vector<std::uint8_t> shifted;  // byte enables of a part
    unsigned done = 0;
    while (done < length) {
        const std::uint32_t bank = bank_of_(address + done);
        unsigned end = done;
        do {
            end =
                std::min<std::uint64_t>(length, end + interleave_ - (address + end) % interleave_);
        } while (end < length && bank_of_(address + end) == bank);
        if (bank >= bank_sockets.size()) {
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
