// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/execute.h"

namespace heddle::iss {

/// Registers that an instruction reads, a bit each, without x0.
[[nodiscard]] std::uint32_t source_mask(const isa::instruction& i) noexcept;

/// The lanes in which a register of a warp holds an undefined value: one that was loaded from
/// private memory that the thread had never written, or was computed from such a value. A compiler
/// may load a value that nobody uses then, so only the use is a mistake.
///
/// A register is defined or undefined as a whole. A result is defined if the undefined operand does
/// not matter: czero.eqz and czero.nez that give 0, and with 0, or with all ones, a register minus
/// or xor itself. A shuffle gives what its source lane has.
template <unsigned Lanes>
class undefined_registers {
public:
    /// A warp starts: all registers are defined.
    void start() { *this = {}; }
    /// False: no register of the warp has been undefined so far.
    [[nodiscard]] bool any() const noexcept { return any_; }
    [[nodiscard]] isa::lane_mask of(unsigned index) const noexcept { return lanes_[index]; }
    /// PC of the load that gave the undefined value.
    [[nodiscard]] std::uint32_t loaded_at(unsigned index) const noexcept { return loaded_[index]; }

    /// `lanes` of a register are written, `undefined` of them with an undefined value.
    void write(unsigned index, isa::lane_mask lanes, isa::lane_mask undefined,
               std::uint32_t loaded_at) noexcept;
    /// All registers of `lanes` become as defined as those of `from`.
    void copy(const undefined_registers& from, isa::lane_mask lanes) noexcept {
        for (std::size_t index = 0; index < lanes_.size(); ++index) {
            lanes_[index] = (lanes_[index] & ~lanes) | (from.lanes_[index] & lanes);
            if ((from.lanes_[index] & lanes) != 0) loaded_[index] = from.loaded_[index];
        }
        any_ = any_ || from.any_;
    }
    /// Carries out an instruction that accesses no memory; before the registers change.
    void execute(const isa::instruction& i, const isa::warp_registers<Lanes>& registers,
                 isa::lane_mask lanes) noexcept;

private:
    [[nodiscard]] isa::lane_mask result(const isa::instruction& i,
                                        const isa::warp_registers<Lanes>& registers,
                                        isa::lane_mask lanes) const noexcept;
    [[nodiscard]] isa::lane_mask shuffled(const isa::instruction& i,
                                          const isa::warp_registers<Lanes>& registers,
                                          isa::lane_mask lanes) const noexcept;

    std::array<isa::lane_mask, isa::register_count + 1> lanes_{};
    std::array<std::uint32_t, isa::register_count + 1> loaded_{};
    bool any_ = false;
};

}  // namespace heddle::iss
