// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/memory_controller/address_decoder.h"
#include "hw/protocol/dram_timing.h"
#include "models/base/parameter.h"

namespace heddle {

/// A place in the list of request schedulers (request_schedulers.h). The first one is the default.
enum class dram_scheduler : std::uint8_t {};

/// A memory controller and the DRAM channel behind it, keys `dram.`; the defaults are gk110's.
/// The masks apply to the address inside the channel: what is left of an address when the
/// interleaving of the channels has been taken out.
struct memory_controller_configuration {
    dram_scheduler scheduler{};
    std::uint32_t queue = 32;
    std::uint32_t write_high_watermark = 16;
    std::uint32_t write_low_watermark = 8;
    std::uint64_t age_limit = 10'000;
    std::uint32_t response_queue = 64;
    std::uint32_t front_latency = 0;
    std::uint32_t back_latency = 0;
    std::uint32_t access_granularity = 64;
    std::uint32_t bank_groups = 4;
    std::uint64_t row_mask = 0x3fff'0000;
    std::uint64_t bank_mask = 0xe100;
    std::uint64_t column_mask = 0x1eff;
    protocol::dram_timing timing;

    void declare(parameter_list& p);
    [[nodiscard]] address_masks masks() const noexcept {
        return {0, row_mask, bank_mask, column_mask};
    }
    [[nodiscard]] std::uint32_t banks() const noexcept {
        return std::uint32_t{1} << __builtin_popcountll(bank_mask);
    }
    /// Bytes of one channel.
    [[nodiscard]] std::uint64_t bytes() const noexcept {
        return (row_mask | bank_mask | column_mask) + 1;
    }
};

}  // namespace heddle
