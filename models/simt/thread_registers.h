// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "models/base/bits.h"
#include "models/isa/csr.h"
#include "models/isa/execute.h"
#include "models/program/address_map.h"
#include "models/simt/special_registers.h"

namespace heddle::simt {

/// Registers and rounding modes of a warp's threads, and the instructions that need nothing else.
template <unsigned Lanes>
class thread_registers : public isa::warp_registers<Lanes> {
public:
    using isa::warp_registers<Lanes>::x;

    /// The threads of a warp start: a0 is the address of the parameters, sp the end of the private
    /// window, all other registers are 0, and they round to nearest even.
    void start(std::uint32_t parameters, std::uint32_t private_bytes) noexcept {
        constexpr unsigned sp = 2;
        constexpr unsigned a0 = 10;
        std::memset(x, 0, sizeof x);
        std::fill_n(x[a0], Lanes, parameters);
        std::fill_n(x[sp], Lanes, program::private_window.base + private_bytes);
        std::fill_n(frm_, Lanes, isa::rounding::nearest_even);
        rounds_to_nearest_ = true;
    }

    /// isa::execute(). Returns the lanes whose rounding mode makes the instruction illegal; it is
    /// then not carried out.
    [[nodiscard]] isa::lane_mask execute(const isa::instruction& i, std::uint32_t pc,
                                         isa::lane_mask lanes) noexcept {
        const std::uint8_t* const frm = rounds_to_nearest_ ? nullptr : frm_;
        if (frm != nullptr) {
            const isa::lane_mask illegal = isa::illegal_rounding<Lanes>(i, lanes, frm);
            if (illegal != 0) return illegal;
        }
        isa::execute<Lanes>(i, pc, *this, lanes, frm);
        return 0;
    }

    /// Carries out a csr instruction for which isa::csr_legal() holds.
    void access_csr(const isa::instruction& i, isa::lane_mask lanes,
                    const csr_context& context) noexcept {
        alignas(64) std::uint32_t old[Lanes];
        read_csr(static_cast<isa::csr>(isa::csr_number(i)), context, Lanes, frm_, old);
        if (isa::csr_writes(i)) write_rounding(i, lanes, old);
        isa::write_register<Lanes>(*this, i.rd, old, lanes);
    }

    /// Of each lane.
    [[nodiscard]] const std::uint8_t* rounding_modes() const noexcept { return frm_; }
    void set_rounding_modes(const std::uint8_t* modes) noexcept {
        std::copy_n(modes, Lanes, frm_);
        note_rounding();
    }

    /// These lanes become as they are in `from`.
    void restore(const thread_registers& from, isa::lane_mask lanes) noexcept {
        for (unsigned r = 0; r < std::size(x); ++r) {
            bits::for_each(lanes, [&](unsigned lane) { x[r][lane] = from.x[r][lane]; });
        }
        bits::for_each(lanes, [&](unsigned lane) { frm_[lane] = from.frm_[lane]; });
        note_rounding();
    }

    /// Lanes are filled from other warps from now on, by gather().
    void begin_gather() noexcept { rounds_to_nearest_ = true; }
    /// Lane `lane` gets what the instruction reads of a lane of `from`.
    void gather(const isa::instruction& i, unsigned lane, const thread_registers& from,
                unsigned from_lane) noexcept {
        for (const unsigned r : {i.rs1, i.rs2, i.rs3}) x[r][lane] = from.x[r][from_lane];
        frm_[lane] = from.frm_[from_lane];
        rounds_to_nearest_ = rounds_to_nearest_ && from.rounds_to_nearest_;
    }

private:
    /// The only writable CSRs are frm and those that contain it.
    void write_rounding(const isa::instruction& i, isa::lane_mask lanes,
                        const std::uint32_t* old) noexcept {
        const auto which = static_cast<isa::csr>(isa::csr_number(i));
        if (which == isa::csr::fflags) return;
        const unsigned shift = which == isa::csr::fcsr ? 5 : 0;
        bits::for_each(lanes, [&](unsigned lane) {
            const std::uint32_t value = isa::csr_result(i, old[lane], x[i.rs1][lane]);
            frm_[lane] = static_cast<std::uint8_t>(value >> shift & 7);
        });
        note_rounding();
    }
    void note_rounding() noexcept {
        rounds_to_nearest_ = std::all_of(std::begin(frm_), std::end(frm_), [](std::uint8_t mode) {
            return mode == isa::rounding::nearest_even;
        });
    }

    std::uint8_t frm_[Lanes];  ///< dynamic rounding mode of each lane
    bool rounds_to_nearest_;   ///< all of frm_ are RNE: execute() need not look at them
};

}  // namespace heddle::simt
