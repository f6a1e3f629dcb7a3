// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/kernel_copies.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "models/program/pass/source_language.h"

namespace heddle::pass {

namespace {

using llvm::Function;

bool is_stub(const Function& function) {
    return function.getSection() == ".text.entry";
}
bool is_kernel(const Function& function) {
    return function.getSection() == ".text.kernel";
}

/// The function does nothing any more. `described` tells where.
void empty(Function& function, llvm::DISubprogram* described) {
    const auto linkage = function.getLinkage();
    function.deleteBody();  // with the linkage and all metadata
    function.setLinkage(linkage);
    function.setSubprogram(described);
    llvm::IRBuilder<> code(llvm::BasicBlock::Create(function.getContext(), "", &function));
    if (described != nullptr) {  // code without a line has no description
        code.SetCurrentDebugLocation(
            llvm::DILocation::get(function.getContext(), described->getLine(), 0, described));
    }
    if (function.getReturnType()->isVoidTy()) {
        code.CreateRetVoid();
    } else {
        code.CreateRet(llvm::PoisonValue::get(function.getReturnType()));
    }
}

/// Optimized code lists its parameters with the function; other code in the body, which stays.
bool keep_signatures(llvm::Module& module) {
    bool changed = false;
    for (Function& function : module) {
        if (function.isDeclaration() || function.hasOptNone()) continue;
        if (is_kernel(function)) {
            if (function.getSubprogram() == nullptr) continue;
            empty(function, function.getSubprogram());
        } else {
            function.deleteBody();
            function.setComdat(nullptr);
        }
        changed = true;
    }
    return changed;
}

bool is_only_inlined(const Function& kernel) {
    return !kernel.use_empty() && llvm::all_of(kernel.uses(), [](const llvm::Use& use) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
        return call != nullptr && call->isCallee(&use) && is_stub(*call->getFunction());
    });
}

/// What has no instructions stays for the check of that (image_builder.cpp).
bool has_instructions(const Function& function) {
    return !llvm::isa<llvm::UnreachableInst>(*function.getEntryBlock().getFirstNonPHIOrDbg());
}

/// A function of this module alone takes the body over.
void hide(Function& kernel) {
    Function* const body = Function::Create(
        kernel.getFunctionType(), llvm::GlobalValue::InternalLinkage, kernel.getName() + ".body");
    kernel.getParent()->getFunctionList().insertAfter(kernel.getIterator(), body);
    body->copyAttributesFrom(&kernel);
    body->copyMetadata(&kernel, 0);
    body->splice(body->end(), &kernel);
    for (auto [from, to] : llvm::zip(kernel.args(), body->args())) {
        to.takeName(&from);
        from.replaceAllUsesWith(&to);
    }
    kernel.replaceAllUsesWith(body);
    kernel.setPersonalityFn(nullptr);
    empty(kernel, nullptr);
}

bool hide_inlined(llvm::Module& module) {
    llvm::SmallVector<Function*, 16> kernels;
    for (Function& function : module) {
        if (!function.isDeclaration() && is_kernel(function) && is_only_inlined(function) &&
            has_instructions(function)) {
            kernels.push_back(&function);
        }
    }
    for (Function* const kernel : kernels) hide(*kernel);
    return !kernels.empty();
}

}  // namespace

bool drop_kernel_copies(llvm::Module& module, bool optimizes) {
    if (!has_cuda_bitcode(module)) return false;
    if (llvm::any_of(module, is_stub)) return optimizes && hide_inlined(module);
    return !optimizes && keep_signatures(module);
}

}  // namespace heddle::pass
