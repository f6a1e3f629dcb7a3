// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/unknown_assembly.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "models/program/pass/unknown_assembly_text.h"

namespace heddle::pass {

void refuse_unknown_assembly(llvm::Module& module) {
    for (llvm::Function& function : module) {
        for (const llvm::Instruction& each : llvm::instructions(function)) {
            const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
            if (call == nullptr) continue;
            const auto* const code = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
            if (code == nullptr || code->getAsmString().find(';') == std::string::npos) continue;
            module.getContext().diagnose(llvm::DiagnosticInfoInlineAsm(
                each, unknown_assembly_text + llvm::Twine("'") + code->getAsmString() +
                          "'; docs/cuda_device.md has a list of what is"));
        }
    }
}

}  // namespace heddle::pass
