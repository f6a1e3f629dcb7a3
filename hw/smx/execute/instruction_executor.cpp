// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/execute/instruction_executor.h"

#include "hw/smx/execute/arithmetic_unit.h"
#include "hw/smx/execute/control_flow_unit.h"
#include "hw/smx/execute/csr_unit.h"
#include "hw/smx/execute/fence_unit.h"
#include "hw/smx/execute/memory_unit.h"
#include "hw/smx/execute/simt_control_unit.h"
#include "models/simt/fault_text.h"
#include "models/simt/transaction_rules.h"

namespace heddle {

using isa::instruction_class;

namespace {

/// Opcodes that this SMX does not have.
class refusing_unit final : public opcode_unit {
public:
    explicit refusing_unit(const execution_parts& parts) : parts_(parts) {}

    execution_outcome execute(const issued_group& issued) override {
        return parts_.refuse(issued, issued.threads.lanes);
    }

private:
    const execution_parts& parts_;
};

}  // namespace

instruction_executor::instruction_executor(const execution_parts& parts) : parts_(parts) {
    units_.push_back(std::make_unique<refusing_unit>(parts_));
    unit_of_.fill(units_.front().get());
    add(std::make_unique<arithmetic_unit>(parts_),
        {instruction_class::integer, instruction_class::multiply, instruction_class::divide,
         instruction_class::floating, instruction_class::floating_divide,
         instruction_class::special, instruction_class::exchange});
    add(std::make_unique<memory_unit>(parts_),
        {instruction_class::load, instruction_class::store, instruction_class::atomic});
    add(std::make_unique<control_flow_unit>(parts_),
        {instruction_class::branch, instruction_class::jump, instruction_class::jump_register});
    add(std::make_unique<csr_unit>(parts_), {instruction_class::csr});
    add(std::make_unique<fence_unit>(), {instruction_class::fence});
    add(std::make_unique<simt_control_unit>(parts_), {instruction_class::simt_control});
}

void instruction_executor::add(std::unique_ptr<opcode_unit> unit,
                               std::initializer_list<instruction_class> classes) {
    for (const instruction_class each : classes) {
        unit_of_[static_cast<std::size_t>(each)] = unit.get();
    }
    units_.push_back(std::move(unit));
}

void instruction_executor::watch(issue_watch& watch) {
    for (opcode_unit*& unit : unit_of_) {
        units_.push_back(std::make_unique<watched_unit>(*unit, watch));
        unit = units_.back().get();
    }
}

execution_outcome instruction_executor::execute(const thread_group& group,
                                                const isa::instruction& instruction,
                                                std::uint64_t edge) {
    const issued_group issued{group, instruction, edge, parts_.blocks.count_issue(group, edge)};
    // One variable and one return: the compiler then builds the outcome, which is large, in place.
    execution_outcome outcome =
        legal_here(issued) ? unit_of_[static_cast<std::size_t>(instruction.cls)]->execute(issued)
                           : refuse_in_transaction(issued);
    if (parts_.observer.get() != nullptr && !instruction.is_memory()) show(issued, outcome);
    return outcome;
}

/// Tells the observer of an instruction that is not for memory.
void instruction_executor::show(const issued_group& issued,
                                const execution_outcome& outcome) const {
    using kind = execution_outcome::kind;
    if (outcome.what == kind::refused) return;
    if (outcome.what == kind::waits_for_unit && outcome.reason == wait_reason::launch) return;
    const thread_group& group = issued.threads;
    const bool goes = outcome.what == kind::goes_to;
    const simt::transfer* const transfer =
        goes && group.threads == nullptr ? &outcome.where : nullptr;
    unsigned untold = bits::count(group.lanes);
    for_each_home(group, group.lanes, parts_.warp_size, [&](unsigned warp, isa::lane_mask lanes) {
        untold -= bits::count(lanes);
        parts_.observer.get()->executed({issued.edge, warp, issued.number, group.pc, lanes,
                                         &issued.instruction, nullptr, untold != 0, transfer},
                                        parts_.registers);
    });
}

/// Whatever the operands are: the load-store unit knows where a store goes. The unit of
/// transactions knows whether a tx.begin is that of another transaction, or begins its own once
/// more.
bool instruction_executor::legal_here(const issued_group& issued) const noexcept {
    return !issued.threads.in_transaction() ||
           issued.instruction.cls == instruction_class::transaction ||
           simt::legal_in_transaction(issued.instruction);
}

execution_outcome instruction_executor::refuse_in_transaction(const issued_group& issued) const {
    return parts_.fault(issued, bits::first(issued.threads.lanes),
                        simt::in_transaction_text(issued.instruction, issued.threads.pc));
}

void instruction_executor::loaded(const thread_homes& homes, issue_number number, std::uint8_t rd,
                                  isa::lane_mask lanes, const std::uint32_t* values,
                                  std::uint64_t edge) {
    if (parts_.observer.get() != nullptr) show_loaded(homes, number, lanes, values, edge);
    parts_.registers.write(homes, rd, values, lanes);
}

void instruction_executor::show_loaded(const thread_homes& homes, issue_number number,
                                       isa::lane_mask lanes, const std::uint32_t* values,
                                       std::uint64_t edge) const {
    execution_observer& observer = *parts_.observer.get();
    for_each_home(homes, lanes, parts_.warp_size, [&](unsigned warp, isa::lane_mask home_lanes) {
        if (homes.threads == nullptr) return observer.loaded(edge, warp, number, lanes, values);
        alignas(64) std::uint32_t own[protocol::maximum_lanes];
        to_home_lanes(homes, lanes, warp, parts_.warp_size, values, own);
        observer.loaded(edge, warp, number, home_lanes, own);
    });
}

void instruction_executor::returned(const thread_homes& homes, issue_number number,
                                    isa::lane_mask lanes, std::uint64_t edge) {
    execution_observer* const observer = parts_.observer.get();
    if (observer == nullptr) return;
    for_each_home(homes, lanes, parts_.warp_size, [&](unsigned warp, isa::lane_mask home_lanes) {
        observer->returned(edge, warp, number, home_lanes);
    });
}

void instruction_executor::completed(const thread_homes& homes, issue_number number,
                                     isa::lane_mask lanes, std::uint64_t edge) {
    execution_observer* const observer = parts_.observer.get();
    if (observer == nullptr) return;
    for_each_home(homes, lanes, parts_.warp_size, [&](unsigned warp, isa::lane_mask) {
        observer->completed(edge, warp, number, parts_.registers);
    });
}

}  // namespace heddle
