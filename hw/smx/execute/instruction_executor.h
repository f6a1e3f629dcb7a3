// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "hw/smx/execute/execution_parts.h"
#include "hw/smx/execute/issue_watch.h"

namespace heddle {

/// Executes instructions for groups of threads, and tells observers. It does not know how the
/// groups were formed or chosen; the caller acts on the outcome.
///
/// Each opcode class has a unit; an opcode without one is refused as a kernel fault, and so is one
/// that no transaction may contain (simt::legal_in_transaction) where its group runs one.
class instruction_executor {
public:
    explicit instruction_executor(const execution_parts& parts);

    /// The threads of `group` execute an instruction at edge `edge`. Precondition for a load, store
    /// or atomic: the load-store unit has room.
    execution_outcome execute(const thread_group& group, const isa::instruction& instruction,
                              std::uint64_t edge);

    /// Values of `lanes` of a load or atomic, the threads' instruction `number`.
    void loaded(const thread_homes& homes, issue_number number, std::uint8_t rd,
                isa::lane_mask lanes, const std::uint32_t* values, std::uint64_t edge);
    /// `lanes` of that load or atomic may go on before the others.
    void returned(const thread_homes& homes, issue_number number, isa::lane_mask lanes,
                  std::uint64_t edge);
    /// That load, store or atomic is complete. `lanes`: all that it had; of no account in place.
    void completed(const thread_homes& homes, issue_number number, isa::lane_mask lanes,
                   std::uint64_t edge);

    /// `unit`, which outlives the executor, executes this class. It tells observers itself of
    /// instructions that wait for a launch, when they are done.
    void attach(opcode_unit& unit, isa::instruction_class of) noexcept {
        unit_of_[static_cast<std::size_t>(of)] = &unit;
    }

    /// `watch`, which outlives the executor, hears of each instruction that is legal where it is.
    /// Call before the run starts, once.
    void watch(issue_watch& watch);

    [[nodiscard]] const register_file& registers() const noexcept { return parts_.registers; }

private:
    static constexpr std::size_t classes =
        static_cast<std::size_t>(isa::instruction_class::cooperation) + 1;

    [[nodiscard]] bool legal_here(const issued_group& issued) const noexcept;
    [[nodiscard]] execution_outcome refuse_in_transaction(const issued_group& issued) const;
    [[gnu::noinline]] void show(const issued_group& issued, const execution_outcome& outcome) const;
    void show_loaded(const thread_homes& homes, issue_number number, isa::lane_mask lanes,
                     const std::uint32_t* values, std::uint64_t edge) const;
    /// `unit` executes these classes from now on.
    void add(std::unique_ptr<opcode_unit> unit,
             std::initializer_list<isa::instruction_class> classes);

    const execution_parts parts_;
    std::vector<std::unique_ptr<opcode_unit>> units_;
    std::array<opcode_unit*, classes> unit_of_;  ///< by instruction_class
};

}  // namespace heddle
