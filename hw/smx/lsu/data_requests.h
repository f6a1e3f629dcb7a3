// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/memory_instruction.h"
#include "hw/smx/lsu/memory_port.h"

namespace heddle {

/// In whose name memory is accessed.
struct memory_source {
    launch_id launch;
    block_slot slot;
    std::uint32_t block = 0;  ///< linear, in the grid
};

[[nodiscard]] inline memory_source source_of(const memory_instruction& m) noexcept {
    return {m.launch, m.block, m.block_index};
}

/// The data side's way to memory: requests in the name of a block.
class data_requests {
public:
    /// `requester` gets the answers.
    data_requests(memory_port& port, memory_requester& requester)
        : port_(port), requester_(requester) {}

    /// How many more requests fit.
    [[nodiscard]] unsigned room() const noexcept { return port_.room(memory_port::queue::data); }
    /// A request for threads whose home is `warp`, to be completed and sent. There must be room for
    /// it.
    [[nodiscard]] memory_request& make(const memory_source& source, warp_slot warp,
                                       protocol::memory_kind kind, std::uint32_t address,
                                       unsigned length);
    /// The same for an instruction.
    [[nodiscard]] memory_request& make(const memory_instruction& m, warp_slot warp,
                                       protocol::memory_kind kind, std::uint32_t address,
                                       unsigned length) {
        return make(source_of(m), warp, kind, address, length);
    }
    void send(memory_request& request) { port_.send(memory_port::queue::data, request); }

private:
    memory_port& port_;
    memory_requester& requester_;
};

}  // namespace heddle
