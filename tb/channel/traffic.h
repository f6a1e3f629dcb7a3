// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/memory_controller/address_decoder.h"
#include "models/base/random.h"

namespace heddle::channel {

enum class traffic_kind { one_row, sequential, random, streams };

struct traffic_options {
    traffic_kind kind = traffic_kind::random;
    unsigned streams = 4;  ///< of `streams`
    bool in_turn = false;  ///< streams take turns, else the next one is drawn
    double writes = 0;     ///< share of writes
    /// Banks in which the streams start, at the beginning of a row each; stream i in the one at
    /// i modulo their number. Empty: anywhere.
    std::vector<std::uint32_t> start_banks{};
};

struct channel_access {
    std::uint64_t address;
    bool write;
};

/// Addresses of column accesses, one atom each, for a channel.
///
/// one_row: the columns of one row, over and over. sequential: ascending addresses. random: uniform
/// over the memory. streams: each ascends from a start of its own, drawn uniformly or in the given
/// bank.
class traffic {
public:
    traffic(const traffic_options& options, const address_decoder& decoder, std::uint32_t atom,
            random_stream random);

    [[nodiscard]] channel_access next();

private:
    [[nodiscard]] std::uint64_t draw();

    traffic_options options_;
    const address_decoder& decoder_;
    std::uint64_t atom_;
    std::uint64_t bytes_;
    random_stream random_;
    std::uint64_t position_ = 0;
    std::vector<std::uint64_t> streams_;
};

}  // namespace heddle::channel
