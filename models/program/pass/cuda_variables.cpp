// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/cuda_variables.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "models/program/include/heddle/encoding.h"
#include "models/program/pass/shared_objects.h"

namespace heddle::pass {

namespace {

using llvm::GlobalVariable;

/// clang's fake map.
enum address_space : unsigned { device_space = 7, constant_space = 8, shared_space = 9 };

/// The linker script has this name, too.
constexpr const char* constant_section = ".constant";

/// The address that the block's dynamic shared memory begins at, in a function.
llvm::Value* dynamic_base(llvm::Function& function, llvm::Type* pointer) {
    llvm::IRBuilder<> code(&*function.getEntryBlock().getFirstInsertionPt());
    auto* const type = llvm::FunctionType::get(code.getInt32Ty(), false);
    const std::string text = "csrr $0, " + std::to_string(HEDDLE_CSR_DYNAMIC_SHARED_BASE);
    llvm::CallInst* const base =
        code.CreateCall(llvm::InlineAsm::get(type, text, "=r", /*hasSideEffects=*/false));
    base->setDoesNotAccessMemory();
    base->setDoesNotThrow();
    return code.CreateIntToPtr(base, pointer);
}

void resolve_dynamic(GlobalVariable& array) {
    array.removeDeadConstantUsers();
    llvm::convertUsersOfConstantsToInstructions({&array});
    llvm::DenseMap<llvm::Function*, llvm::Value*> bases;
    for (llvm::Use& use : llvm::make_early_inc_range(array.uses())) {
        auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (user == nullptr) {
            array.getContext().emitError("extern __shared__ '" + array.getName() +
                                         "': its address is known in kernels only, so that no "
                                         "variable can begin with it");
            return;
        }
        llvm::Value*& base = bases[user->getFunction()];
        if (base == nullptr) base = dynamic_base(*user->getFunction(), array.getType());
        use.set(base);
    }
    array.eraseFromParent();
}

/// Where the linker looks. What the host may know by name is kept.
void give_section(GlobalVariable& variable, unsigned space) {
    if (space == shared_space) {
        // clang has checked that it has no initial value.
        variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
        variable.setSection((shared_section + llvm::Twine('.') + variable.getName()).str());
        llvm::appendToCompilerUsed(*variable.getParent(), {&variable});
        return;
    }
    if (space == constant_space) {
        variable.setSection(constant_section);
        variable.setConstant(true);
    }
    if (variable.hasExternalLinkage()) llvm::appendToUsed(*variable.getParent(), {&variable});
}

/// The same variable in the address space that pointers have.
void move(GlobalVariable& from) {
    const unsigned space = from.getAddressSpace();
    auto* const to = new GlobalVariable(
        *from.getParent(), from.getValueType(), from.isConstant(), from.getLinkage(),
        from.hasInitializer() ? from.getInitializer() : nullptr, "", &from,
        from.getThreadLocalMode(), 0, from.isExternallyInitialized());
    to->copyAttributesFrom(&from);
    to->copyMetadata(&from, 0);
    to->setComdat(from.getComdat());
    from.setComdat(nullptr);
    to->takeName(&from);
    from.replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(to, from.getType()));
    from.eraseFromParent();
    if (!to->isDeclaration()) give_section(*to, space);
}

/// With -rdc a static variable that the host knows has a name of its file. clang notices too late:
/// functions before the host's use have the other name, which nobody defines.
GlobalVariable* renamed(GlobalVariable& declared) {
    const std::string begin = (declared.getName() + "__static__").str();
    for (GlobalVariable& each : declared.getParent()->globals()) {
        if (!each.isDeclaration() && each.getName().starts_with(begin)) return &each;
    }
    return nullptr;
}

void join_renamed(llvm::Module& module) {
    for (GlobalVariable& each : llvm::make_early_inc_range(module.globals())) {
        GlobalVariable* const other = each.isDeclaration() ? renamed(each) : nullptr;
        if (other == nullptr || other->getType() != each.getType()) continue;
        each.replaceAllUsesWith(other);
        each.eraseFromParent();
    }
}

}  // namespace

bool place_cuda_variables(llvm::Module& module) {
    join_renamed(module);
    llvm::SmallVector<GlobalVariable*, 16> found;
    for (GlobalVariable& variable : module.globals()) {
        const unsigned space = variable.getAddressSpace();
        if (space >= device_space && space <= shared_space) found.push_back(&variable);
    }
    for (GlobalVariable* const variable : found) {
        if (variable->getAddressSpace() == shared_space && variable->isDeclaration()) {
            resolve_dynamic(*variable);
        } else {
            move(*variable);
        }
    }
    return !found.empty();
}

}  // namespace heddle::pass
