// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/volatile_loads.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "models/program/include/heddle/encoding.h"
#include "models/program/pass/shared_objects.h"

namespace heddle::pass {

namespace {

using llvm::IRBuilder, llvm::LoadInst, llvm::Value;

constexpr const char* mark = "heddle_cuda_source";

/// Whether no L1 is on the way: the thread's own objects, and shared memory as far as it is named.
bool is_near(const Value& pointer) {
    const Value* const object = llvm::getUnderlyingObject(&pointer);
    if (llvm::isa<llvm::AllocaInst>(object)) return true;
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return variable != nullptr && variable->getSection().starts_with(shared_section);
}

/// ldcv of so many bytes, which reads a word, unsigned.
Value* load(IRBuilder<>& code, Value* address, unsigned bytes) {
    const unsigned funct7 = bytes == 1   ? HEDDLE_LDCV_BU_FUNCT7
                            : bytes == 2 ? HEDDLE_LDCV_HU_FUNCT7
                                         : HEDDLE_LDCV_W_FUNCT7;
    const std::string text = ".insn r 0x0b, " + std::to_string(HEDDLE_LDCV_W_FUNCT3) + ", " +
                             std::to_string(funct7) + ", $0, $1, x0";
    llvm::Type* const word = code.getInt32Ty();
    auto* const type = llvm::FunctionType::get(word, {word}, false);
    return code.CreateCall(
        llvm::InlineAsm::get(type, text, "=r,r,~{memory}", /*hasSideEffects=*/true), {address});
}

bool refresh(LoadInst& from) {
    const llvm::DataLayout& layout = from.getModule()->getDataLayout();
    llvm::Type* const type = from.getType();
    const std::uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
    const bool single =
        type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy() || type->isPointerTy();
    const bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!single || !whole || is_near(*from.getPointerOperand())) return false;
    IRBuilder<> code(&from);
    Value* const address = code.CreatePtrToInt(from.getPointerOperand(), code.getInt32Ty());
    Value* value = load(code, address, static_cast<unsigned>(bytes));
    if (bytes == 8) {
        Value* const high = load(code, code.CreateAdd(address, code.getInt32(4)), 4);
        value = code.CreateOr(
            code.CreateZExt(value, code.getInt64Ty()),
            code.CreateShl(code.CreateZExt(high, code.getInt64Ty()), code.getInt64(32)));
    }
    if (type->isPointerTy()) {
        value = code.CreateIntToPtr(value, type);
    } else if (type->isIntegerTy()) {
        value = code.CreateTrunc(value, type);
    } else {
        value = code.CreateBitCast(value, type);
    }
    from.replaceAllUsesWith(value);
    from.eraseFromParent();
    return true;
}

}  // namespace

bool refresh_volatile_loads(llvm::Module& module) {
    llvm::GlobalVariable* const found = module.getGlobalVariable(mark, /*AllowInternal=*/true);
    if (found == nullptr) return false;
    llvm::removeFromUsedLists(
        module, [&](llvm::Constant* each) { return each->stripPointerCasts() == found; });
    if (found->use_empty()) found->eraseFromParent();
    for (llvm::Function& function : module) {
        for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
            auto* const load = llvm::dyn_cast<LoadInst>(&each);
            if (load != nullptr && load->isVolatile() && !load->isAtomic()) refresh(*load);
        }
    }
    return true;
}

}  // namespace heddle::pass
