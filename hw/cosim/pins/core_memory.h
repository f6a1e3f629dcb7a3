// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "hw/base/ring.h"
#include "hw/cosim/pins/core_pins.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/smx/memory_port/memory_port.h"
#include "models/device/allocation_table.h"

namespace heddle::pins {

/// Memory that the requests of an SMX may touch.
struct core_limits {
    const allocation_table& ranges;  ///< what kernels may touch
    std::uint32_t private_from;      ///< private memory: from here to the end of the address space
};

/// What the pins of an SMX ask memory for, as transactions of memory_link, and the answers. Part of
/// core_to_pins.
///
/// A request is refused (`error`) before it reaches memory if a byte or word of it lies where
/// kernels may not access: an SMX behind pins has no table of allocations. A read of whole aligned
/// pieces of 32 bytes may be that of a cache: it is refused if nothing of it is legal. A request
/// that wants nothing is answered at once.
class core_memory final : private memory_requester {
public:
    core_memory(clocked& owner, sm_id id,
                protocol::initiator_socket_base<protocol::memory_link>& socket,
                const core_limits& limits);
    core_memory(const core_memory&) = delete;
    core_memory& operator=(const core_memory&) = delete;

    [[nodiscard]] memory_port& port() noexcept { return port_; }
    /// `of`: a block of the launch that asks; null: a line that an L1 writes back.
    void request(const core_request_pins& pins, const protocol::block_dispatch* of);
    /// Nothing is asked of memory.
    void refuse(std::uint32_t id);
    /// A line of instructions; its bytes are not looked at.
    void fetch(std::uint32_t address, const protocol::block_dispatch& of);

    /// The line of fetch() has come. True once.
    [[nodiscard]] bool take_line() noexcept { return std::exchange(line_came_, false); }
    /// Writes the next response to the pins, if there is one.
    [[nodiscard]] bool drive(core_response_pins& pins);
    [[nodiscard]] std::uint32_t under_way() const noexcept { return under_way_; }
    [[nodiscard]] std::uint64_t fetched_lines() const noexcept { return fetched_; }

private:
    static constexpr std::uint32_t code = ~std::uint32_t{0};
    struct answer {
        std::uint32_t id = 0;
        bool error = false;
        bool has_data = false;
        std::array<std::uint32_t, core_lanes> data{};
    };
    using name = protocol::request_names<std::uint32_t>;

    void responded(memory_request& request) override;
    void access_line(const core_request_pins& pins, const protocol::block_dispatch* of);
    void access_atomics(const core_request_pins& pins, const protocol::block_dispatch* of);
    memory_request& make(protocol::memory_kind kind, std::uint32_t address, std::uint32_t bytes,
                         std::uint32_t name, const protocol::block_dispatch* of);
    [[nodiscard]] bool may_access(std::uint32_t line, const line_beat::mask_bits& mask,
                                  bool write) const;
    [[nodiscard]] bool may(std::uint32_t address, std::uint32_t bytes, bool write) const;
    void answer_nothing(std::uint32_t id, bool error);

    memory_port port_;
    const core_limits limits_;
    ring<answer> answers_;         ///< wait for the pins
    std::uint32_t under_way_ = 0;  ///< from the pins to the pins
    std::uint64_t fetched_ = 0;
    bool line_came_ = false;
    line_beat beat_;
};

}  // namespace heddle::pins
