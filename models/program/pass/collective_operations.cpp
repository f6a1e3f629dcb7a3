// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/collective_operations.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "models/program/include/heddle/encoding.h"

namespace heddle::pass {

namespace {

using llvm::StringRef;

/// Fields of the custom instructions' R format.
struct encoding {
    std::uint64_t funct3, funct7;
};

bool is_collective(encoding e) {
    switch (e.funct3) {
        case HEDDLE_BARRIER_FUNCT3:  // with votes and shuffles
            return e.funct7 != HEDDLE_WARP_JOIN_FUNCT7 && e.funct7 != HEDDLE_EXIT_FUNCT7;
        case HEDDLE_DEVICE_SYNCHRONIZE_FUNCT3:  // with launches, which nobody waits for
            return e.funct7 == HEDDLE_DEVICE_SYNCHRONIZE_FUNCT7;
        case HEDDLE_TX_BEGIN_FUNCT3:
        case HEDDLE_GLOBAL_BARRIER_FUNCT3:  // with the other cooperative calls
            return true;
        default:
            return false;
    }
}

/// Value of an assembly operand: a number, or `$N`, an argument of the call.
std::optional<std::uint64_t> value_of(StringRef text, const llvm::CallBase& call) {
    text = text.trim();
    std::uint64_t value = 0;
    if (!text.consume_front("$")) {
        return text.getAsInteger(0, value) ? std::nullopt : std::optional(value);
    }
    text.consume_front("{");
    text.consume_back("}");
    unsigned wanted = 0;
    if (text.getAsInteger(10, wanted)) return std::nullopt;
    const auto* code = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    unsigned argument = 0, number = 0;
    for (const auto& constraint : code->ParseConstraints()) {
        const bool result = constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect;
        if (number++ == wanted) {
            if (result || argument >= call.arg_size()) return std::nullopt;
            const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
            return constant == nullptr ? std::nullopt : std::optional(constant->getZExtValue());
        }
        if (!result) ++argument;
    }
    return std::nullopt;
}

/// One statement of inline assembly.
bool is_collective(StringRef statement, const llvm::CallBase& call) {
    statement = statement.trim();
    if (!statement.starts_with(".")) return false;  // the assembler has no names for ours
    llvm::SmallVector<StringRef, 8> operands;
    if (!statement.consume_front(".insn")) return true;
    statement = statement.trim();
    const bool r_format = statement.consume_front("r ");
    statement.split(operands, ',');
    const auto major = value_of(operands[0], call);
    if (!r_format || operands.size() < 3 || !major) return true;
    if (*major != 0x0b) return false;  // custom-0
    const auto funct3 = value_of(operands[1], call), funct7 = value_of(operands[2], call);
    return !funct3 || !funct7 || is_collective({*funct3, *funct7});
}

bool is_collective(const llvm::InlineAsm& code, const llvm::CallBase& call) {
    llvm::SmallVector<StringRef, 4> statements;
    llvm::SplitString(code.getAsmString(), statements, "\n;");
    return llvm::any_of(statements,
                        [&](StringRef statement) { return is_collective(statement, call); });
}

/// The function that a call certainly goes to, if its body is known.
const llvm::Function* known_callee(const llvm::CallBase& call) {
    const auto* callee =
        llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    return callee == nullptr || callee->isDeclaration() ? nullptr : callee;
}

}  // namespace

collective_operations::collective_operations(const llvm::Module& module) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const llvm::Function& function : module) {
            if (functions_.contains(&function)) continue;
            const auto all = llvm::instructions(function);
            if (llvm::any_of(all, [&](const auto& each) { return contains(each); })) {
                changed = functions_.insert(&function).second;
            }
        }
    }
}

bool collective_operations::contains(const llvm::Instruction& instruction) const {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) return false;
    if (const auto* code = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
        return is_collective(*code, *call);
    }
    const llvm::Function* callee = known_callee(*call);
    return callee == nullptr || functions_.contains(callee);
}

}  // namespace heddle::pass
