// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "hw/cosim/pins/line_beat.h"
#include "hw/cosim/pins/pin_channel.h"

/// The pins of a memory: one channel of requests, one of responses. On both sides of a memory
/// controller: towards L2 and towards DRAM.
namespace heddle::pins {

/// Requests under way on one port: as many as `id` can name.
inline constexpr std::uint32_t memory_ids = 64;

struct memory_request_pins {
    explicit memory_request_pins(const std::string& channel)
        : id(channel, "id"),
          write(channel, "write"),
          address(channel, "address"),
          mask(channel, "mask"),
          data(channel, "data") {}
    auto all() { return std::tie(id, write, address, mask, data); }

    pin<6> id;                 ///< not that of another request under way
    pin<1> write;              ///< else a read
    pin<32> address;           ///< of the line: a multiple of line_bytes
    pin<line_bytes> mask;      ///< a bit for each byte that is read or written; byte 0 is bit 0
    pin<8 * line_bytes> data;  ///< of a write; byte 0 in the lowest bits
};

struct memory_response_pins {
    explicit memory_response_pins(const std::string& channel)
        : id(channel, "id"), error(channel, "error"), data(channel, "data") {}
    auto all() { return std::tie(id, error, data); }

    pin<6> id;                 ///< of the request; responses may come in any order
    pin<1> error;              ///< nothing was read or written
    pin<8 * line_bytes> data;  ///< of a read: the bytes of the mask; others may have any value
};

/// The constant ports of a memory controller.
struct memory_controller_constants {
    auto all() { return std::tie(fr_fcfs, queue_entries, pass_limit, cl, wl, rcd, rp, burst); }

    pin<1> fr_fcfs{"fr_fcfs"};              ///< dram.scheduler is fr_fcfs
    pin<5> queue_entries{"queue_entries"};  ///< requests that it holds, at most 16
    pin<16> pass_limit{"pass_limit"};       ///< requests that may pass the oldest one
    pin<8> cl{"cl"}, wl{"wl"}, rcd{"rcd"}, rp{"rp"}, burst{"burst"};  ///< clocks, as `dram.`
};

/// PREFIXrequest_valid, PREFIXresponse_id and so on. The memory performs requests to one line in
/// the order in which they come.
struct memory_pins {
    explicit memory_pins(const std::string& prefix = {})
        : request(prefix + "request"), response(prefix + "response") {}

    pin_channel<memory_request_pins> request;
    pin_channel<memory_response_pins> response;
};

}  // namespace heddle::pins
