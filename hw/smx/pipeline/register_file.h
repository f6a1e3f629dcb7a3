// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/smx/pipeline/thread_group.h"
#include "models/isa/instruction.h"
#include "models/simt/special_registers.h"

namespace heddle {

/// Registers of all threads of an SMX by home warp slot and lane, and what instructions do to them:
/// the functional half of the pipeline. Values appear at issue; the scoreboard keeps them from
/// being seen early.
///
/// A group in place works on the rows of its home warp. Any other group works on a staging row for
/// each operand: its threads' values are gathered there by pipeline lane, and the result is
/// scattered to their homes. Votes and shuffles need a group in place.
/// Lane arrays have protocol::maximum_lanes elements, by pipeline lane; only the group's lanes of
/// them mean anything.
class register_file {
public:
    register_file() = default;
    register_file(const register_file&) = delete;
    register_file& operator=(const register_file&) = delete;
    virtual ~register_file() = default;

    /// simt::thread_registers::start() of a home warp.
    virtual void start(unsigned warp, std::uint32_t parameters, std::uint32_t private_bytes) = 0;
    /// simt::thread_registers::execute(); returns pipeline lanes.
    virtual isa::lane_mask compute(const thread_group& group,
                                   const isa::instruction& instruction) = 0;
    [[nodiscard]] virtual isa::lane_mask branch_taken(
        const thread_group& group, const isa::instruction& instruction) const = 0;
    virtual void jump_targets(const thread_group& group, const isa::instruction& instruction,
                              std::uint32_t* targets) const = 0;
    /// Carries out a legal csr instruction in lanes of one home warp.
    virtual void access_csr(unsigned warp, const isa::instruction& instruction,
                            isa::lane_mask lanes, const simt::csr_context& context) = 0;
    /// Addresses and operands (rs2, rs3) of a load, store or atomic. Loads have no operands.
    virtual void read_access(const thread_group& group, const isa::instruction& instruction,
                             std::uint32_t* address, std::uint32_t* data,
                             std::uint32_t* compare) const = 0;
    /// x[rd] = values in `lanes`; rd may be isa::sink_register.
    virtual void write(const thread_homes& homes, unsigned rd, const std::uint32_t* values,
                       isa::lane_mask lanes) = 0;
    /// Has the host's cache fetch what an instruction in place will read and write: by then all
    /// other SMXs have used the cache.
    virtual void expect(unsigned warp, const isa::instruction& instruction) const noexcept = 0;
    /// One register of a home warp in all lanes, for observers.
    [[nodiscard]] virtual const std::uint32_t* row(unsigned warp,
                                                   unsigned index) const noexcept = 0;
    /// Rounding modes of a home warp, by lane.
    [[nodiscard]] virtual const std::uint8_t* rounding_modes(unsigned warp) const noexcept = 0;
    virtual void set_rounding_modes(unsigned warp, const std::uint8_t* modes) noexcept = 0;
    /// Copies the registers and rounding modes of these lanes of a home warp, for restore().
    virtual void save(unsigned warp, isa::lane_mask lanes) = 0;
    /// These lanes get what save() has copied of them last.
    virtual void restore(unsigned warp, isa::lane_mask lanes) = 0;
    /// One register of one lane, for tests.
    [[nodiscard]] std::uint32_t value(unsigned warp, unsigned index, unsigned lane) const {
        return row(warp, index)[lane];
    }
};

/// Throws configuration_error if no warp has that many lanes.
std::unique_ptr<register_file> make_register_file(unsigned lanes, unsigned warps);

}  // namespace heddle
