// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/smx/pipeline/scoreboard.h"
#include "hw/smx/smx_configuration.h"
#include "models/program/kernel.h"

namespace heddle {

/// What the pipeline needs to know of a static instruction, beside the instruction itself.
struct issue_info {
    register_mask operands = 0;  ///< registers that must not wait for a result
    unit_class unit = unit_class::integer;
    std::uint8_t extra_read_cycles = 0;  ///< register bank conflicts
    /// The next instruction of the warp is known only when this one has issued.
    bool ends_fetch = false;
    /// Instructions up to the first one that ends_fetch, both included; at most 255.
    std::uint8_t run = 1;
    /// Takes a port of the constant cache, not the input of its unit.
    bool loads_constants = false;
};

/// Registers that an instruction reads, x0 left out.
[[nodiscard]] register_mask source_registers(const isa::instruction& instruction) noexcept;
/// The pipeline that an instruction goes to.
[[nodiscard]] unit_class unit_of(const isa::instruction& instruction) noexcept;
[[nodiscard]] issue_info describe_issue(const isa::instruction& instruction,
                                        const smx_configuration& configuration) noexcept;

/// issue_info of every instruction of the programs, by program::code_position(). The kernels of one
/// image differ in shared-memory addresses only, so they share its entries.
class issue_table {
public:
    /// Enters a program. `constants`: the SMX has a constant cache, so loads of constants are told
    /// apart.
    void add(const program::kernel_code& code, const smx_configuration& configuration,
             bool constants = false);
    [[nodiscard]] const issue_info& operator[](std::size_t position) const noexcept {
        return entries_[position];
    }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    /// Whether a program had an instruction of the class.
    [[nodiscard]] bool has(isa::instruction_class cls) const noexcept {
        return ((classes_ >> static_cast<unsigned>(cls)) & 1U) != 0;
    }

private:
    std::uint32_t classes_ = 0;  ///< of the programs' instructions, one bit each
    std::vector<issue_info> entries_;
};

}  // namespace heddle
