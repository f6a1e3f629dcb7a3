// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/managed_variables.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "models/program/pass/annotations.h"

namespace heddle::pass {

namespace {

using llvm::GlobalVariable;

// host_defines.h has these names, too.
constexpr const char* managed_text = "heddle_managed";
constexpr const char* host_section = ".heddle.managed";

constexpr std::uint64_t page_bytes = 4096;
constexpr const char* register_plain = "__cudaRegisterVar";
constexpr const char* register_managed = "__cudaRegisterManagedVar";

/// The variable with so many zeros behind it.
void pad(GlobalVariable& variable) {
    llvm::Module& module = *variable.getParent();
    const std::uint64_t bytes =
        module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    const std::uint64_t rest = (page_bytes - bytes % page_bytes) % page_bytes;
    auto* const tail = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), rest);
    auto* const value = llvm::ConstantStruct::getAnon(
        {variable.getInitializer(), llvm::Constant::getNullValue(tail)});
    auto* const padded =
        new GlobalVariable(module, value->getType(), false, variable.getLinkage(), value, "",
                           &variable, variable.getThreadLocalMode(), variable.getAddressSpace());
    padded->copyAttributesFrom(&variable);
    padded->copyMetadata(&variable, 0);
    padded->setAlignment(llvm::Align(page_bytes));
    padded->takeName(&variable);
    variable.replaceAllUsesWith(padded);
    variable.eraseFromParent();
}

GlobalVariable* pointer_to(GlobalVariable& variable) {
    llvm::Module& module = *variable.getParent();
    auto* const type = variable.getType();
    // The variable itself: where the library has no device, the program can say so.
    return new GlobalVariable(module, type, /*isConstant=*/false, variable.getLinkage(),
                              variable.isDeclaration() ? nullptr : &variable,
                              "__heddle_managed_" + variable.getName());
}

/// clang's registration of a device variable becomes that of a managed one.
bool is_registration(const llvm::User& user) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&user);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName() == register_plain;
}

void register_pointer(llvm::CallBase& plain, GlobalVariable& variable, GlobalVariable& pointer) {
    llvm::Module& module = *variable.getParent();
    llvm::IRBuilder<> code(&plain);
    auto* const address = code.getPtrTy();
    auto* const word = code.getInt32Ty();
    const llvm::FunctionCallee managed = module.getOrInsertFunction(
        register_managed,
        llvm::FunctionType::get(code.getVoidTy(), {address, address, address, address, word, word},
                                false));
    const llvm::DataLayout& layout = module.getDataLayout();
    const std::uint64_t bytes = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
    code.CreateCall(managed, {plain.getArgOperand(0), &pointer, &variable, plain.getArgOperand(3),
                              code.getInt32(static_cast<std::uint32_t>(bytes)),
                              code.getInt32(static_cast<std::uint32_t>(page_bytes))});
    plain.eraseFromParent();
}

/// Whether a use by the program must see the device's variable.
bool is_access(const llvm::Instruction& user) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&user);
    return call == nullptr || call->getCalledFunction() == nullptr ||
           call->getCalledFunction()->getName() != register_managed;
}

void load_pointer(llvm::Use& use, GlobalVariable& pointer) {
    auto* before = llvm::cast<llvm::Instruction>(use.getUser());
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(before)) {
        before = phi->getIncomingBlock(use)->getTerminator();
    }
    llvm::IRBuilder<> code(before);
    use.set(code.CreateLoad(pointer.getValueType(), &pointer));
}

/// Initial values that have the variable's address somewhere in them. Lists of LLVM's own have
/// another meaning.
void refuse_initial_values(const GlobalVariable& variable, const GlobalVariable& pointer) {
    llvm::SmallVector<const llvm::User*, 8> left(variable.user_begin(), variable.user_end());
    llvm::SmallPtrSet<const llvm::User*, 16> seen;
    while (!left.empty()) {
        const llvm::User* const user = left.pop_back_val();
        if (!llvm::isa<llvm::Constant>(user) || user == &pointer || !seen.insert(user).second) {
            continue;
        }
        const auto* const holder = llvm::dyn_cast<GlobalVariable>(user);
        if (holder == nullptr) {
            left.append(user->user_begin(), user->user_end());
        } else if (!holder->getName().starts_with("llvm.")) {
            variable.getContext().emitError(
                "the initial value of '" + holder->getName() + "' has the address of '" +
                variable.getName() +
                "', a __managed__ variable, which is known when the program runs: assign it in "
                "a function");
        }
    }
}

void point_to(GlobalVariable& variable) {
    GlobalVariable* const pointer = pointer_to(variable);
    variable.setSection("");
    for (llvm::User* const user : llvm::make_early_inc_range(variable.users())) {
        if (is_registration(*user)) {
            register_pointer(llvm::cast<llvm::CallBase>(*user), variable, *pointer);
        }
    }
    variable.removeDeadConstantUsers();
    llvm::convertUsersOfConstantsToInstructions({&variable});
    for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
        const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (user != nullptr && is_access(*user)) load_pointer(use, *pointer);
    }
    refuse_initial_values(variable, *pointer);
}

}  // namespace

bool give_managed_pages(llvm::Module& module) {
    llvm::SmallVector<GlobalVariable*, 8> found;
    take_annotations(module, [&](const annotation& each) {
        auto* const variable = llvm::dyn_cast<GlobalVariable>(each.of);
        if (variable == nullptr || each.text != managed_text) return false;
        found.push_back(variable);
        return true;
    });
    for (GlobalVariable* const variable : found) pad(*variable);
    return !found.empty();
}

bool point_to_managed(llvm::Module& module) {
    llvm::SmallVector<GlobalVariable*, 8> found;
    for (GlobalVariable& each : module.globals()) {
        if (each.getSection() == host_section) found.push_back(&each);
    }
    for (GlobalVariable* const variable : found) point_to(*variable);
    return !found.empty();
}

}  // namespace heddle::pass
