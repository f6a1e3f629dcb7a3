// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

namespace heddle::smx_reference {

/// What an SMX does in a cycle, as others can see it.
struct event {
    enum class kind : std::uint8_t {
        issue,      ///< warp, number of the instruction, PC, lanes
        loaded,     ///< warp, number, lanes
        completed,  ///< warp, number
        drained,    ///< warp
        fenced,     ///< warp
        request,    ///< kind, address, length
        started,    ///< block slot
        done,       ///< block slot
    };
    kind what{};
    std::array<std::uint64_t, 4> values{};

    friend bool operator<(const event& a, const event& b) {
        return std::tie(a.what, a.values) < std::tie(b.what, b.values);
    }
    friend bool operator==(const event& a, const event& b) {
        return a.what == b.what && a.values == b.values;
    }
    [[nodiscard]] std::string text() const {
        static constexpr const char* names[] = {"issue",  "loaded",  "completed", "drained",
                                                "fenced", "request", "started",   "done"};
        std::string all = names[static_cast<std::size_t>(what)];
        for (const std::uint64_t value : values) all += " " + std::to_string(value);
        return all;
    }
};

}  // namespace heddle::smx_reference
