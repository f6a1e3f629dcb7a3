// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Module.h>

namespace heddle::pass {

/// The functions of a module in which threads may meet: they contain a collective operation, or
/// may call a function that does.
///
/// A collective operation is a machine instruction whose effect depends on which threads execute
/// it together: barrier, vote, shuffle, begin and end of a transaction, device synchronize, and
/// the calls of cooperative kernels. The encoding in the operands of the inline assembly decides
/// (heddle/encoding.h). `.insn` and data directives that can't be read count, and so do calls
/// whose target is in another module or known at run time only.
class collective_operations {
public:
    explicit collective_operations(const llvm::Module& module);

    /// Whether threads may meet in the instruction.
    [[nodiscard]] bool contains(const llvm::Instruction& instruction) const;

private:
    llvm::SmallPtrSet<const llvm::Function*, 16> functions_;
};

}  // namespace heddle::pass
