// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "models/base/flat_memory.h"
#include "models/base/random.h"

namespace heddle::rtl_smx {

/// Lanes of the SMX that is tested.
inline constexpr unsigned lanes = 32;
using row = std::array<std::uint32_t, lanes>;

/// A request on the pins for lines of data.
struct line_request {
    enum class kind : std::uint8_t { read, write, modify };
    unsigned id = 0;
    kind what = kind::read;
    std::uint32_t address = 0;
    std::array<std::uint32_t, 4> mask{};  ///< bytes
    row data{};                           ///< of the line; of an atomic: operands by lane
    unsigned operation = 0;               ///< as in smx_types.sv
    unsigned warp = 0;                    ///< slot
    std::uint32_t active = 0;
    row words{};  ///< of an atomic, by lane: which word of the line
    row compare{};
};

struct line_response {
    unsigned id = 0;
    bool error = false;
    row data{};
};

/// How often channels stall, in percent of the clocks.
struct stall_rates {
    unsigned dispatch = 0, done = 0, fetch = 0, line = 0, request = 0, response = 0;
};

/// Memory behind the pins: requests to different lines overtake each other at random, those to one
/// line don't.
class line_memory {
public:
    /// `legal` says whether a place may be accessed.
    using access_rule = std::function<bool(std::uint32_t address, unsigned bytes, bool write)>;

    line_memory(flat_memory& memory, access_rule legal, std::uint64_t seed)
        : memory_(memory), legal_(std::move(legal)), random_(seed, "line memory") {}

    void accept(const line_request& request) { waiting_.push_back(request); }
    /// One of the requests is performed; none if there is none.
    std::optional<line_response> perform();

private:
    line_response answer(const line_request& request);
    void modify(const line_request& request, line_response& answer);
    [[nodiscard]] bool may(const line_request& request, unsigned byte, unsigned bytes, bool write);
    void wrote(std::uint32_t word);

    flat_memory& memory_;
    access_rule legal_;
    random_stream random_;
    std::deque<line_request> waiting_;
    std::map<unsigned, std::uint32_t> reserved_;  ///< words, by thread
};

}  // namespace heddle::rtl_smx
