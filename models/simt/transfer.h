// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "models/base/bits.h"
#include "models/device/execution_counts.h"
#include "models/isa/instruction.h"
#include "models/program/kernel.h"

/// What branches, jumps, calls and returns mean for the threads that execute them together.
namespace heddle::simt {

using isa::lane_mask;

/// Lanes that go to one PC.
struct lane_group {
    std::uint32_t pc;
    lane_mask lanes;
};

/// Threads that execute one control-flow instruction together.
struct control_site {
    const program::kernel_code& code;
    std::uint32_t pc;  ///< of the instruction
    lane_mask lanes;   ///< not empty
    execution_counts& counts;
};

/// Where the threads of a group go after a control-flow instruction.
struct transfer {
    enum class kind : std::uint8_t {
        together,  ///< all go to groups[0].pc
        part,      ///< each group goes to its PC; they meet again at reconvergence_pc
        call,      ///< each group calls the function at its PC and comes back to return_address
        ret,       ///< each group goes back to its PC, where its call was
        refused,   ///< the lanes of groups[0] would leave the code: bad_target_text(code, their PC)
    };
    kind what;
    std::uint32_t reconvergence_pc;  ///< part: as in kernel_code::reconvergence
    std::uint32_t return_address;    ///< call
    unsigned count;                  ///< groups, at least 1
    /// The first `count` are set; their PCs differ. Their lanes are those of the site, except of a
    /// refused transfer. The fall-through of a branch comes before the taken side; groups of an
    /// indirect jump come in the order of their lowest lanes.
    std::array<lane_group, 64> groups;

    /// One group.
    void set(kind k, std::uint32_t pc, lane_mask lanes) noexcept {
        what = k;
        count = 1;
        groups[0] = {pc, lanes};
    }
};

/// A conditional branch that the lanes of `taken`, a part of the site's, take. Counts it, and
/// whether the lanes part.
[[nodiscard]] inline transfer branch(const control_site& at, const isa::instruction& i,
                                     lane_mask taken) noexcept {
    transfer to;
    ++at.counts.branches;
    const std::uint32_t target = at.pc + static_cast<std::uint32_t>(i.imm);
    if (taken == 0) {
        to.set(transfer::kind::together, at.pc + 4, at.lanes);
    } else if (!at.code.contains(target)) {
        to.set(transfer::kind::refused, target, taken);
    } else if (taken == at.lanes) {
        to.set(transfer::kind::together, target, taken);
    } else {
        ++at.counts.divergent_branches;
        to.what = transfer::kind::part;
        to.reconvergence_pc = at.code.reconvergence[at.code.index(at.pc)];
        to.count = 2;
        to.groups[0] = {at.pc + 4, at.lanes & ~taken};
        to.groups[1] = {target, taken};
    }
    return to;
}

/// A jal: a jump or a call. It is not counted.
[[nodiscard]] inline transfer jump(const control_site& at, const isa::instruction& i) noexcept {
    using kind = transfer::kind;
    transfer to;
    const std::uint32_t target = at.pc + static_cast<std::uint32_t>(i.imm);
    const kind goes = i.is_call() ? kind::call : kind::together;
    to.set(at.code.contains(target) ? goes : kind::refused, target, at.lanes);
    to.return_address = at.pc + 4;
    return to;
}

/// A jalr to targets[lane]: a return, a call, or a jump without a link. Counts it as a branch, and
/// whether the lanes part. Refused for the lowest lane whose target is no instruction.
[[nodiscard]] transfer jump_register(const control_site& at, const isa::instruction& i,
                                     const std::uint32_t* targets) noexcept;

}  // namespace heddle::simt
