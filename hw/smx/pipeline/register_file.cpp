// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/register_file.h"

#include <algorithm>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/simt/thread_registers.h"

namespace heddle {
namespace {

template <unsigned Lanes>
class lane_register_file final : public register_file {
public:
    explicit lane_register_file(unsigned warps) : warps_(warps) {}

    void start(unsigned warp, std::uint32_t parameters, std::uint32_t private_bytes) override {
        warps_[warp].start(parameters, private_bytes);
    }

    isa::lane_mask compute(unsigned warp, const isa::instruction& i, std::uint32_t pc,
                           isa::lane_mask lanes) override {
        return warps_[warp].execute(i, pc, lanes);
    }

    isa::lane_mask branch_taken(unsigned warp, const isa::instruction& i,
                                isa::lane_mask lanes) const override {
        return isa::branch_taken<Lanes>(i, warps_[warp], lanes);
    }

    void jump_targets(unsigned warp, const isa::instruction& i,
                      std::uint32_t* targets) const override {
        isa::jump_targets<Lanes>(i, warps_[warp], targets);
    }

    void access_csr(unsigned warp, const isa::instruction& i, isa::lane_mask lanes,
                    const simt::csr_context& context) override {
        warps_[warp].access_csr(i, lanes, context);
    }

    void read_access(unsigned warp, const isa::instruction& i, std::uint32_t* address,
                     std::uint32_t* data, std::uint32_t* compare) const override {
        const auto& registers = warps_[warp];
        isa::effective_addresses<Lanes>(i, registers, address);
        if (i.cls == isa::instruction_class::load) return;
        std::copy_n(registers.x[i.rs2], Lanes, data);
        if (i.op == isa::opcode::amocas_w) std::copy_n(registers.x[i.rs3], Lanes, compare);
    }

    void write(unsigned warp, unsigned rd, const std::uint32_t* values,
               isa::lane_mask lanes) override {
        isa::write_register<Lanes>(warps_[warp], rd, values, lanes);
    }

    [[nodiscard]] const std::uint32_t* row(unsigned warp, unsigned index) const noexcept override {
        return warps_[warp].x[index];
    }

private:
    std::vector<simt::thread_registers<Lanes>> warps_;
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
