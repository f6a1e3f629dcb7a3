// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What the crossbar tells the outside: debug transport, statistics.
#include <algorithm>
#include <vector>

#include "hw/crossbar/crossbar.h"

namespace heddle {

bool crossbar::empty() const {
    return requests_.empty() && responses_.empty();
}

void crossbar::collect(statistics& out, const std::string& scope) const {
    requests_.collect(out, scope + ".request", 0);
    responses_.collect(out, scope + ".response", others_);
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
