// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/narrow_casts.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::pass {

bool widen_narrow_casts(llvm::Module& module) {
    bool changed = false;
    for (llvm::Function& function : module) {
        for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
            auto* const cast = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
            if (cast == nullptr || (cast->getIntrinsicID() != llvm::Intrinsic::fptosi_sat &&
                                    cast->getIntrinsicID() != llvm::Intrinsic::fptoui_sat)) {
                continue;
            }
            llvm::IRBuilder<> code(cast);
            const unsigned bits = cast->getType()->getIntegerBitWidth();
            if (bits != 8 && bits != 16) continue;
            llvm::Value* const from = cast->getArgOperand(0);
            llvm::Value* const wide = code.CreateIntrinsic(
                cast->getIntrinsicID(), {code.getInt32Ty(), from->getType()}, {from});
            cast->replaceAllUsesWith(code.CreateTrunc(wide, cast->getType()));
            cast->eraseFromParent();
            changed = true;
        }
    }
    return changed;
}

}  // namespace heddle::pass
