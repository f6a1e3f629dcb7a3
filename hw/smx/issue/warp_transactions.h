// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/fetch/front_end.h"
#include "hw/smx/issue/pipeline_transactions.h"
#include "hw/smx/issue/warp_moves.h"

namespace heddle {

/// Transactions where warps have slots: a warp is a group, its slot the context. A warp that goes
/// to another place fetches there after smx.branch_latency.
class warp_transactions final : public pipeline_transactions {
public:
    /// What it works with; all of it outlives the object.
    struct parts {
        tm_unit& unit;
        execution_parts execution;
        formation& groups;
        warp_paths& paths;
        const warp_moves& moves;
        front_end& fetch;
        warp_waits& waits;
    };
    explicit warp_transactions(const parts& of)
        : pipeline_transactions({of.unit, of.execution, of.groups}), of_(of) {}

private:
    [[nodiscard]] carrier carrier_of(unsigned warp) const override {
        const block_table::home_warp& of = of_.execution.blocks.warp(warp);
        return {of.block,
                of.index * of_.execution.warp_size,
                {static_cast<std::uint16_t>(warp), nullptr}};
    }
    [[nodiscard]] access_owner owner(unsigned warp) const override { return access_owner(warp); }
    [[nodiscard]] warp_group& group(unsigned warp) override { return of_.paths.group(warp); }
    [[nodiscard]] bool drained(unsigned warp) const override {
        return of_.execution.lsu.outstanding_instructions(access_owner(warp)) == 0 &&
               of_.moves.rests(warp);
    }
    [[nodiscard]] bool may_go(unsigned warp) const override { return of_.fetch.may_redirect(warp); }
    void go(unsigned warp, const warp_group& to, bool) override {
        of_.paths.group(warp) = to;
        of_.fetch.redirect(warp, edge());
    }
    void waits(unsigned warp, bool on) override {
        if (on) {
            of_.waits.begin(wait_reason::transaction, warp);
        } else {
            of_.waits.end(wait_reason::transaction, bits::one(warp));
        }
    }
    void shrunk(unsigned warp, bool stranded) override {
        of_.moves.touch(warp);
        if (stranded) of_.fetch.hold(warp);
    }
    [[nodiscard]] unsigned context_for(const issued_group& issued) override {
        return issued.threads.home;
    }

    const parts of_;
};

}  // namespace heddle
