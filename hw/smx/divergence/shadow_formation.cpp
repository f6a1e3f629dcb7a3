// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <ostream>
#include <utility>

#include "hw/smx/divergence/formation.h"

namespace heddle {
namespace {

using field = slot_field<warp_group>;
constexpr field fields[] = {
    {"pc", [](const warp_group& g, std::uint32_t) { return std::uint64_t{g.pc}; }, nullptr,
     field::notation::hexadecimal},
    {"limit",
     [](const warp_group& g, std::uint32_t) {
         return g.limit == simt::never ? field::none : std::uint64_t{g.limit};
     },
     nullptr, field::notation::hexadecimal},
    {"lanes", [](const warp_group& g, std::uint32_t) { return std::uint64_t{g.lanes}; }, nullptr,
     field::notation::hexadecimal}};

struct formation_call {
    const char* name;
    unsigned warp;
    std::uint64_t pc;  ///< field::none: the call has none
};
std::ostream& operator<<(std::ostream& to, const formation_call& call) {
    to << '{' << call.name << ", warp " << call.warp;
    if (call.pc != field::none) to << ", pc 0x" << std::hex << call.pc << std::dec;
    return to << '}';
}

/// Runs two formations in lock step and compares the group that each call gives.
class shadow_formation final : public formation {
public:
    shadow_formation(std::unique_ptr<formation> tlm, std::unique_ptr<formation> rtl,
                     lock_step comparison)
        : tlm_(std::move(tlm)), rtl_(std::move(rtl)), comparison_(std::move(comparison)) {}

    warp_group start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) override {
        return same("start", warp, pc, tlm_->start(warp, pc, lanes), rtl_->start(warp, pc, lanes));
    }
    warp_group advance(unsigned warp, std::uint32_t pc) override {
        return same("advance", warp, pc, tlm_->advance(warp, pc), rtl_->advance(warp, pc));
    }
    warp_group follow(unsigned warp, const simt::transfer& to) override {
        return same("follow", warp, to.groups[0].pc, tlm_->follow(warp, to),
                    rtl_->follow(warp, to));
    }
    warp_group exit(unsigned warp, isa::lane_mask lanes) override {
        return same("exit", warp, field::none, tlm_->exit(warp, lanes), rtl_->exit(warp, lanes));
    }
    /// What an implementation saves is its own.
    void save(unsigned warp, std::vector<std::uint32_t>& words) const override {
        const std::size_t length = words.size();
        words.push_back(0);
        tlm_->save(warp, words);
        words[length] = static_cast<std::uint32_t>(words.size() - length);
        rtl_->save(warp, words);
    }
    warp_group restore(unsigned warp, const std::uint32_t* words) override {
        return same("restore", warp, field::none, tlm_->restore(warp, words + 1),
                    rtl_->restore(warp, words + *words));
    }
    void mark(unsigned warp, std::uint32_t pc) override {
        tlm_->mark(warp, pc);
        rtl_->mark(warp, pc);
    }
    /// Not compared: the groups of the calls that follow are.
    [[nodiscard]] bool at_mark(unsigned warp) const override { return tlm_->at_mark(warp); }
    warp_group leave(unsigned warp, isa::lane_mask lanes) override {
        return same("leave", warp, field::none, tlm_->leave(warp, lanes), rtl_->leave(warp, lanes));
    }
    warp_group rewind(unsigned warp, isa::lane_mask lanes) override {
        return same("rewind", warp, field::none, tlm_->rewind(warp, lanes),
                    rtl_->rewind(warp, lanes));
    }
    warp_group release(unsigned warp, std::uint32_t pc) override {
        return same("release", warp, pc, tlm_->release(warp, pc), rtl_->release(warp, pc));
    }
    /// For reports, and not compared.
    [[nodiscard]] warp_group waiting(unsigned warp, isa::lane_mask live) const override {
        return tlm_->waiting(warp, live);
    }

private:
    warp_group same(const char* name, unsigned warp, std::uint64_t pc, const warp_group& tlm,
                    const warp_group& rtl) {
        const formation_call call{name, warp, pc};
        comparison_.compare(fields, tlm, rtl, [&](std::ostream& to) {
            to << call;
            history_.write(to);
        });
        history_.add(comparison_.cycle(), call);
        return tlm;
    }

    std::unique_ptr<formation> tlm_;
    std::unique_ptr<formation> rtl_;
    lock_step comparison_;
    call_history<formation_call> history_;
};

}  // namespace

std::unique_ptr<formation> formation_traits::shadow(std::unique_ptr<formation> tlm,
                                                    std::unique_ptr<formation> rtl,
                                                    lock_step comparison) {
    return std::make_unique<shadow_formation>(std::move(tlm), std::move(rtl),
                                              std::move(comparison));
}

}  // namespace heddle
