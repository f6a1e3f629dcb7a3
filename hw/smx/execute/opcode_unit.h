// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <utility>

#include "hw/smx/pipeline/issue_number.h"
#include "hw/smx/pipeline/thread_group.h"
#include "hw/smx/pipeline/warp_waits.h"
#include "models/isa/instruction.h"
#include "models/simt/transfer.h"

namespace heddle {

/// An instruction that a group of threads issues.
struct issued_group {
    const thread_group& threads;
    const isa::instruction& instruction;
    std::uint64_t edge;   ///< core cycle
    issue_number number;  ///< of the home warp's instructions
};

/// Where the threads of a group go after an instruction.
struct execution_outcome {
    enum class kind : std::uint8_t {
        straight_on,
        goes_to,             ///< to `where`
        waits_at_barrier,    ///< then straight on
        waits_for_accesses,  ///< of its owner, then straight on
        waits_for_unit,      ///< until the unit says that it is done, then straight on
        waits_in_place,      ///< until its unit says where its threads go
        ends,
        refused,  ///< a fault has been reported
    };
    explicit execution_outcome(kind k) noexcept : what(k) {}
    /// waits_for_unit, waits_in_place.
    execution_outcome(kind k, wait_reason why) noexcept : what(k), reason(why) {}
    /// goes_to, with the result of find(), which is built in place.
    template <class Find, class = decltype(std::declval<Find>()())>
    explicit execution_outcome(const Find& find) : what(kind::goes_to), where(find()) {}

    /// The threads go different ways.
    [[nodiscard]] bool parts_lanes() const noexcept {
        return what == kind::goes_to && where.count > 1;
    }

    kind what;
    wait_reason reason{};             ///< of waits_for_unit and waits_in_place
    std::uint32_t first_address = 0;  ///< load, store, atomic: of the lowest lane
    simt::transfer where;             // NOLINT: set for goes_to only, as it is large
};

/// Executes the instructions of some opcode classes, functionally and at once: it reads operands
/// from the registers and writes results to them. The pipeline decides when a result may be used.
class opcode_unit {
public:
    opcode_unit() = default;
    opcode_unit(const opcode_unit&) = delete;
    opcode_unit& operator=(const opcode_unit&) = delete;
    virtual ~opcode_unit() = default;

    virtual execution_outcome execute(const issued_group& issued) = 0;
};

}  // namespace heddle
