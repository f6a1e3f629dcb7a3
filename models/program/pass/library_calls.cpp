// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/library_calls.h"

#include <llvm/IR/IRBuilder.h>

#include "models/program/pass/source_language.h"

namespace heddle::pass {

namespace {

using llvm::CallInst, llvm::IRBuilder, llvm::Type, llvm::Value;

/// `vector` with so many elements: the first ones, or undefined ones behind its own.
Value* resized(IRBuilder<>& code, Value* vector, unsigned elements) {
    const unsigned own = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
    if (own == elements) return vector;
    llvm::SmallVector<int, 16> from;
    for (unsigned n = 0; n < elements; ++n) from.push_back(n < own ? static_cast<int>(n) : -1);
    return code.CreateShuffleVector(vector, from);
}

/// The vector type of the size of an integer, with elements as those of `vector`.
llvm::FixedVectorType* filling(const Type& integer, const llvm::FixedVectorType& vector) {
    const unsigned element = vector.getElementType()->getPrimitiveSizeInBits();
    return llvm::FixedVectorType::get(vector.getElementType(),
                                      integer.getPrimitiveSizeInBits() / element);
}

/// What the caller passes, as the vector that it is.
Value* as_vector(IRBuilder<>& code, Value* passed, llvm::FixedVectorType& wanted) {
    if (passed->getType()->isPointerTy()) return code.CreateLoad(&wanted, passed);
    Value* const all = code.CreateBitCast(passed, filling(*passed->getType(), wanted));
    return resized(code, all, wanted.getNumElements());
}

/// The result as an integer that the caller takes.
Value* as_integer(IRBuilder<>& code, Value* result, Type& wanted) {
    const auto& vector = *llvm::cast<llvm::FixedVectorType>(result->getType());
    const llvm::FixedVectorType* const all = filling(wanted, vector);
    return code.CreateBitCast(resized(code, result, all->getNumElements()), &wanted);
}

void fit(CallInst& call, llvm::Function& library) {
    IRBuilder<> code(&call);
    const llvm::FunctionType& type = *library.getFunctionType();
    const bool returns_by_address = call.hasStructRetAttr();
    llvm::SmallVector<Value*, 4> arguments;
    for (Type* const wanted : type.params()) {
        Value* const passed = call.getArgOperand(arguments.size() + (returns_by_address ? 1 : 0));
        auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(wanted);
        arguments.push_back(passed->getType() == wanted || vector == nullptr
                                ? passed
                                : as_vector(code, passed, *vector));
    }
    CallInst* const fitted = code.CreateCall(&library, arguments);
    fitted->setDebugLoc(call.getDebugLoc());
    fitted->setCallingConv(library.getCallingConv());
    if (returns_by_address) {
        code.CreateStore(fitted, call.getArgOperand(0));
    } else if (!call.getType()->isVoidTy()) {
        call.replaceAllUsesWith(call.getType() == fitted->getType()
                                    ? fitted
                                    : as_integer(code, fitted, *call.getType()));
    }
    call.eraseFromParent();
}

/// Without double precision clang passes a float as it is; printf() takes doubles.
void promote_floats(CallInst& call) {
    IRBuilder<> code(&call);
    for (llvm::Use& argument : call.args()) {
        if (argument->getType()->isFloatTy()) {
            argument = code.CreateFPExt(argument, code.getDoubleTy());
        }
    }
}

/// The one of OpenCL, in which a `long` has 64 bits.
bool name_printf(llvm::Module& module) {
    llvm::Function* const print = module.getFunction("printf");
    if (print == nullptr || !print->isDeclaration()) return false;
    print->setName("heddle_opencl_printf");
    for (llvm::User* const user : print->users()) {
        if (auto* const call = llvm::dyn_cast<CallInst>(user)) promote_floats(*call);
    }
    return true;
}

}  // namespace

bool fit_library_calls(llvm::Module& module) {
    if (!is_opencl(module)) return false;
    llvm::SmallVector<CallInst*, 32> calls;
    for (llvm::Function& function : module) {
        for (llvm::BasicBlock& block : function) {
            for (llvm::Instruction& each : block) {
                auto* const call = llvm::dyn_cast<CallInst>(&each);
                if (call == nullptr) continue;
                // Not getCalledFunction(), which is null where the types differ.
                const auto* const callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand());
                if (callee == nullptr || callee->isDeclaration()) continue;
                if (callee->getFunctionType() != call->getFunctionType()) calls.push_back(call);
            }
        }
    }
    for (CallInst* const call : calls) {
        fit(*call, *llvm::cast<llvm::Function>(call->getCalledOperand()));
    }
    return name_printf(module) || !calls.empty();
}

}  // namespace heddle::pass
