// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/shared_objects.h"

#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "models/program/pass/source_language.h"

namespace heddle::pass {

namespace {

using llvm::GlobalVariable;

/// In OpenCL C, clang gives variables of local memory an undefined value, and no others. (In C++
/// empty objects have one.)
bool is_local_of_opencl(const GlobalVariable& variable) {
    return variable.hasInitializer() && llvm::isa<llvm::UndefValue>(variable.getInitializer());
}

bool is_shared(const GlobalVariable& variable) {
    return variable.getSection().starts_with(shared_section);
}

/// The last operand of a variable's description has its annotations.
void annotate(llvm::DIGlobalVariable& description) {
    if (description.getAnnotations().get() != nullptr) return;
    llvm::LLVMContext& context = description.getContext();
    llvm::Metadata* const words[] = {llvm::MDString::get(context, "heddle"),
                                     llvm::MDString::get(context, "shared")};
    llvm::Metadata* const one = llvm::MDTuple::get(context, words);
    description.replaceOperandWith(description.getNumOperands() - 1,
                                   llvm::MDTuple::get(context, one));
}

}  // namespace

bool mark_shared_objects(llvm::Module& module) {
    llvm::SmallVector<llvm::GlobalValue*, 16> used;
    const bool opencl = is_opencl(module);
    bool changed = false;
    for (GlobalVariable& variable : module.globals()) {
        if (opencl && is_local_of_opencl(variable) && !is_shared(variable)) {
            variable.setSection((shared_section + llvm::Twine('.') + variable.getName()).str());
            used.push_back(&variable);
        }
        if (!is_shared(variable)) continue;
        changed = true;
        llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
        variable.getDebugInfo(descriptions);
        for (llvm::DIGlobalVariableExpression* each : descriptions) annotate(*each->getVariable());
    }
    llvm::appendToCompilerUsed(module, used);
    return changed;
}

}  // namespace heddle::pass
