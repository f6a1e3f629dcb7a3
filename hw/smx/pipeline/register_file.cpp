// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/register_file.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/isa/csr.h"
#include "models/isa/execute.h"

namespace heddle {
namespace {

constexpr unsigned register_sp = 2;
constexpr unsigned register_a0 = 10;

template <unsigned Lanes>
class lane_register_file final : public register_file {
public:
    explicit lane_register_file(unsigned warps) : warps_(warps) {}

    void start(unsigned warp, std::uint32_t parameters, std::uint32_t sp) override {
        state& w = warps_[warp];
        std::memset(&w.registers, 0, sizeof w.registers);
        std::fill_n(w.registers.x[register_a0], Lanes, parameters);
        std::fill_n(w.registers.x[register_sp], Lanes, sp);
        std::fill(std::begin(w.frm), std::end(w.frm), std::uint8_t{0});
        w.rounds_to_nearest = true;
    }

    isa::lane_mask compute(unsigned warp, const isa::instruction& i, std::uint32_t pc,
                           isa::lane_mask lanes) override {
        state& w = warps_[warp];
        const std::uint8_t* const frm = w.rounds_to_nearest ? nullptr : w.frm;
        if (frm != nullptr) {
            const isa::lane_mask bad = isa::illegal_rounding<Lanes>(i, lanes, frm);
            if (bad != 0) return bad;
        }
        isa::execute<Lanes>(i, pc, w.registers, lanes, frm);
        return 0;
    }

    isa::lane_mask branch_taken(unsigned warp, const isa::instruction& i,
                                isa::lane_mask lanes) const override {
        return isa::branch_taken<Lanes>(i, warps_[warp].registers, lanes);
    }

    void jump_targets(unsigned warp, const isa::instruction& i,
                      std::uint32_t* targets) const override {
        isa::jump_targets<Lanes>(i, warps_[warp].registers, targets);
    }

    void access_csr(unsigned warp, const isa::instruction& i, isa::lane_mask lanes,
                    const csr_context& context) override {
        state& w = warps_[warp];
        alignas(64) std::uint32_t old[Lanes];
        read_csr(w, isa::csr_number(i), context, old);
        if (isa::csr_writes(i)) write_rounding(w, i, lanes, old);
        isa::write_register<Lanes>(w.registers, i.rd, old, lanes);
    }

    void read_access(unsigned warp, const isa::instruction& i, std::uint32_t* address,
                     std::uint32_t* data, std::uint32_t* compare) const override {
        const auto& registers = warps_[warp].registers;
        isa::effective_addresses<Lanes>(i, registers, address);
        if (i.cls == isa::instruction_class::load) return;
        std::copy_n(registers.x[i.rs2], Lanes, data);
        if (i.op == isa::opcode::amocas_w) std::copy_n(registers.x[i.rs3], Lanes, compare);
    }

    void write(unsigned warp, unsigned rd, const std::uint32_t* values,
               isa::lane_mask lanes) override {
        isa::write_register<Lanes>(warps_[warp].registers, rd, values, lanes);
    }

    [[nodiscard]] const std::uint32_t* row(unsigned warp, unsigned index) const noexcept override {
        return warps_[warp].registers.x[index];
    }

private:
    struct state {
        isa::warp_registers<Lanes> registers;
        std::uint8_t frm[Lanes];  ///< dynamic rounding mode of each lane
        bool rounds_to_nearest;   ///< all of frm are RNE
    };

    static void read_csr(const state& w, std::uint32_t number, const csr_context& context,
                         std::uint32_t* values) {
        using isa::csr;
        const auto which = static_cast<csr>(number);
        if (simt::read_identity(which, context.block, context.warp, Lanes, values)) return;
        std::uint64_t uniform = 0;
        switch (which) {
            case csr::frm:
                std::copy_n(w.frm, Lanes, values);
                return;
            case csr::fcsr:
                for (unsigned lane = 0; lane < Lanes; ++lane) values[lane] = w.frm[lane] << 5;
                return;
            case csr::cycle:
            case csr::time:
            case csr::clock:
                uniform = context.clock;
                break;
            case csr::cycleh:
            case csr::timeh:
            case csr::clockh:
                uniform = context.clock >> 32;
                break;
            case csr::instret:
                uniform = context.instruction;
                break;
            case csr::instreth:
                uniform = context.instruction >> 32;
                break;
            default:
                break;  // fflags reads 0
        }
        std::fill_n(values, Lanes, static_cast<std::uint32_t>(uniform));
    }

    static void write_rounding(state& w, const isa::instruction& i, isa::lane_mask lanes,
                               const std::uint32_t* old) {
        const auto which = static_cast<isa::csr>(isa::csr_number(i));
        if (which == isa::csr::fflags) return;
        const unsigned shift = which == isa::csr::fcsr ? 5 : 0;
        for (; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctzll(lanes));
            const std::uint32_t value = isa::csr_result(i, old[lane], w.registers.x[i.rs1][lane]);
            w.frm[lane] = static_cast<std::uint8_t>(value >> shift & 7);
        }
        w.rounds_to_nearest = std::all_of(std::begin(w.frm), std::end(w.frm), [](auto mode) {
            return mode == isa::rounding::nearest_even;
        });
    }

    std::vector<state> warps_;
};

}  // namespace

std::unique_ptr<register_file> make_register_file(unsigned lanes, unsigned warps) {
    switch (lanes) {
        case 32:
            return std::make_unique<lane_register_file<32>>(warps);
        case 64:
            return std::make_unique<lane_register_file<64>>(warps);
        default:
            throw configuration_error("gpu.warp_size = " + std::to_string(lanes) +
                                      ": a warp has 32 or 64 threads");
    }
}

}  // namespace heddle
