// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "models/base/bits.h"
#include "models/isa/instruction.h"

namespace heddle::iss {

/// The writes to shared memory, atomics among them, of one instruction whose threads are of several
/// warps. They are collected warp by warp and take effect together, in the order of the lanes of
/// the pipeline.
template <class Warp, unsigned Lanes>
class gathered_writes {
public:
    /// These lanes of a warp write; `places`: the lane of the pipeline of each.
    void add(Warp& warp, isa::lane_mask lanes, const std::array<std::uint8_t, Lanes>& places) {
        bits::for_each(lanes, [&](unsigned lane) {
            writers_[places[lane]] = {&warp, lane};
            taken_ |= bits::one(places[lane]);
        });
    }
    /// Calls make(warp, lanes), with one lane, for each of them; then there are none.
    template <class Make>
    void take_effect(Make&& make) {
        bits::for_each(taken_, [&](unsigned place) {
            make(*writers_[place].warp, bits::one(writers_[place].lane));
        });
        taken_ = 0;
    }
    /// The instruction is not executed.
    void drop() noexcept { taken_ = 0; }

private:
    struct writer {
        Warp* warp = nullptr;
        unsigned lane = 0;
    };
    std::array<writer, Lanes> writers_{};  ///< by lane of the pipeline
    isa::lane_mask taken_ = 0;             ///< lanes of the pipeline that write
};

}  // namespace heddle::iss
