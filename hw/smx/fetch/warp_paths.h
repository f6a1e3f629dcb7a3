// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/divergence/formation.h"
#include "hw/smx/fetch/instruction_buffers.h"
#include "hw/smx/warp_scheduler/warp_view.h"
#include "models/isa/instruction.h"
#include "models/program/address_map.h"
#include "models/program/kernel.h"

namespace heddle {

/// Where each warp slot is in its code, and the fetched instructions that wait for issue there.
/// Fetch writes it for the issue stage.
class warp_paths {
public:
    warp_paths(unsigned warps, unsigned buffer) : buffers_(buffer), paths_(warps) {}

    /// A new warp in the slot.
    void start(unsigned warp, const warp_group& group, const program::kernel_code& code) {
        paths_[warp] = {group, code.instructions.data(), code.base,
                        static_cast<std::uint32_t>(code.instructions.size())};
        buffers_.flush(warp);
    }

    /// The threads that run, and their PC. It has no lanes when the warp has ended. The instruction
    /// at group().pc is the first in the buffer.
    [[nodiscard]] warp_group& group(unsigned warp) noexcept { return paths_[warp].group; }
    [[nodiscard]] const warp_group& group(unsigned warp) const noexcept {
        return paths_[warp].group;
    }
    /// That PC of each warp.
    [[nodiscard]] of_each_warp<std::uint32_t> pcs() const noexcept {
        return {paths_.front().group.pc, sizeof(path)};
    }
    /// program::code_position() of the next instruction.
    [[nodiscard]] std::uint32_t position(unsigned warp) const noexcept {
        return program::code_position(paths_[warp].group.pc);
    }
    [[nodiscard]] const isa::instruction& head(unsigned warp) const noexcept {
        return paths_[warp].code[(paths_[warp].group.pc - paths_[warp].base) / 4];
    }
    /// That of an instruction of the warp's code.
    [[nodiscard]] std::size_t position_of(unsigned warp, const isa::instruction& i) const noexcept {
        return program::code_position(paths_[warp].base) +
               static_cast<std::size_t>(&i - paths_[warp].code);
    }
    [[nodiscard]] bool in_code(unsigned warp, std::uint32_t pc) const noexcept {
        return (pc - paths_[warp].base) / 4 < paths_[warp].size;
    }
    /// Address of the first instruction that is not in the buffer.
    [[nodiscard]] std::uint32_t fetch_pc(unsigned warp) const noexcept {
        return paths_[warp].group.pc + 4 * buffers_.count(warp);
    }
    [[nodiscard]] instruction_buffers& buffers() noexcept { return buffers_; }
    [[nodiscard]] const instruction_buffers& buffers() const noexcept { return buffers_; }

private:
    struct path {
        warp_group group;
        const isa::instruction* code = nullptr;
        std::uint32_t base = 0;
        std::uint32_t size = 0;  ///< instructions
    };

    instruction_buffers buffers_;
    std::vector<path> paths_;
};

}  // namespace heddle
