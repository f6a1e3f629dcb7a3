// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <vector>

#include "hw/smx/execute/execution_observer.h"
#include "hw/smx/lsu/queue/memory_instruction.h"

namespace heddle {

/// Stands between an SMX and the check and may change what is told.
class saboteur final : public execution_observer {
public:
    explicit saboteur(execution_observer& to) : to_(to) {}

    std::function<void(issued_instruction&)> change_issue = [](auto&) {};
    std::function<void(issued_instruction&, memory_instruction&)> change_access = [](auto&, auto&) {
    };
    /// Values of some lanes of a load or atomic.
    struct lane_values {
        unsigned warp;
        issue_number number;  ///< of the instruction
        isa::lane_mask lanes;
        std::vector<std::uint32_t> values;
    };
    std::function<void(lane_values&)> change_loaded = [](auto&) {};
    std::function<bool(std::vector<std::uint32_t>&)> change_values = [](auto&) { return true; };
    std::function<bool()> tells_completion = [] { return true; };
    std::function<unsigned()> ends_of_block = [] { return 1; };

    void block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override {
        to_.block_started(edge, dispatch, warp_slots);
    }
    void block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override {
        for (unsigned left = ends_of_block(); left != 0; --left) to_.block_ended(edge, dispatch);
    }
    void executed(const issued_instruction& issued, const register_file& registers) override {
        issued_instruction changed = issued;
        change_issue(changed);
        to_.executed(changed, registers);
    }
    void accessed(const issued_instruction& issued, const memory_instruction& access) override {
        issued_instruction changed = issued;
        memory_instruction changed_access = access;
        change_access(changed, changed_access);
        to_.accessed(changed, changed_access);
    }
    void loaded(std::uint64_t edge, unsigned warp, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override {
        lane_values changed{warp, number, lanes, {values, values + protocol::maximum_lanes}};
        change_loaded(changed);
        if (!change_values(changed.values)) return;
        to_.loaded(edge, warp, number, lanes, changed.values.data());
    }
    void returned(std::uint64_t edge, unsigned warp, issue_number number,
                  isa::lane_mask lanes) override {
        to_.returned(edge, warp, number, lanes);
    }
    void completed(std::uint64_t edge, unsigned warp, issue_number number,
                   const register_file& registers) override {
        if (tells_completion()) to_.completed(edge, warp, number, registers);
    }
    void writes_drained(std::uint64_t edge, unsigned warp) override {
        to_.writes_drained(edge, warp);
    }
    void fenced(std::uint64_t edge, unsigned warp) override { to_.fenced(edge, warp); }

private:
    execution_observer& to_;
};

}  // namespace heddle
