// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <vector>

#include "models/base/error.h"
#include "models/iss/warp.h"
#include "models/simt/fault_text.h"

namespace heddle::iss {

/// Carries out the calls of cooperative blocks, one at a time, when all threads of a block have
/// come to a call. Which blocks are active is the affair of the launch's simt::cooperation_context.
template <unsigned Lanes>
class cooperation {
public:
    using block_type = block<Lanes>;

    /// What the engine does for it.
    struct hooks {
        std::function<simt::cooperation_terms(const grid&)> terms;
        std::function<void(block_type&)> go_on;
        std::function<void(block_type&)> kill;
        std::function<void(grid&, std::uint32_t id, const newcomer&)> fork;
    };
    explicit cooperation(hooks with) : hooks_(std::move(with)) {}

    /// All live threads of the block are at its call. `resident`: the blocks that run or wait, in
    /// the order of their start.
    void call(block_type& by, const std::vector<block_type*>& resident) {
        grid& g = *by.of;
        simt::cooperation_context& context = *g.cooperation;
        const simt::cooperation_terms terms = hooks_.terms(g);
        switch (by.call) {
            case isa::opcode::offer_kill:
                if (context.offer_kill(by.number, terms)) {
                    hooks_.kill(by);
                } else {
                    hooks_.go_on(by);
                }
                break;
            case isa::opcode::request_fork: {
                const std::uint32_t first = context.groups();
                fork(g, first, context.request_fork(terms), newcomer_of(by));
                hooks_.go_on(by);
                break;
            }
            default:
                arrive(by, terms);
        }
        if (context.complete()) release(g, resident);
    }

private:
    void arrive(block_type& by, const simt::cooperation_terms& terms) {
        const bool resizing = by.call == isa::opcode::resizing_global_barrier;
        by.waits_for_all = true;
        if (by.number == 0 && resizing) by.of->origin = newcomer_of(by);
        switch (by.of->cooperation->arrive(by.number, resizing, terms)) {
            case simt::cooperation_context::arrival::waits:
                break;
            case simt::cooperation_context::arrival::ends:
                hooks_.kill(by);
                break;
            case simt::cooperation_context::arrival::mixed:
                throw run_error(error_kind::kernel_fault,
                                simt::mixed_barriers_text(by.of->launch.kernel->name));
        }
    }

    void release(grid& g, const std::vector<block_type*>& resident) {
        const simt::cooperation_change change = g.cooperation->release(hooks_.terms(g));
        for (block_type* b : resident) {
            if (b->of != &g || !b->waits_for_all) continue;
            b->waits_for_all = false;
            if (b->number >= change.groups - change.killed) {
                hooks_.kill(*b);
            } else {
                hooks_.go_on(*b);
            }
        }
        fork(g, change.groups, change.forked, g.origin);
    }

    void fork(grid& g, std::uint32_t first, std::uint32_t count, const newcomer& from) {
        for (std::uint32_t i = 0; i < count; ++i) hooks_.fork(g, first + i, from);
    }

    [[nodiscard]] static newcomer newcomer_of(const block_type& by) {
        return newcomer::from(by.call_target, by.warps.front()->registers.x);
    }

    hooks hooks_;
};

}  // namespace heddle::iss
