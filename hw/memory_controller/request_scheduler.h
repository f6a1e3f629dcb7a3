// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/base/slot_registry.h"
#include "hw/memory_controller/channel_timing.h"
#include "hw/memory_controller/memory_controller_configuration.h"
#include "hw/memory_controller/request_queue.h"

namespace heddle {

/// What a policy decides on.
struct scheduler_view {
    const request_queue& queue;
    const channel_timing& banks;
    std::uint64_t free_banks;  ///< a bit per bank that serves no request and has some waiting
    bool writing;              ///< writes are being drained; else it is the reads' turn
    std::uint64_t now;
};

/// The request scheduler of a channel (Fung 2008, section 5.1.3): gives waiting requests to banks
/// that serve none. The command unit then serves all banks in turn. A policy is a class in a file
/// of its own and a line in request_schedulers.h.
class request_scheduler {
public:
    virtual ~request_scheduler() = default;
    /// The next request to give to its bank, one of `view.free_banks`; none if there is none. The
    /// caller dispatches it, takes its bank out of free_banks, and asks again. May take banks out
    /// of free_banks that have nothing for now.
    [[nodiscard]] virtual request_queue::index pick(scheduler_view& view) = 0;
    /// Whether requests keep their order, so that reads and writes have no turns.
    [[nodiscard]] virtual bool in_order() const = 0;
};

/// The `tlm` implementation of the policy that the configuration asks for.
[[nodiscard]] std::unique_ptr<request_scheduler> make_request_scheduler(
    const memory_controller_configuration& configuration);

/// The slot of a channel's request scheduler (hw/base/slot.h), key `slot.dram_scheduler`.
struct request_scheduler_traits {
    static constexpr const char* name = "dram_scheduler";
    using interface = request_scheduler;
    using setting = memory_controller_configuration;
    [[nodiscard]] static slot_registry<request_scheduler_traits> implementations();
    /// Compares each pick.
    [[nodiscard]] static std::unique_ptr<request_scheduler> shadow(
        std::unique_ptr<request_scheduler> tlm, std::unique_ptr<request_scheduler> rtl,
        lock_step comparison);
};

}  // namespace heddle
