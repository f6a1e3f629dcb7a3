// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "hw/cosim/pins/core_pins.h"
#include "hw/cosim/pins/memory_checker.h"
#include "hw/cosim/pins/pin_checker.h"

namespace heddle::pins {

namespace rule {
/// a block is dispatched that is there already, or that the SMX can't hold
inline constexpr const char* dispatch_fits = "heddle/pins/dispatch_fits";
/// a block ends that is not there, or before its launch's last request has been answered
inline constexpr const char* done_of_block = "heddle/pins/done_of_block";
/// a line is asked for that is no line, by a launch without a block, or before the last one came
inline constexpr const char* fetch_of_line = "heddle/pins/fetch_of_line";
/// a line of instructions comes that nobody has asked for
inline constexpr const char* line_without_fetch = "heddle/pins/line_without_fetch";
/// a request of no kind, for nothing, of no atomic, or by a launch without a block
inline constexpr const char* request_form = "heddle/pins/request_form";
}  // namespace rule

/// The rules of an SMX's pins: those of its channels, id_in_use, unknown_id, line_address, and
/// those above.
class core_checker final {
public:
    /// What a block may take.
    struct limits {
        std::uint32_t warps;
        std::uint32_t shared_bytes;
    };
    /// `name`: the hierarchical name of the SMX.
    core_checker(const std::string& name, pin_clock& clock, core_pins& pins,
                 std::uint64_t longest_wait, const limits& most);

private:
    class rules final : public pin_checker {
    public:
        rules(const std::string& name, pin_clock& clock, const core_pins& pins, const limits& most)
            : pin_checker(name, clock, 0), pins_(pins), most_(most) {}

        void clock_edge() override;

    private:
        using block = std::pair<std::uint32_t, std::uint32_t>;  ///< launch, index

        void take_block(const block_pins& pins);
        void take_end(const block_end_pins& pins);
        void take_fetch(const fetch_pins& pins);
        void take_request(const core_request_pins& pins);
        void take_response(const core_response_pins& pins);
        [[nodiscard]] bool is_here(std::uint32_t launch) const;

        const core_pins& pins_;
        const limits most_;
        std::set<block> blocks_;
        std::bitset<core_request_ids> used_;
        std::array<std::uint32_t, core_request_ids> launches_{};  ///< of the requests under way
        bool fetching_ = false;
    };

    channel_checker<block_pins> dispatch_;
    channel_checker<block_end_pins> done_;
    channel_checker<fetch_pins> fetch_;
    channel_checker<code_line_pins> line_;
    channel_checker<core_request_pins> request_;
    channel_checker<core_response_pins> response_;
    rules rules_;
};

}  // namespace heddle::pins
