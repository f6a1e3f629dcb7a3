// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/memory_instruction.h"
#include "hw/smx/lsu/memory_port.h"

namespace heddle {

/// The data side's way to memory: requests in the name of an instruction.
class data_requests {
public:
    /// `requester` gets the answers.
    data_requests(memory_port& port, memory_requester& requester)
        : port_(port), requester_(requester) {}

    /// How many more requests fit.
    [[nodiscard]] unsigned room() const noexcept { return port_.room(memory_port::queue::data); }
    /// A request of the instruction's threads whose home is `warp`, to be completed and sent. There
    /// must be room for it.
    [[nodiscard]] memory_request& make(const memory_instruction& m, warp_slot warp,
                                       protocol::memory_kind kind, std::uint32_t address,
                                       unsigned length);
    void send(memory_request& request) { port_.send(memory_port::queue::data, request); }

private:
    memory_port& port_;
    memory_requester& requester_;
};

}  // namespace heddle
