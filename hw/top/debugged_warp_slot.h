// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hw/smx/execute/execution_observer.h"
#include "hw/smx/smx_inside.h"
#include "models/device/basic_device.h"
#include "models/simt/debugged_warp.h"
#include "models/simt/private_layout.h"

namespace heddle {

/// What debugged warps of a machine have in common; all of it outlives them.
struct debugged_parts {
    smx_inside inside;  ///< of the warp's SMX
    /// Of all SMXs, for bytes that a debugger changes.
    std::vector<load_store_unit*> load_store_units;
    basic_device& device;
    simt::private_layout layout;
};

/// A warp in a slot of an SMX, for a debugger.
///
/// The pipeline executes at issue, and memory follows later. A thread's memory is shown as the
/// thread sees it: bytes that its warp has stored are remembered from their issue on, those of
/// private memory as long as the warp lives, the others until the warp's writes have been
/// performed. A register that a load under way will write is_awaited().
class debugged_warp_slot final : public simt::debugged_warp {
public:
    debugged_warp_slot(const debugged_parts& parts, unsigned slot) : parts_(parts), slot_(slot) {}

    // What happens to the warp
    void accessed(const issued_instruction& issued, const memory_instruction& access);
    void loaded(issue_number number, isa::lane_mask lanes);
    void completed(issue_number number);
    void writes_drained() { stored_.clear(); }
    /// By the debugger: issues nothing from the next cycle on, or may go on.
    void hold(bool held);

    // simt::debugged_warp
    [[nodiscard]] const std::string& kernel() const override { return context().kernel->name; }
    [[nodiscard]] const simt::block_identity& block() const override { return context().identity; }
    [[nodiscard]] unsigned index() const override { return home().index; }
    [[nodiscard]] unsigned lanes() const override { return parts_.layout.lanes; }
    [[nodiscard]] isa::lane_mask live() const override { return home().live; }
    [[nodiscard]] std::string doing() const override;
    [[nodiscard]] std::vector<simt::reconvergence_stack::entry> stack() const override;
    [[nodiscard]] std::uint32_t value(unsigned index, unsigned lane) const override {
        return parts_.inside.registers.value(slot_, index, lane);
    }
    [[nodiscard]] bool is_awaited(unsigned index, unsigned lane) const override;
    void set(unsigned index, unsigned lane, std::uint32_t value) override;
    bool read(unsigned lane, std::uint32_t address, std::byte* to, std::size_t bytes) override;
    bool write(unsigned lane, std::uint32_t address, const std::byte* from,
               std::size_t bytes) override;

    [[nodiscard]] unsigned slot() const noexcept { return slot_; }
    [[nodiscard]] bool at_barrier() const;

private:
    /// A load or atomic whose values have not all come.
    struct load {
        issue_number number;
        unsigned rd;
        isa::lane_mask lanes;
    };

    [[nodiscard]] const block_table::home_warp& home() const {
        return parts_.inside.blocks.warp(slot_);
    }
    [[nodiscard]] const block_table::block_context& context() const {
        return parts_.inside.blocks.block(home().block);
    }
    [[nodiscard]] std::uint32_t device_address(unsigned lane, std::uint32_t address) const;
    /// Whether all bytes are there.
    [[nodiscard]] bool exists(std::uint32_t address, std::size_t bytes, bool write) const;
    void poke(std::uint32_t address, const std::byte* from, std::size_t bytes);

    const debugged_parts& parts_;
    const unsigned slot_;
    bool held_ = false;
    std::vector<load> loads_;
    std::unordered_map<std::uint32_t, std::byte> stored_;   ///< by address
    std::unordered_map<std::uint64_t, std::byte> private_;  ///< by lane and address
};

}  // namespace heddle
