// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/pass/kernel_limits.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Function.h>

#include <algorithm>

#include "models/program/pass/annotations.h"

namespace heddle::pass {

namespace {

// host_defines.h has these words, too.
constexpr const char* bounds_text = "heddle_launch_bounds";
constexpr const char* registers_text = "heddle_registers";
// kernel_table.cpp has this one.
constexpr const char* entry_prefix = "__heddle_entry_";

constexpr const char* features = "target-features";
constexpr const char* reserved = "+reserve-x";
constexpr std::uint64_t fewest_registers = 18;  ///< of cuda_source
constexpr std::uint64_t all_registers = 32;

void add_features(llvm::Function& function, llvm::StringRef more) {
    const llvm::StringRef own = function.getFnAttribute(features).getValueAsString();
    function.addFnAttr(features, (own + (own.empty() ? "" : ",") + more).str());
}

void limit_registers(llvm::Function& kernel, std::uint64_t count) {
    std::string more;
    for (auto n = std::max(count, fewest_registers); n < all_registers; ++n) {
        more += (more.empty() ? "" : ",") + (reserved + std::to_string(n));
    }
    if (!more.empty()) add_features(kernel, more);
}

void write_bounds(llvm::Module& module, const llvm::Function& kernel, std::uint64_t threads) {
    module.appendModuleInlineAsm((".pushsection .heddle.bounds,\"\",@progbits\n.ascii \"" +
                                  kernel.getName() + " " + std::to_string(threads) +
                                  "\\n\"\n.popsection")
                                     .str());
}

bool take_kernel(llvm::Module& module, const annotation& found) {
    auto* const kernel = llvm::dyn_cast<llvm::Function>(found.of);
    if (kernel == nullptr || found.number == nullptr) return false;
    const std::uint64_t number = found.number->getZExtValue();
    if (found.text == bounds_text) {
        if (number != 0) write_bounds(module, *kernel, number);
        return true;
    }
    if (found.text != registers_text) return false;
    limit_registers(*kernel, number);
    return true;
}

/// The same registers are reserved in a stub as in its kernel.
bool fit_stub(llvm::Module& module, llvm::Function& stub) {
    llvm::StringRef name = stub.getName();
    if (!name.consume_front(entry_prefix)) return false;
    const llvm::Function* const kernel = module.getFunction(name);
    if (kernel == nullptr) return false;
    llvm::SmallVector<llvm::StringRef, 32> words;
    kernel->getFnAttribute(features).getValueAsString().split(words, ',');
    llvm::erase_if(words, [](llvm::StringRef word) { return !word.starts_with(reserved); });
    if (words.empty()) return false;
    add_features(stub, llvm::join(words, ","));
    return true;
}

}  // namespace

bool limit_kernels(llvm::Module& module) {
    bool changed = false;
    take_annotations(module, [&](const annotation& found) {
        const bool taken = take_kernel(module, found);
        changed |= taken;
        return taken;
    });
    for (llvm::Function& function : module) {
        if (!function.isDeclaration()) changed |= fit_stub(module, function);
    }
    return changed;
}

}  // namespace heddle::pass
