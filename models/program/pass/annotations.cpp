// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/annotations.h"

#include <llvm/IR/GlobalVariable.h>

namespace heddle::pass {

namespace {

/// Where clang writes them: an array of structures of object, text, file, line, numbers.
constexpr const char* list_name = "llvm.global.annotations";

const llvm::Constant* initializer_of(const llvm::Value* pointer) {
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
    return variable != nullptr && variable->hasInitializer() ? variable->getInitializer() : nullptr;
}

llvm::StringRef text_of(const llvm::Value* pointer) {
    const auto* const text =
        llvm::dyn_cast_or_null<llvm::ConstantDataSequential>(initializer_of(pointer));
    return text != nullptr && text->isCString() ? text->getAsCString() : "";
}

annotation read(const llvm::Constant& entry) {
    const auto* const numbers =
        llvm::dyn_cast_or_null<llvm::ConstantStruct>(initializer_of(entry.getOperand(4)));
    auto* const object = entry.getOperand(0)->stripPointerCasts();
    return {
        llvm::dyn_cast<llvm::GlobalValue>(const_cast<llvm::Value*>(object)),
        text_of(entry.getOperand(1)),
        numbers == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(numbers->getOperand(0))};
}

}  // namespace

void take_annotations(llvm::Module& module, llvm::function_ref<bool(const annotation&)> take) {
    llvm::GlobalVariable* const list = module.getGlobalVariable(list_name);
    if (list == nullptr) return;
    const auto* const entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
    if (entries == nullptr) return;
    llvm::SmallVector<llvm::Constant*, 16> left;
    for (const llvm::Use& entry : entries->operands()) {
        auto* const each = llvm::cast<llvm::Constant>(entry.get());
        const annotation found = read(*each);
        if (found.of == nullptr || !take(found)) left.push_back(each);
    }
    if (left.size() == entries->getNumOperands()) return;
    llvm::Type* const type = entries->getType()->getElementType();
    const auto linkage = list->getLinkage();
    const auto section = list->getSection().str();
    list->eraseFromParent();
    if (left.empty()) return;
    auto* const array = llvm::ConstantArray::get(llvm::ArrayType::get(type, left.size()), left);
    auto* const made =
        new llvm::GlobalVariable(module, array->getType(), false, linkage, array, list_name);
    made->setSection(section);
}

}  // namespace heddle::pass
