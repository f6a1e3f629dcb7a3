// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/shared_initializers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>

#include "models/program/pass/shared_objects.h"

namespace heddle::pass {

namespace {

std::string name_and_place(const llvm::GlobalVariable& object) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
    object.getDebugInfo(known);
    if (known.empty()) return "'" + object.getName().str() + "'";
    const llvm::DIGlobalVariable* variable = known.front()->getVariable();
    return variable->getFilename().str() + ":" + std::to_string(variable->getLine()) + ": '" +
           variable->getName().str() + "'";
}

}  // namespace

void refuse_shared_initializers(llvm::Module& module) {
    for (llvm::GlobalVariable& object : module.globals()) {
        if (object.getSection() != shared_section || !object.hasInitializer() ||
            object.getInitializer()->isNullValue()) {
            continue;
        }
        module.getContext().emitError(name_and_place(object) +
                                      " in shared memory has an initializer; legal: none, let "
                                      "threads write it and wait at a barrier");
        // One error is enough: the back end would report it again.
        object.setInitializer(llvm::Constant::getNullValue(object.getValueType()));
    }
}

}  // namespace heddle::pass
