// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/simt/thread_walk.h"

#include <fmt/format.h>

namespace heddle::simt::test {

using isa::lane_mask;
using isa::opcode;

std::vector<walk_step> walk(const random_code& program, random_stream& random) {
    constexpr std::size_t far = 120;
    constexpr std::size_t deep = 5;
    std::vector<walk_step> steps;
    std::vector<std::uint32_t> callers;
    for (std::uint32_t pc = program.entry;;) {
        steps.push_back({pc, callers.size()});
        const isa::instruction& i = program.code.at(pc);
        const bool tired = steps.size() > far || callers.size() >= deep;
        const std::uint32_t target = pc + static_cast<std::uint32_t>(i.imm);
        const std::uint32_t next = pc + 4;
        bool taken = random.chance(0.5);
        if (program.guards.count(pc) != 0) {
            taken = taken || tired;
        } else if (tired && target <= pc) {
            taken = false;
        }
        const auto& targets = program.targets[program.code.index(pc)];
        switch (i.op) {
            case opcode::exit:
                return steps;
            case opcode::beq:
                pc = taken ? target : next;
                break;
            case opcode::jal:
                pc = target;
                break;
            case opcode::jalr:
                if (i.is_return()) {
                    pc = callers.back();
                    callers.pop_back();
                } else {
                    pc = targets[tired ? 0 : random.below(targets.size())];
                }
                break;
            default:
                pc = next;
        }
        if (i.is_call()) callers.push_back(next);
    }
}

pairwise_reference::pairwise_reference(const random_code& program,
                                       std::vector<std::vector<walk_step>> walks)
    : program_(program) {
    for (auto& w : walks) threads_.push_back({std::move(w)});
    pairs_.resize(threads_.size() * threads_.size());
}

bool pairwise_reference::all_ended() const {
    for (const thread& t : threads_) {
        if (!t.ended()) return false;
    }
    return true;
}

void pairwise_reference::violate(const std::string& what) {
    if (violation_.empty()) violation_ = what;
}

void pairwise_reference::issue(std::uint32_t pc, lane_mask issued) {
    if (issued == 0) violate("no thread executes");
    for (unsigned t = 0; t < 64; ++t) {
        if ((issued >> t & 1) == 0) continue;
        if (t >= threads_.size() || threads_[t].ended() || this->pc(t) != pc) {
            return violate(fmt::format("thread {} is not at 0x{:x}", t, pc));
        }
    }
    const auto count = static_cast<unsigned>(threads_.size());
    for (unsigned a = 0; a < count; ++a) {
        for (unsigned b = a + 1; b < count; ++b) check(a, b, issued);
    }
    const isa::instruction& i = program_.code.at(pc);
    bool parts = false;
    for (unsigned a = 0; a < count; ++a) {
        for (unsigned b = a + 1; b < count; ++b) {
            go_on(a, b, issued);
            const bool both = (issued >> a & 1) != 0 && (issued >> b & 1) != 0;
            parts = parts || (both && i.op != opcode::exit && next_pc(a) != next_pc(b));
        }
    }
    const bool branch = i.op == opcode::beq || i.op == opcode::jalr;
    branches_ += branch ? 1 : 0;
    divergent_branches_ += branch && parts ? 1 : 0;
    for (unsigned t = 0; t < count; ++t) threads_[t].at += issued >> t & 1;
    for (unsigned a = 0; a < count; ++a) {
        for (unsigned b = a + 1; b < count; ++b) {
            pair& p = of(a, b);
            p.together = p.together || (threads_[a].at == p.a_meets && threads_[b].at == p.b_meets);
        }
    }
}

/// Whether a pair allows what is issued.
void pairwise_reference::check(unsigned a, unsigned b, lane_mask issued) {
    if (threads_[a].ended() || threads_[b].ended()) return;
    const pair& p = of(a, b);
    const bool a_goes = (issued >> a & 1) != 0;
    const bool b_goes = (issued >> b & 1) != 0;
    const auto names = fmt::format("threads {} and {}", a, b);
    if (p.together) {
        if (a_goes != b_goes) violate(names + " belong together");
        return;
    }
    if (a_goes && b_goes) violate(names + " execute together where they have parted");
    const bool a_waits = threads_[a].at == p.a_meets;
    const bool b_waits = threads_[b].at == p.b_meets;
    if (a_goes && a_waits) violate(names + ": the first goes on alone from where they meet");
    if (b_goes && b_waits) violate(names + ": the second goes on alone from where they meet");
    if (a_goes && !p.a_first && !b_waits) violate(names + ": the second goes first");
    if (b_goes && p.a_first && !a_waits) violate(names + ": the first goes first");
}

/// What becomes of a pair by the instruction that is issued.
void pairwise_reference::go_on(unsigned a, unsigned b, lane_mask issued) {
    pair& p = of(a, b);
    if ((issued >> a & 1) == 0 || (issued >> b & 1) == 0 || !p.together) return;
    if (program_.code.at(pc(a)).op == opcode::exit) return;
    if (next_pc(a) == next_pc(b)) return;
    p = {false, priority(a, issued) > priority(b, issued), meeting(threads_[a]),
         meeting(threads_[b])};
}

/// The step at which a thread comes to where those that part from it now will meet it.
std::size_t pairwise_reference::meeting(const thread& t) const {
    const walk_step& here = t.walk[t.at];
    const std::uint32_t point = program_.code.reconvergence[program_.code.index(here.pc)];
    const bool calls = program_.code.at(here.pc).is_call();
    for (std::size_t s = t.at + 1; s < t.walk.size(); ++s) {
        const walk_step& there = t.walk[s];
        const bool meets = calls ? there.depth == here.depth
                           : point == program::function_exit
                               ? there.depth < here.depth
                               : there.depth == here.depth && there.pc == point;
        if (meets) return s;
    }
    return nowhere;
}

/// Of threads that part, those with the larger number go first.
std::uint32_t pairwise_reference::priority(unsigned t, lane_mask issued) const {
    if (program_.code.at(pc(t)).op == opcode::beq) return next_pc(t) == pc(t) + 4 ? 0 : 1;
    for (unsigned lowest = 0;; ++lowest) {
        if ((issued >> lowest & 1) != 0 && next_pc(lowest) == next_pc(t)) return lowest;
    }
}

}  // namespace heddle::simt::test
