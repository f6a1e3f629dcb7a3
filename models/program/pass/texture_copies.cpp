// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/texture_copies.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace heddle::pass {

namespace {

/// Whether a value is a copy in the caller's frame: the structure has its template's name.
bool is_texture_copy(const llvm::Value* value) {
    const auto* const object = llvm::dyn_cast<llvm::AllocaInst>(value);
    if (object == nullptr) return false;
    const auto* const type = llvm::dyn_cast<llvm::StructType>(object->getAllocatedType());
    if (type == nullptr || !type->hasName()) return false;
    // clang numbers the structures of one name.
    llvm::StringRef name = type->getName();
    return name.consume_front("struct.texture") && (name.empty() || name.front() == '.');
}

}  // namespace

bool inline_texture_copies(llvm::Module& module) {
    bool changed = false;
    for (llvm::Function& function : module) {
        for (llvm::Instruction& each : llvm::instructions(function)) {
            const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
            llvm::Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
            if (called == nullptr || called->isDeclaration() || called->hasOptNone()) continue;
            if (!llvm::any_of(call->args(), is_texture_copy)) continue;
            called->removeFnAttr(llvm::Attribute::NoInline);
            called->addFnAttr(llvm::Attribute::AlwaysInline);
            changed = true;
        }
    }
    return changed;
}

}  // namespace heddle::pass
