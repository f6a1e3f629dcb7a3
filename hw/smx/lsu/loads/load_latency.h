// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "hw/protocol/memory_access.h"
#include "models/base/histogram.h"
#include "models/base/statistics.h"

namespace heddle {

/// Stages on the way of a load; crossbar and L2 are passed there and back.
enum class load_stage : std::uint8_t { l1, crossbar, l2, queue, dram };
inline constexpr std::size_t load_stage_count = 5;

/// Of an SMX, scope "smx.N.load_latency", and of all, "load_latency". A sample is the lanes of a
/// load of global memory that fall into one line.
inline constexpr statistic_declaration load_latency_statistics[] = {
    {"total", "cycle",
     "Core cycles of a load of global memory from the load-store unit's queue to the value"},
    {"l1", "cycle",
     "Core cycles of a load of global memory until it has hit in L1D or its request is on the link "
     "to the crossbar, and from the answer's arrival at the SMX to the value"},
    {"crossbar", "cycle",
     "Core cycles of a load of global memory from the link to the L2 bank and back to the SMX"},
    {"l2", "cycle",
     "Core cycles of a load of global memory at the L2 bank, without the time that the bank waits "
     "for memory"},
    {"queue", "cycle",
     "Core cycles of a load of global memory from the fetch of its line until a DRAM bank takes "
     "the last column access of the fetch"},
    {"dram", "cycle",
     "Core cycles of a load of global memory from when a DRAM bank takes the last column access of "
     "its fetch until L2 sees the data"},
};

/// Of an SMX, scope "smx.N.constant_latency", and of all, "constant_latency". A sample is the lanes
/// of a load of constants that want one word.
inline constexpr statistic_declaration constant_latency_statistics[] = {
    {"total", "cycle",
     "Core cycles of a load of constants from its issue to the value of a word: hits, misses, and "
     "the turns of lanes that want different words"},
};

/// Core cycles that a load has spent in each stage.
struct load_times {
    std::array<std::uint64_t, load_stage_count> in{};
    bool fetched = false;  ///< it has been to queue and DRAM

    std::uint64_t& operator[](load_stage stage) noexcept {
        return in[static_cast<std::size_t>(stage)];
    }
    [[nodiscard]] std::uint64_t total() const noexcept;
};

/// Splits the time of a load that entered the queue at edge `queued`, was past L1D at `past_l1`
/// (its request on the link, and it joined to that), and has its value at `now`. `at`: the request
/// at the L2 bank. What the request had behind it when the load joined is not the load's. The parts
/// sum to now - queued.
[[nodiscard]] load_times split_load(std::uint64_t queued, std::uint64_t past_l1, std::uint64_t now,
                                    const protocol::access_times& at,
                                    double edges_per_picosecond) noexcept;

/// Where loads spend their time, as distributions. A stage has samples of the loads that came to
/// it; the sums of the stages add up to the sum of the whole.
class load_latency {
public:
    /// A load that hit in L1D.
    void add_hit(std::uint64_t cycles) noexcept {
        total_.add(cycles);
        stages_[static_cast<std::size_t>(load_stage::l1)].add(cycles);
    }
    /// A load that waited for an answer from beyond the link.
    void add(const load_times& times) noexcept;
    void merge(const load_latency& other);

    [[nodiscard]] const histogram& total() const noexcept { return total_; }
    [[nodiscard]] const histogram& in(load_stage stage) const noexcept {
        return stages_[static_cast<std::size_t>(stage)];
    }
    /// Declares load_latency_statistics under `scope` and sets them.
    void collect(statistics& into, const std::string& scope) const;

private:
    histogram total_ = histogram::powers_of_two();
    std::array<histogram, load_stage_count> stages_{
        histogram::powers_of_two(), histogram::powers_of_two(), histogram::powers_of_two(),
        histogram::powers_of_two(), histogram::powers_of_two()};
};

}  // namespace heddle
