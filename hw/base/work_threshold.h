// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// Whether the work of an instant is worth several threads, by the weights of the parts that are
/// awake (crew::share()). Once it is, less work is enough: data then stay where they are.
class work_threshold {
public:
    /// From `begin` on an instant is shared, and below `end` no more.
    static constexpr std::uint32_t begin = 24, end = 16;

    [[nodiscard]] bool reached(std::uint32_t weight) noexcept {
        reached_ = weight >= (reached_ ? end : begin);
        return reached_;
    }

private:
    bool reached_ = false;
};

}  // namespace heddle
