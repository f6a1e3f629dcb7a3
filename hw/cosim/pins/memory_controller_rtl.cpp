// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <Vmemory_controller.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "hw/cosim/pins/block_rtl.h"
#include "models/base/error.h"

namespace heddle::pins {
namespace {

constexpr std::uint32_t most_entries = 16;

/// The RTL, with its constant ports.
class memory_controller_rtl final : public sc_core::sc_module {
public:
    memory_controller_rtl(const sc_core::sc_module_name& name, pin_clock& clock,
                          memory_pins& requests, memory_pins& memory,
                          const memory_controller_configuration& configuration)
        : sc_module(name), rtl_("rtl") {
        rtl_.clk(clock.clk);
        rtl_.rst_n(clock.rst_n);
        set_constants(configuration);
        requests.request.bind(rtl_.request_valid, rtl_.request_ready, rtl_.request_id,
                              rtl_.request_write, rtl_.request_address, rtl_.request_mask,
                              rtl_.request_data);
        requests.response.bind(rtl_.response_valid, rtl_.response_ready, rtl_.response_id,
                               rtl_.response_error, rtl_.response_data);
        memory.request.bind(rtl_.memory_request_valid, rtl_.memory_request_ready,
                            rtl_.memory_request_id, rtl_.memory_request_write,
                            rtl_.memory_request_address, rtl_.memory_request_mask,
                            rtl_.memory_request_data);
        memory.response.bind(rtl_.memory_response_valid, rtl_.memory_response_ready,
                             rtl_.memory_response_id, rtl_.memory_response_error,
                             rtl_.memory_response_data);
    }

private:
    void set_constants(const memory_controller_configuration& c) {
        constant(rtl_.fr_fcfs, constants_.fr_fcfs, c.scheduler == dram_scheduler{});
        constant(rtl_.queue_entries, constants_.queue_entries, std::min(c.queue, most_entries));
        constant(rtl_.pass_limit, constants_.pass_limit,
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(c.age_limit, 0xffff)));
        constant(rtl_.cl, constants_.cl, cycles("cl", c.timing.cl));
        constant(rtl_.wl, constants_.wl, cycles("wl", c.timing.wl));
        constant(rtl_.rcd, constants_.rcd, cycles("rcd", c.timing.rcd));
        constant(rtl_.rp, constants_.rp, cycles("rp", c.timing.rp));
        constant(rtl_.burst, constants_.burst, std::max(1U, cycles("burst", c.timing.burst)));
    }
    static std::uint32_t cycles(const char* key, std::uint64_t value) {
        if (value <= 0xff) return static_cast<std::uint32_t>(value);
        throw configuration_error(std::string("slot.memory_controller = rtl: dram.") + key + " = " +
                                  std::to_string(value) + "; the RTL takes up to 255");
    }
    template <class Port, unsigned Width>
    static void constant(Port& port, pin<Width>& pin, pin_value<Width> value) {
        pin.write(value);
        port(pin);
    }
    memory_controller_constants constants_;
    Vmemory_controller rtl_;
};

}  // namespace

bool has_block_rtl() {
    return true;
}

std::unique_ptr<sc_core::sc_module> make_memory_controller_rtl(
    const char* name, pin_clock& clock, memory_pins& requests, memory_pins& memory,
    const memory_controller_configuration& configuration) {
    return std::make_unique<memory_controller_rtl>(name, clock, requests, memory, configuration);
}

}  // namespace heddle::pins
