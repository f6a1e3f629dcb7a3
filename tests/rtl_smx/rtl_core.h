// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "include/heddle/retire.h"
#include "tests/rtl_smx/line_memory.h"

namespace heddle::rtl_smx {

/// A block as it is dispatched.
struct block_offer {
    std::uint32_t launch = 0, grid_id = 0, block = 0, entry = 0, parameters = 0;
    std::uint32_t index[3]{}, size[3]{}, grid[3]{}, offset[3]{};
    std::uint32_t dimensions = 1, shared_bytes = 0, dynamic_bytes = 0, region = 0;
};

/// A line of eight instructions, with the PCs where their branches reconverge.
struct code_line {
    bool error = false;
    std::array<std::uint32_t, 8> words{}, joins{};
};

/// What the retire port has had in a clock.
struct retire_record {
    enum class kind : std::uint8_t {
        step = HEDDLE_STEP,
        data = HEDDLE_DATA,
        drained = HEDDLE_DRAINED,
        block_begin = HEDDLE_BLOCK_BEGIN,
        block_end = HEDDLE_BLOCK_END,
        barrier_release = HEDDLE_BARRIER_RELEASE
    };
    kind what = kind::step;
    std::uint64_t time = 0, launch = 0, n = 0;
    std::uint32_t core = 0, slot = 0, block = 0, warp = 0;
    std::uint32_t pc = 0, word = 0, active = 0, live = 0, next_lanes = 0, next_pc = 0;
    std::uint32_t rd = 0, known = 0, fault = 0;
    row value{}, address{}, data{}, compare{};
};

/// The pins of the RTL SMX. In a clock the inputs are set, settle() makes the outputs, and edge()
/// is the rising edge.
class rtl_core {
public:
    /// `fault`: which of the faults of the build is in the RTL; 0: none.
    explicit rtl_core(unsigned smx, unsigned fault);
    ~rtl_core();

    void offer(const block_offer* block);  ///< null: none
    void accept_done(bool ready);
    void accept_fetch(bool ready);
    void give_line(const code_line* line);
    void accept_request(bool ready);
    void give_response(const line_response* response);

    void settle();
    [[nodiscard]] bool took_block() const;
    /// Launch and block.
    [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>> ended_block() const;
    [[nodiscard]] std::optional<std::uint32_t> fetched() const;
    [[nodiscard]] bool took_line() const;
    [[nodiscard]] std::optional<line_request> requested() const;
    [[nodiscard]] bool took_response() const;
    [[nodiscard]] bool retires() const;
    [[nodiscard]] retire_record retired() const;

    void edge();

    /// A rule of the pins that an output has broken (docs/pins.md); empty if none.
    [[nodiscard]] const std::string& broken_rule() const noexcept { return broken_; }

private:
    void check_rules();

    struct model;
    std::unique_ptr<model> model_;
    std::string broken_;
};

}  // namespace heddle::rtl_smx
