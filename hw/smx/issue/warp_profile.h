// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/execute/opcode_unit.h"
#include "hw/smx/fetch/warp_paths.h"
#include "hw/smx/issue/idle_cause.h"
#include "hw/smx/pipeline/code_profile.h"
#include "hw/smx/pipeline/issue_table.h"
#include "hw/smx/pipeline/scoreboard.h"
#include "hw/smx/pipeline/warp_waits.h"

namespace heddle {

/// Tells a code_profile which instruction the cycles of schedulers of warp slots belong to.
///
/// A cycle without issue belongs to the next instruction of the warp that keeps the scheduler. A
/// warp that waits in an instruction (barrier, fence, launch, transaction) has not come past it:
/// the cycle belongs to that one. With barrel issue this holds of every instruction.
class warp_profile {
public:
    /// What knows the warps; all of it outlives the object.
    struct parts {
        code_profile& profile;
        const warp_paths& paths;
        const issue_table& table;
        const warp_waits& waits;
        const scoreboard& results;
        bool barrel;
    };
    explicit warp_profile(const parts& of) : of_(of) {}

    /// A new program; code_profile has it already. No warp is resident.
    void use_program() noexcept { warps_.fill({}); }
    /// The warp has issued the instruction at `at`.
    void issued(unsigned warp, std::uint32_t at, const isa::instruction& i, isa::lane_mask lanes,
                const execution_outcome& outcome) noexcept;
    /// A warp has come back to the SMX, behind the instruction that it waits in if it waits.
    void came_back(unsigned warp) noexcept {
        const std::uint32_t next = of_.paths.position(warp);
        warps_[warp].last = next == 0 ? next : next - 1;
    }

    /// The cycles of scheduler `s` from `edge` on: the warp has issued.
    void charge_issue(unsigned s, unsigned warp, std::uint64_t edge) noexcept {
        of_.profile.charge_to(s, {cycle_cause::issued, warps_[warp].last}, edge);
    }
    /// The same where nothing issues.
    void charge_idle(unsigned s, const idle_cause& why, std::uint64_t edge) noexcept;

private:
    static constexpr unsigned registers = isa::sink_register + 1;
    struct history {
        std::uint32_t last = code_profile::nowhere;      ///< position of the last instruction
        std::array<std::uint32_t, registers> writers{};  ///< of each register
    };

    [[nodiscard]] bool waits_in_last(unsigned warp, cycle_cause cause) const noexcept;
    [[nodiscard]] std::uint32_t missing_result(unsigned warp, std::uint32_t at) const noexcept;

    const parts of_;
    std::array<history, protocol::maximum_warps> warps_{};
};

}  // namespace heddle
