// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/queue/memory_instruction.h"
#include "hw/smx/lsu/queue/reservation_wait.h"
#include "hw/smx/memory_port/memory_port.h"

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

/// The data side's way to memory: requests in the name of a block. Whoever sends one gets the
/// answer.
class data_requests {
public:
    /// `wait`: of the load-store unit's oldest instruction.
    data_requests(memory_port& port, reservation_wait& wait) : port_(port), wait_(wait) {}

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
    /// A line has come: an access that was refused may be possible now. No other answer makes
    /// one possible.
    void filled() noexcept { wait_.note_change(); }

private:
    memory_port& port_;
    reservation_wait& wait_;
};

}  // namespace heddle
