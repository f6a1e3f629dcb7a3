// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A plug-in of clang's optimizer: branches that decide on a collective operation stay where the
// source has them, shared objects stay shared (shared_objects.h), CUDA's variables are where the
// machine has them (cuda_variables.h), its kernels are not compiled beside their stubs
// (kernel_copies.h) and keep their limits (kernel_limits.h), and OpenCL's built-ins are called as
// libclc has them (library_calls.h). In the host halves of CUDA programs managed variables are
// where the device has them (managed_variables.h).
//
// `-fconvergent-functions` keeps a barrier in its place, not the uniform test in front of it. Jump
// threading and tail duplication would copy the test into a divergent arm before it: threads of
// one warp then come to the barrier by several ways, and meet only behind it. So an empty
// convergent assembly statement is put in front of each branch on which a collective operation is
// control-dependent, also indirectly. No pass copies the block of such a statement. It costs no
// instruction, and passes may still change the condition in front of it.
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "models/program/pass/cleanup_ways.h"
#include "models/program/pass/collective_operations.h"
#include "models/program/pass/cuda_variables.h"
#include "models/program/pass/kernel_copies.h"
#include "models/program/pass/kernel_limits.h"
#include "models/program/pass/library_calls.h"
#include "models/program/pass/managed_variables.h"
#include "models/program/pass/narrow_casts.h"
#include "models/program/pass/shared_initializers.h"
#include "models/program/pass/shared_objects.h"
#include "models/program/pass/source_language.h"
#include "models/program/pass/texture_copies.h"
#include "models/program/pass/unknown_assembly.h"
#include "models/program/pass/volatile_loads.h"

namespace heddle::pass {

namespace {

using llvm::BasicBlock, llvm::Function, llvm::FunctionAnalysisManager, llvm::Module;

// A comment, so that the statement is known again in the second compilation, and in listings.
constexpr const char* held_mark = "# threads decide together";

llvm::InlineAsm* mark_of(llvm::LLVMContext& context) {
    return llvm::InlineAsm::get(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                held_mark, "", /*hasSideEffects=*/true);
}

bool is_held(const BasicBlock& block) {
    return llvm::any_of(block, [&](const llvm::Instruction& each) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&each);
        return call != nullptr && call->getCalledOperand() == mark_of(block.getContext());
    });
}

/// Blocks with a branch that decides whether, or how often, a collective operation is reached.
llvm::SmallVector<BasicBlock*, 32> deciding_blocks(Function& function,
                                                   const collective_operations& operations,
                                                   llvm::PostDominatorTree& tree) {
    llvm::SmallPtrSet<BasicBlock*, 32> meeting;
    for (BasicBlock& block : function) {
        const bool meets =
            llvm::any_of(block, [&](const auto& each) { return operations.contains(each); });
        if (meets && tree.getNode(&block) != nullptr) meeting.insert(&block);
    }
    llvm::SmallVector<BasicBlock*, 32> deciding;
    if (meeting.empty()) return deciding;
    // The iterated frontier in the reversed graph: control dependence, closed transitively.
    llvm::ReverseIDFCalculator frontier(tree);
    frontier.setDefiningBlocks(meeting);
    frontier.calculate(deciding);
    return deciding;
}

void hold(Function& function, const collective_operations& operations,
          llvm::PostDominatorTree& tree) {
    for (BasicBlock* block : deciding_blocks(function, operations, tree)) {
        llvm::Instruction* last = block->getTerminator();
        if (last->getNumSuccessors() < 2 || is_held(*block)) continue;
        llvm::CallInst* mark =
            llvm::IRBuilder<>(last).CreateCall(mark_of(function.getContext()), {});
        mark->addFnAttr(llvm::Attribute::Convergent);
        mark->addFnAttr(llvm::Attribute::NoUnwind);
    }
}

class hold_conditions : public llvm::PassInfoMixin<hold_conditions> {
public:
    explicit hold_conditions(llvm::OptimizationLevel level)
        : optimizes_(level != llvm::OptimizationLevel::O0) {}

    llvm::PreservedAnalyses run(Module& module, llvm::ModuleAnalysisManager& manager) {
        auto& functions =
            manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
        if (!is_for_device(module)) {
            return point_to_managed(module) ? llvm::PreservedAnalyses::none()
                                            : llvm::PreservedAnalyses::all();
        }
        bool changed = drop_kernel_copies(module, optimizes_);
        changed |= limit_kernels(module);
        changed |= give_managed_pages(module);
        changed |= place_cuda_variables(module);
        if (refresh_volatile_loads(module)) {  // a CUDA source
            refuse_unknown_assembly(module);
            widen_narrow_casts(module);
            inline_texture_copies(module);
            mark_cuda_bitcode(module);
            changed = true;
        }
        refuse_shared_initializers(module);
        changed |= fit_library_calls(module);
        const collective_operations operations(module);
        changed |= mark_shared_objects(module);
        for (Function& function : module) {
            if (!function.isDeclaration()) changed |= run(function, operations, functions);
        }
        return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
    }

    // Also of functions without optimization, which may be inlined into others later.
    static bool isRequired() { return true; }

private:
    static bool run(Function& function, const collective_operations& operations,
                    FunctionAnalysisManager& manager) {
        const auto tree = [&]() -> llvm::PostDominatorTree& {
            return manager.getResult<llvm::PostDominatorTreeAnalysis>(function);
        };
        if (deciding_blocks(function, operations, tree()).empty()) return false;
        part_cleanup_ways(function, operations);
        manager.invalidate(function, llvm::PreservedAnalyses::none());
        if (!function.hasOptNone()) rotate_loops(function, manager);
        hold(function, operations, tree());
        return true;
    }

    /// A held loop header isn't rotated any more: a test more in each turn.
    static void rotate_loops(Function& function, FunctionAnalysisManager& manager) {
        llvm::FunctionPassManager passes;
        passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
        passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
        passes.run(function, manager);
        manager.invalidate(function, llvm::PreservedAnalyses::none());
    }

    bool optimizes_;
};

}  // namespace

}  // namespace heddle::pass

// NOLINTNEXTLINE(readability-identifier-naming): LLVM looks for this name.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "hold-conditions", "1", [](llvm::PassBuilder& builder) {
                builder.registerPipelineStartEPCallback(
                    [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
                        passes.addPass(heddle::pass::hold_conditions(level));
                    });
            }};
}
