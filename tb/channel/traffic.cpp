// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/channel/traffic.h"

#include <algorithm>

namespace heddle::channel {

traffic::traffic(const traffic_options& options, const address_decoder& decoder, std::uint32_t atom,
                 random_stream random)
    : options_(options), decoder_(decoder), atom_(atom), bytes_(decoder.bytes()), random_(random) {
    const std::vector<std::uint32_t>& banks = options.start_banks;
    const std::uint64_t rows = bytes_ / decoder.chips() / decoder.banks() / decoder.row_bytes();
    for (unsigned i = 0; i < options.streams; ++i) {
        streams_.push_back(banks.empty()
                               ? draw()
                               : decoder.encode({0, banks[i % banks.size()] % decoder.banks(), 0,
                                                 i * rows / options.streams}));
    }
}

std::uint64_t traffic::draw() {
    return random_.below(bytes_ / atom_) * atom_;
}

channel_access traffic::next() {
    const bool write = options_.writes > 0 && random_.chance(options_.writes);
    const std::uint64_t at = position_++;
    switch (options_.kind) {
        case traffic_kind::one_row: {
            const std::uint64_t columns = decoder_.row_bytes() / atom_;
            return {decoder_.encode({0, 0, static_cast<std::uint32_t>(at % columns * atom_), 5}),
                    write};
        }
        case traffic_kind::sequential:
            return {at * atom_ % bytes_, write};
        case traffic_kind::random:
            return {draw(), write};
        case traffic_kind::streams:
            break;
    }
    std::uint64_t& stream =
        streams_[options_.in_turn ? at % streams_.size() : random_.below(streams_.size())];
    const std::uint64_t address = stream;
    stream = (stream + atom_) % bytes_;
    return {address, write};
}

}  // namespace heddle::channel
