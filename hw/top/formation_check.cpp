// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/formation_check.h"

#include <fmt/format.h>

#include "hw/smx/thread_pool/formations.h"
#include "models/base/error.h"
#include "models/simt/fault_text.h"

namespace heddle {

void check_kernel(formation_policy formation, const program::kernel& kernel,
                  const program::image& image) {
    if (!row_of(formation).on_pool) return;
    const auto refuse = [&](std::uint32_t pc, const char* what) {
        throw run_error(
            error_kind::kernel_fault,
            fmt::format("launch of kernel '{}': it may reach '{}' at {}; smx.formation = {} has no "
                        "{}",
                        kernel.name, isa::disassemble(kernel.code.at(pc), pc),
                        simt::place_text(image, pc), row_of(formation).name, what));
    };
    if (kernel.transaction_pc) refuse(*kernel.transaction_pc, "transactions");
}

}  // namespace heddle
