// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/pipeline/register_file.h"

#include <algorithm>
#include <vector>

#include "models/base/host_cache.h"
#include "models/simt/thread_registers.h"

namespace heddle {
namespace {

template <unsigned Lanes>
class lane_register_file final : public register_file {
public:
    explicit lane_register_file(unsigned warps) : warps_(warps) { staging_.start(0, 0); }

    void start(unsigned warp, std::uint32_t parameters, std::uint32_t private_bytes) override {
        warps_[warp].start(parameters, private_bytes);
    }

    isa::lane_mask compute(const thread_group& group, const isa::instruction& i) override {
        if (group.threads == nullptr) {
            return warps_[group.home].execute(i, group.pc, group.lanes);
        }
        gather(group, i);
        const isa::lane_mask illegal = staging_.execute(i, group.pc, group.lanes);
        if (illegal == 0) scatter(group, i.rd, staging_.x[i.rd], group.lanes);
        return illegal;
    }

    isa::lane_mask branch_taken(const thread_group& group,
                                const isa::instruction& i) const override {
        return isa::branch_taken<Lanes>(i, operands(group, i), group.lanes);
    }

    void jump_targets(const thread_group& group, const isa::instruction& i,
                      std::uint32_t* targets) const override {
        isa::jump_targets<Lanes>(i, operands(group, i), targets);
    }

    void access_csr(unsigned warp, const isa::instruction& i, isa::lane_mask lanes,
                    const simt::csr_context& context) override {
        warps_[warp].access_csr(i, lanes, context);
    }

    void read_access(const thread_group& group, const isa::instruction& i, std::uint32_t* address,
                     std::uint32_t* data, std::uint32_t* compare) const override {
        const auto& registers = operands(group, i);
        isa::effective_addresses<Lanes>(i, registers, address);
        if (i.cls == isa::instruction_class::load) return;
        std::copy_n(registers.x[i.rs2], Lanes, data);
        if (i.op == isa::opcode::amocas_w) std::copy_n(registers.x[i.rs3], Lanes, compare);
    }

    void write(const thread_homes& homes, unsigned rd, const std::uint32_t* values,
               isa::lane_mask lanes) override {
        if (homes.threads == nullptr) {
            return isa::write_register<Lanes>(warps_[homes.home], rd, values, lanes);
        }
        scatter(homes, rd, values, lanes);
    }

    void expect(unsigned warp, const isa::instruction& i) const noexcept override {
        for (const unsigned index : {i.rs1, i.rs2, i.rd}) {
            prefetch_bytes(warps_[warp].x[index], Lanes * sizeof(std::uint32_t));
        }
    }
    [[nodiscard]] const std::uint32_t* row(unsigned warp, unsigned index) const noexcept override {
        return warps_[warp].x[index];
    }
    [[nodiscard]] const std::uint8_t* rounding_modes(unsigned warp) const noexcept override {
        return warps_[warp].rounding_modes();
    }
    void set_rounding_modes(unsigned warp, const std::uint8_t* modes) noexcept override {
        warps_[warp].set_rounding_modes(modes);
    }

    void save(unsigned warp, isa::lane_mask lanes) override {
        if (saved_.empty()) saved_.resize(warps_.size());
        if (lanes == bits::below(Lanes)) {
            saved_[warp] = warps_[warp];
        } else {
            saved_[warp].restore(warps_[warp], lanes);
        }
    }
    void restore(unsigned warp, isa::lane_mask lanes) override {
        warps_[warp].restore(saved_[warp], lanes);
    }

private:
    using registers = simt::thread_registers<Lanes>;

    /// What the instruction reads, by pipeline lane.
    [[nodiscard]] const registers& operands(const thread_group& group,
                                            const isa::instruction& i) const {
        if (group.threads == nullptr) return warps_[group.home];
        gather(group, i);
        return staging_;
    }
    void gather(const thread_group& group, const isa::instruction& i) const {
        staging_.begin_gather();
        bits::for_each(group.lanes, [&](unsigned lane) {
            const thread_home home = home_of(group, lane, Lanes);
            staging_.gather(i, lane, warps_[home.warp], home.lane);
        });
    }
    void scatter(const thread_homes& homes, unsigned rd, const std::uint32_t* values,
                 isa::lane_mask lanes) {
        bits::for_each(lanes, [&](unsigned lane) {
            const thread_home home = home_of(homes, lane, Lanes);
            warps_[home.warp].x[rd][home.lane] = values[lane];
        });
    }

    std::vector<registers> warps_;
    std::vector<registers> saved_;  ///< empty until save()
    mutable registers staging_;     ///< the operands of one gathered group, during one call
};

}  // namespace

std::unique_ptr<register_file> make_register_file(unsigned lanes, unsigned warps) {
    return isa::with_warp_size(lanes, [&](auto size) -> std::unique_ptr<register_file> {
        return std::make_unique<lane_register_file<size()>>(warps);
    });
}

}  // namespace heddle
