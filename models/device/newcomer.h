// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle {

/// Where the threads of a forked block start, and with what in a1 to a7: the registers of the
/// forking block's thread 0. a0 and sp are those of any new thread.
struct newcomer {
    static constexpr unsigned first_register = 11;  ///< a1
    static constexpr unsigned words = 7;

    std::uint32_t pc = 0;
    std::array<std::uint32_t, words> state{};

    /// `rows[r][0]` is register r of thread 0.
    template <class Rows>
    [[nodiscard]] static newcomer from(std::uint32_t pc, const Rows& rows) {
        newcomer n;
        n.pc = pc;
        for (unsigned i = 0; i < words; ++i) n.state[i] = rows[first_register + i][0];
        return n;
    }
    /// Sets them in `lanes` lanes.
    template <class Rows>
    void apply(Rows& rows, unsigned lanes) const {
        for (unsigned i = 0; i < words; ++i) {
            std::fill_n(rows[first_register + i], lanes, state[i]);
        }
    }
};

}  // namespace heddle
