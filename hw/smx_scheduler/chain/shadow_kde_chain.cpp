// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <ostream>
#include <utility>

#include "hw/smx_scheduler/chain/fcfs_chain.h"

namespace heddle {
namespace {

/// What a clock answers, and what the chain shows behind it.
struct chain_answer {
    bool accepted = false;            ///< start
    group_index linked = null_group;  ///< append
    bool empty = true;
    kde_chain::source head{kde_index(0), null_group};  ///< unless it is empty
    kde_chain::registers entry;                        ///< that the call was for
};

using field = slot_field<chain_answer>;

std::uint64_t shown(group_index group) {
    return group == null_group ? field::none : std::uint64_t{group.bits()};
}

constexpr field fields[] = {
    {"accepted", [](const chain_answer& a, std::uint32_t) { return std::uint64_t{a.accepted}; }},
    {"linked", [](const chain_answer& a, std::uint32_t) { return shown(a.linked); }},
    {"empty", [](const chain_answer& a, std::uint32_t) { return std::uint64_t{a.empty}; }},
    {"head",
     [](const chain_answer& a, std::uint32_t) {
         return a.empty ? field::none : std::uint64_t{a.head.kde.value()};
     }},
    {"head_group", [](const chain_answer& a,
                      std::uint32_t) { return a.empty ? field::none : shown(a.head.group); }},
    {"first_time",
     [](const chain_answer& a, std::uint32_t) { return std::uint64_t{a.entry.first_time}; }},
    {"next_group", [](const chain_answer& a, std::uint32_t) { return shown(a.entry.next_group); }},
    {"last_group", [](const chain_answer& a, std::uint32_t) { return shown(a.entry.last_group); }}};

struct chain_call {
    const char* name;
    kde_index entry;
    std::uint64_t value;  ///< rank or group; field::none: null
};
std::ostream& operator<<(std::ostream& to, const chain_call& call) {
    to << '{' << call.name << ", entry " << call.entry.value() << ", ";
    if (call.value == field::none) return to << "null}";
    return to << call.value << '}';
}

/// Runs two chains in lock step.
class shadow_kde_chain final : public kde_chain {
public:
    shadow_kde_chain(std::unique_ptr<kde_chain> tlm, std::unique_ptr<kde_chain> rtl,
                     lock_step comparison)
        : tlm_(std::move(tlm)), rtl_(std::move(rtl)), comparison_(std::move(comparison)) {
        comparison_.show(fields);
    }

    [[nodiscard]] bool empty() const override { return tlm_->empty(); }
    [[nodiscard]] source head() const override { return tlm_->head(); }
    [[nodiscard]] registers operator[](kde_index entry) const override { return (*tlm_)[entry]; }
    [[nodiscard]] unsigned chains() const override { return tlm_->chains(); }
    [[nodiscard]] group_index ahead(kde_index entry, unsigned places) const override {
        return tlm_->ahead(entry, places);
    }
    [[nodiscard]] const std::uint64_t* marks() const override { return tlm_->marks(); }

    bool start(kde_index entry, std::uint32_t rank, bool stays) override {
        chain_answer tlm, rtl;
        tlm.accepted = tlm_->start(entry, rank, stays);
        rtl.accepted = rtl_->start(entry, rank, stays);
        compare({"start", entry, rank}, tlm, rtl, !tlm.accepted);
        return tlm.accepted;
    }
    group_index append(kde_index entry, group_index group) override {
        chain_answer tlm, rtl;
        tlm.linked = tlm_->append(entry, group);
        rtl.linked = rtl_->append(entry, group);
        compare({"append", entry, shown(group)}, tlm, rtl);
        return tlm.linked;
    }
    void advance(group_index next) override {
        const kde_index entry = tlm_->head().kde;
        tlm_->advance(next);
        rtl_->advance(next);
        compare({"advance", entry, shown(next)}, {}, {});
    }

private:
    void compare(const chain_call& call, chain_answer tlm, chain_answer rtl, bool refused = false) {
        // An entry that does not exist is refused, and has no registers.
        const kde_index entry = refused ? kde_index(0) : call.entry;
        complete(tlm, *tlm_, entry);
        complete(rtl, *rtl_, entry);
        comparison_.compare(fields, tlm, rtl, [&](std::ostream& to) {
            to << call;
            history_.write(to);
        });
        history_.add(comparison_.cycle(), call);
    }
    static void complete(chain_answer& answer, const kde_chain& of, kde_index entry) {
        answer.empty = of.empty();
        if (!answer.empty) answer.head = of.head();
        answer.entry = of[entry];
    }

    std::unique_ptr<kde_chain> tlm_;
    std::unique_ptr<kde_chain> rtl_;
    lock_step comparison_;
    call_history<chain_call> history_;
};

}  // namespace

slot_registry<kde_chain_traits> kde_chain_traits::implementations() {
    return slot_registry<kde_chain_traits>(
        [](const kde_chain_setting& setting, const slot_context&) {
            return std::make_unique<fcfs_chain>(setting.entries, setting.chains);
        });
}

std::unique_ptr<kde_chain> kde_chain_traits::shadow(std::unique_ptr<kde_chain> tlm,
                                                    std::unique_ptr<kde_chain> rtl,
                                                    lock_step comparison) {
    return std::make_unique<shadow_kde_chain>(std::move(tlm), std::move(rtl),
                                              std::move(comparison));
}

}  // namespace heddle
