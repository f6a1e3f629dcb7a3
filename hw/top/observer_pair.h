// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/execution_observer.h"

namespace heddle {

/// Two observers of one SMX, told in this order.
class observer_pair final : public execution_observer {
public:
    observer_pair(execution_observer& first, execution_observer& second)
        : first_(first), second_(second) {}

    void block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override {
        first_.block_started(edge, dispatch, warp_slots);
        second_.block_started(edge, dispatch, warp_slots);
    }
    void block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override {
        first_.block_ended(edge, dispatch);
        second_.block_ended(edge, dispatch);
    }
    void block_suspended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override {
        first_.block_suspended(edge, dispatch);
        second_.block_suspended(edge, dispatch);
    }
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots, const std::vector<isa::lane_mask>& live) override {
        first_.block_resumed(edge, dispatch, warp_slots, live);
        second_.block_resumed(edge, dispatch, warp_slots, live);
    }
    void cooperated(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                    std::uint32_t groups, bool ends) override {
        first_.cooperated(edge, dispatch, groups, ends);
        second_.cooperated(edge, dispatch, groups, ends);
    }
    void executed(const issued_instruction& issued, const register_file& registers) override {
        first_.executed(issued, registers);
        second_.executed(issued, registers);
    }
    void accessed(const issued_instruction& issued, const memory_instruction& access) override {
        first_.accessed(issued, access);
        second_.accessed(issued, access);
    }
    void loaded(std::uint64_t edge, unsigned warp, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override {
        first_.loaded(edge, warp, number, lanes, values);
        second_.loaded(edge, warp, number, lanes, values);
    }
    void completed(std::uint64_t edge, unsigned warp, issue_number number,
                   const register_file& registers) override {
        first_.completed(edge, warp, number, registers);
        second_.completed(edge, warp, number, registers);
    }
    void returned(std::uint64_t edge, unsigned warp, issue_number number,
                  isa::lane_mask lanes) override {
        first_.returned(edge, warp, number, lanes);
        second_.returned(edge, warp, number, lanes);
    }
    void writes_drained(std::uint64_t edge, unsigned warp) override {
        first_.writes_drained(edge, warp);
        second_.writes_drained(edge, warp);
    }
    void fenced(std::uint64_t edge, unsigned warp) override {
        first_.fenced(edge, warp);
        second_.fenced(edge, warp);
    }
    void transaction(std::uint64_t edge, unsigned warp, transaction_event what,
                     isa::lane_mask lanes, const register_file& registers) override {
        first_.transaction(edge, warp, what, lanes, registers);
        second_.transaction(edge, warp, what, lanes, registers);
    }

private:
    execution_observer& first_;
    execution_observer& second_;
};

}  // namespace heddle
