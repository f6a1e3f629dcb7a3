// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <llvm/IR/Function.h>

#include "models/program/pass/collective_operations.h"

namespace heddle::pass {

/// Gives each way out of a scope its own copy of the scope's destructor calls.
///
/// Where a scope with destructors is left in several ways (its end, break, return), clang joins the
/// ways for the destructors' sake, and parts them again by a switch on a slot in which each way has
/// stored its number. Threads that return from a loop would wait there for threads that go on to a
/// barrier. Blocks that contain a collective operation themselves are not copied.
void part_cleanup_ways(llvm::Function& function, const collective_operations& operations);

}  // namespace heddle::pass
