// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/device/kernel_fault.h"
#include "models/iss/launch_calls.h"
#include "models/iss/memory_system.h"
#include "models/iss/warp.h"
#include "models/program/image.h"

namespace heddle::iss {

/// Runs one warp at a time: fetch, execute, reconverge. Control flow is that of the reconvergence
/// stack (simt/reconvergence_stack.h), arithmetic that of isa/execute.h.
///
/// A transaction takes no turns: its lanes run through it one after another, in ascending order,
/// before another warp runs (serial_transaction.h).
///
/// Illegal doings of the program throw kernel_fault with the exact place.
template <unsigned Lanes>
class interpreter {
public:
    /// Without `calls` launch instructions are refused. A transaction in which the lanes of a warp
    /// execute more than `transaction_limit` instructions ends as no progress.
    explicit interpreter(memory_system<Lanes>& memory, launch_calls* calls = nullptr,
                         std::uint64_t transaction_limit = 100'000'000) noexcept
        : memory_(&memory), calls_(calls), transaction_limit_(transaction_limit) {}

    /// Executes instructions of a ready warp until `budget` is spent, the warp waits at a barrier
    /// or for children, or it is done; returns the new state. `clock` is the device's time at the
    /// start.
    warp_state run(block<Lanes>& block, warp<Lanes>& warp, std::uint64_t budget,
                   std::uint64_t clock, execution_counts& counts);

private:
    /// What one turn of a warp works on.
    struct turn;

    /// `Doubles`: the kernel has functions of double precision by software.
    template <bool Doubles>
    void execute(turn& t, std::uint64_t& threads);
    /// Each of these carries out an instruction that moves the warp's stack, or ends the turn.
    void branch(turn& t, const isa::instruction& instruction);
    void jump(turn& t, const isa::instruction& instruction);
    void jump_register(turn& t, const isa::instruction& instruction);
    void control(turn& t, const isa::instruction& instruction);
    void access(turn& t, const isa::instruction& instruction);
    void access_csr(turn& t, const isa::instruction& instruction);
    void launch(turn& t, const isa::instruction& instruction);
    void transaction(turn& t, const isa::instruction& instruction);
    void check_transaction(const turn& t, const isa::instruction& instruction) const;
    void extend(turn& t) const;
    void await_children(turn& t);
    [[nodiscard]] static launcher launcher_of(const turn& t);
    void end_lanes(turn& t);
    void arrive(turn& t, const isa::instruction& instruction);
    void cooperate(turn& t, const isa::instruction& instruction);

    void follow(turn& t, const simt::transfer& to);
    void load_top(turn& t);
    void go_to(turn& t, std::uint32_t pc);
    [[noreturn]] void fault(const turn& t, unsigned lane, const std::string& what) const;
    [[noreturn]] void refuse(const turn& t, const isa::instruction& instruction,
                             unsigned lane) const;

    memory_system<Lanes>* memory_;
    launch_calls* calls_;
    std::uint64_t transaction_limit_;
};

/// Thread that runs in a lane of a warp, for messages.
template <unsigned Lanes>
device_location locate_lane(const block<Lanes>& block, const warp<Lanes>& warp, unsigned lane,
                            std::uint32_t pc);

#define HEDDLE_DECLARE(lanes) extern template class interpreter<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

}  // namespace heddle::iss
