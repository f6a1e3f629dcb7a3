// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <bitset>
#include <cstdint>
#include <string>

#include "hw/cosim/pins/memory_pins.h"
#include "hw/cosim/pins/pin_checker.h"

namespace heddle::pins {

namespace rule {
/// a request has the id of one that is under way
inline constexpr const char* id_in_use = "heddle/pins/id_in_use";
/// a response has an id that no request under way has
inline constexpr const char* unknown_id = "heddle/pins/unknown_id";
/// the address of a request is not that of a line
inline constexpr const char* line_address = "heddle/pins/line_address";
}  // namespace rule

/// The rules of a memory's pins: those of both channels, and id_in_use, unknown_id, line_address.
class memory_checker final {
public:
    /// `name`: the hierarchical name of the port.
    memory_checker(const std::string& name, pin_clock& clock, memory_pins& pins,
                   std::uint64_t longest_wait)
        : request_(name + ".request", clock, pins.request, longest_wait),
          response_(name + ".response", clock, pins.response, longest_wait),
          ids_(name, clock, pins) {}

private:
    class id_checker final : public pin_checker {
    public:
        id_checker(const std::string& name, pin_clock& clock, const memory_pins& pins)
            : pin_checker(name, clock, 0), pins_(pins) {}

        void clock_edge() override {
            if (pins_.request.valid.read() && pins_.request.ready.read()) take_request();
            if (pins_.response.valid.read() && pins_.response.ready.read()) take_response();
        }

    private:
        void take_request() {
            const std::uint32_t id = pins_.request.payload.id.read();
            if (used_[id]) {
                violation(rule::id_in_use, "a request with id " + std::to_string(id) +
                                               ", which is under way; legal: any other");
            }
            used_[id] = true;
            if (pins_.request.payload.address.read() % line_bytes != 0) {
                violation(rule::line_address,
                          "a request for address " +
                              std::to_string(pins_.request.payload.address.read()) +
                              "; legal: a multiple of " + std::to_string(line_bytes));
            }
        }
        void take_response() {
            const std::uint32_t id = pins_.response.payload.id.read();
            if (!used_[id]) {
                violation(rule::unknown_id, "a response with id " + std::to_string(id) +
                                                "; legal: that of a request under way");
            }
            used_[id] = false;
        }

        const memory_pins& pins_;
        std::bitset<memory_ids> used_;
    };

    channel_checker<memory_request_pins> request_;
    channel_checker<memory_response_pins> response_;
    id_checker ids_;
};

}  // namespace heddle::pins
