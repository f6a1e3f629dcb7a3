// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <ostream>
#include <utility>

#include "hw/smx/divergence/formation.h"

namespace heddle {
namespace {

/// What a call gives.
struct formation_answer {
    warp_group group;
    bool overflow = false;
};

using field = slot_field<formation_answer>;
constexpr field fields[] = {
    {"overflow",
     [](const formation_answer& a, std::uint32_t) { return std::uint64_t{a.overflow}; }},
    {"pc", [](const formation_answer& a, std::uint32_t) { return std::uint64_t{a.group.pc}; },
     nullptr, field::notation::hexadecimal},
    {"limit",
     [](const formation_answer& a, std::uint32_t) {
         return a.group.limit == simt::never ? field::none : std::uint64_t{a.group.limit};
     },
     nullptr, field::notation::hexadecimal},
    {"lanes", [](const formation_answer& a, std::uint32_t) { return std::uint64_t{a.group.lanes}; },
     nullptr, field::notation::hexadecimal}};

using mark_field = slot_field<bool>;
constexpr mark_field mark_fields[] = {
    {"at_mark", [](const bool& at, std::uint32_t) { return std::uint64_t{at}; }}};

/// The words of a warp.
struct saved_state {
    const std::uint32_t* words;
    std::size_t count;
};
using saved_field = slot_field<saved_state>;
constexpr saved_field saved_fields[] = {
    {"saved",
     [](const saved_state& s, std::uint32_t word) {
         return word < s.count ? s.words[word] : saved_field::none;
     },
     [](const saved_state& s) { return static_cast<std::uint32_t>(s.count); },
     saved_field::notation::hexadecimal}};

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
        : tlm_(std::move(tlm)),
          rtl_(std::move(rtl)),
          comparison_(comparison),
          rest_(std::move(comparison)) {
        comparison_.show(fields);
    }

    warp_group start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) override {
        return same("start", warp, pc, tlm_->start(warp, pc, lanes), rtl_->start(warp, pc, lanes));
    }
    warp_group advance(unsigned warp, std::uint32_t pc) override {
        return same("advance", warp, pc, tlm_->advance(warp, pc), rtl_->advance(warp, pc));
    }
    std::optional<warp_group> follow(unsigned warp, const simt::transfer& to) override {
        const std::optional<warp_group> tlm = tlm_->follow(warp, to);
        const std::optional<warp_group> rtl = rtl_->follow(warp, to);
        compare(comparison_, fields, {"follow", warp, to.groups[0].pc},
                formation_answer{tlm.value_or(warp_group{}), !tlm},
                formation_answer{rtl.value_or(warp_group{}), !rtl});
        return tlm;
    }
    warp_group exit(unsigned warp, isa::lane_mask lanes) override {
        return same("exit", warp, field::none, tlm_->exit(warp, lanes), rtl_->exit(warp, lanes));
    }
    void save(unsigned warp, std::vector<std::uint32_t>& words) const override {
        const std::size_t before = words.size();
        tlm_->save(warp, words);
        std::vector<std::uint32_t> others;
        rtl_->save(warp, others);
        compare(rest_, saved_fields, {"save", warp, field::none},
                saved_state{words.data() + before, words.size() - before},
                saved_state{others.data(), others.size()});
    }
    warp_group restore(unsigned warp, const std::uint32_t* words) override {
        return same("restore", warp, field::none, tlm_->restore(warp, words),
                    rtl_->restore(warp, words));
    }
    void mark(unsigned warp, std::uint32_t pc) override {
        tlm_->mark(warp, pc);
        rtl_->mark(warp, pc);
    }
    [[nodiscard]] bool at_mark(unsigned warp) const override {
        const bool tlm = tlm_->at_mark(warp);
        compare(rest_, mark_fields, {"at_mark", warp, field::none}, tlm, rtl_->at_mark(warp));
        return tlm;
    }
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
    void watch(unsigned warp) override { tlm_->watch(warp); }
    [[nodiscard]] isa::lane_mask waited(unsigned warp) const override { return tlm_->waited(warp); }

private:
    warp_group same(const char* name, unsigned warp, std::uint64_t pc, const warp_group& tlm,
                    const warp_group& rtl) {
        compare(comparison_, fields, {name, warp, pc}, formation_answer{tlm},
                formation_answer{rtl});
        return tlm;
    }
    template <class Answer, std::size_t Fields>
    void compare(lock_step& with, const slot_field<Answer> (&of)[Fields],
                 const formation_call& call, const Answer& tlm, const Answer& rtl) const {
        with.compare(of, tlm, rtl, [&](std::ostream& to) {
            to << call;
            history_.write(to);
        });
        history_.add(with.cycle(), call);
    }

    std::unique_ptr<formation> tlm_;
    std::unique_ptr<formation> rtl_;
    lock_step comparison_;
    // at_mark() and save() change no formation, but are compared.
    mutable lock_step rest_;
    mutable call_history<formation_call> history_;
};

}  // namespace

std::unique_ptr<formation> formation_traits::shadow(std::unique_ptr<formation> tlm,
                                                    std::unique_ptr<formation> rtl,
                                                    lock_step comparison) {
    return std::make_unique<shadow_formation>(std::move(tlm), std::move(rtl),
                                              std::move(comparison));
}

}  // namespace heddle
