// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/constant_loads.h"

#include <optional>

namespace heddle::program {

namespace {

using isa::instruction;
using isa::instruction_class;
using isa::opcode;

/// Registers, one bit each.
using register_set = std::uint32_t;

constexpr register_set bit(unsigned index) {
    return index < isa::register_count ? register_set{1} << index : 0;
}

/// sp, gp, tp and s0 to s11: a function that is called leaves them as they were.
constexpr register_set kept_by_calls = 0x0ffc031cU;
constexpr unsigned first_argument = 10;  // a0

/// What is known of the registers at one place.
struct known_registers {
    register_set constants = 0;  ///< hold an address of constants
    /// Hold an address of constants or 0: half of a selection without a branch.
    register_set constants_or_zero = 0;
    register_set fixed = 0;  ///< hold an address of other read-only data, the same in all threads

    [[nodiscard]] known_registers meet(const known_registers& other) const {
        return {constants & other.constants,
                (constants | constants_or_zero) & (other.constants | other.constants_or_zero) &
                    ~(constants & other.constants),
                fixed & other.fixed};
    }
    void keep_only(register_set these) {
        constants &= these;
        constants_or_zero &= these;
        fixed &= these;
    }
    friend bool operator==(const known_registers& a, const known_registers& b) {
        return a.constants == b.constants && a.constants_or_zero == b.constants_or_zero &&
               a.fixed == b.fixed;
    }
};

class function_pass {
public:
    function_pass(const code_text& text, const function_graph& graph, const address_users& users)
        : text_(text), graph_(graph), users_(users), before_(graph.blocks.size()) {}

    void run(known_registers at_entry, std::vector<bool>& found) {
        if (before_.empty()) return;
        before_[0] = at_entry;
        std::vector<std::size_t> work{0};
        while (!work.empty()) {
            const std::size_t b = work.back();
            work.pop_back();
            const known_registers after = pass(graph_.blocks[b], *before_[b], nullptr);
            for (const std::size_t next : graph_.blocks[b].successors) {
                std::optional<known_registers>& known = before_[next];
                const known_registers met = known ? known->meet(after) : after;
                if (known && *known == met) continue;
                known = met;
                work.push_back(next);
            }
        }
        // Only now all ways to a block have been seen.
        for (std::size_t b = 0; b < before_.size(); ++b) {
            if (before_[b]) (void)pass(graph_.blocks[b], *before_[b], &found);
        }
    }

private:
    known_registers pass(const basic_block& block, known_registers known,
                         std::vector<bool>* found) const {
        for (std::uint32_t pc = block.first; pc <= block.last; pc += 4) {
            const instruction& i = text_.at(pc);
            if (found != nullptr && loads_constants(pc, i, known)) {
                (*found)[(pc - text_.base) / 4] = true;
            }
            if (i.is_call()) {
                known.keep_only(kept_by_calls);
            } else if (i.writes_register()) {
                write(pc, i, known);
            }
        }
        return known;
    }

    [[nodiscard]] bool loads_constants(std::uint32_t pc, const instruction& i,
                                       const known_registers& known) const {
        // `ldg` says itself which cache it uses; `ldcg` and `ldcv` use none.
        const bool plain =
            i.cls == instruction_class::load && !i.bypasses_l1() && !i.is_read_only_load();
        // Address 0 is nobody's: where the register may hold 0, the load is of constants or faults.
        const register_set good = known.constants | known.constants_or_zero | known.fixed;
        return plain && (users_.constant.count(pc) != 0 || (good & bit(i.rs1)) != 0);
    }

    void write(std::uint32_t pc, const instruction& i, known_registers& known) const {
        const auto is = [&](unsigned index) { return (known.constants & bit(index)) != 0; };
        const auto may_be_zero = [&](unsigned index) {
            return (known.constants_or_zero & bit(index)) != 0;
        };
        bool constants = false;
        bool or_zero = false;
        bool fixed = false;
        switch (i.op) {
            case opcode::lui:
            case opcode::auipc:
                constants = users_.constant.count(pc) != 0;
                fixed = users_.read_only.count(pc) != 0;
                break;
            case opcode::addi:
                constants = is(i.rs1) || users_.constant.count(pc) != 0;
                fixed = (known.fixed & bit(i.rs1)) != 0;
                or_zero = i.imm == 0 && may_be_zero(i.rs1);
                break;
            case opcode::ori:  // an offset into aligned data
                constants = is(i.rs1);
                break;
            case opcode::add:
                // The other operand is an index. It can't be an address, too.
                constants = is(i.rs1) != is(i.rs2);
                break;
            case opcode::sub:
                constants = is(i.rs1) && !is(i.rs2);
                break;
            case opcode::or_:
                constants = is(i.rs1) != is(i.rs2) || (may_be_zero(i.rs1) && may_be_zero(i.rs2));
                break;
            case opcode::czero_eqz:
            case opcode::czero_nez:
                or_zero = is(i.rs1) || may_be_zero(i.rs1);
                break;
            default:
                break;
        }
        known.keep_only(~bit(i.rd));
        if (constants) {
            known.constants |= bit(i.rd);
        } else if (or_zero) {
            known.constants_or_zero |= bit(i.rd);
        } else if (fixed) {
            known.fixed |= bit(i.rd);
        }
    }

    const code_text& text_;
    const function_graph& graph_;
    const address_users& users_;
    std::vector<std::optional<known_registers>> before_;  ///< none: no way to the block seen yet
};

}  // namespace

std::vector<bool> find_constant_loads(const code_text& text,
                                      const std::vector<function_graph>& graphs,
                                      const std::set<std::uint32_t>& entries,
                                      const address_users& users) {
    std::vector<bool> found(text.instructions.size());
    for (const function_graph& graph : graphs) {
        known_registers at_entry;
        if (entries.count(graph.range.start) != 0) at_entry.constants = bit(first_argument);
        function_pass(text, graph, users).run(at_entry, found);
    }
    return found;
}

}  // namespace heddle::program
