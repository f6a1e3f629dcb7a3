// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/cleanup_ways.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace heddle::pass {

namespace {

using llvm::AllocaInst, llvm::BasicBlock, llvm::ConstantInt;

/// The slot that the switch at the block's end looks at, if it is one of clang's for cleanups: a
/// local object that is no variable of the source, and that receives nothing but constants.
AllocaInst* cleanup_slot(BasicBlock& block) {
    auto* way = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (way == nullptr) return nullptr;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(way->getCondition());
    if (load == nullptr || load->getParent() != &block) return nullptr;
    auto* slot = llvm::dyn_cast<AllocaInst>(load->getPointerOperand());
    if (slot == nullptr || !llvm::findDVRDeclares(slot).empty() ||
        !llvm::findDbgDeclares(slot).empty()) {
        return nullptr;
    }
    const bool constants = llvm::all_of(slot->users(), [&](const llvm::User* user) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        if (store == nullptr) return llvm::isa<llvm::LoadInst>(user);
        return store->getPointerOperand() == slot &&
               llvm::isa<ConstantInt>(store->getValueOperand());
    });
    return constants ? slot : nullptr;
}

/// Whether the block can be copied: what it computes stays in it.
bool is_closed(BasicBlock& block, const collective_operations& operations) {
    const auto begins_with_phi = [](BasicBlock* each) { return !each->phis().empty(); };
    if (begins_with_phi(&block) || llvm::any_of(llvm::successors(&block), begins_with_phi)) {
        return false;
    }
    return llvm::none_of(block, [&](llvm::Instruction& each) {
        return operations.contains(each) || each.isUsedOutsideOfBlock(&block);
    });
}

/// The copies that one function needs.
class way_parter {
public:
    void part(BasicBlock& block, AllocaInst* slot) {
        const llvm::SmallVector<BasicBlock*, 8> before(llvm::predecessors(&block));
        for (BasicBlock* from : before) {
            if (from->getTerminator()->getNumSuccessors() != 1) continue;
            ConstantInt* number = number_in(slot, from);
            if (number == nullptr) continue;
            from->getTerminator()->replaceSuccessorWith(&block, copy_of(block, slot, number));
            parted_ = true;
        }
    }

    /// Whether anything was parted since the last call.
    bool parted() { return std::exchange(parted_, false); }

private:
    /// What the slot holds at the end of a block, as far as one way leads there.
    ConstantInt* number_in(AllocaInst* slot, BasicBlock* block) const {
        llvm::SmallPtrSet<BasicBlock*, 8> seen;
        for (; block != nullptr && seen.insert(block).second;
             block = block->getSinglePredecessor()) {
            if (const auto known = known_.find({block, slot}); known != known_.end()) {
                return known->second;
            }
            for (llvm::Instruction& each : llvm::reverse(*block)) {
                auto* store = llvm::dyn_cast<llvm::StoreInst>(&each);
                if (store != nullptr && store->getPointerOperand() == slot) {
                    return llvm::cast<ConstantInt>(store->getValueOperand());
                }
            }
        }
        return nullptr;
    }

    BasicBlock* copy_of(BasicBlock& block, AllocaInst* slot, ConstantInt* number) {
        BasicBlock*& copy = copies_[{&block, number}];
        if (copy != nullptr) return copy;
        llvm::ValueToValueMapTy values;
        copy = llvm::CloneBasicBlock(&block, values, "", block.getParent());
        const auto flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
        for (llvm::Instruction& each : *copy) {
            llvm::RemapDbgRecordRange(copy->getModule(), each.getDbgRecordRange(), values, flags);
            llvm::RemapInstruction(&each, values, flags);
        }
        auto* way = llvm::cast<llvm::SwitchInst>(copy->getTerminator());
        BasicBlock* next = way->findCaseValue(number)->getCaseSuccessor();
        llvm::BranchInst::Create(next, way->getIterator())->setDebugLoc(way->getDebugLoc());
        way->eraseFromParent();
        known_[{copy, slot}] = number;
        return copy;
    }

    llvm::DenseMap<std::pair<BasicBlock*, ConstantInt*>, BasicBlock*> copies_;
    llvm::DenseMap<std::pair<BasicBlock*, AllocaInst*>, ConstantInt*> known_;
    bool parted_ = false;
};

}  // namespace

void part_cleanup_ways(llvm::Function& function, const collective_operations& operations) {
    llvm::SmallVector<std::pair<BasicBlock*, AllocaInst*>, 8> switches;
    for (BasicBlock& block : function) {
        AllocaInst* slot = cleanup_slot(block);
        if (slot != nullptr && is_closed(block, operations)) switches.push_back({&block, slot});
    }
    way_parter parter;
    do {  // a copy brings a known number to the switch of the next scope
        for (const auto& [block, slot] : switches) parter.part(*block, slot);
    } while (parter.parted());
}

}  // namespace heddle::pass
