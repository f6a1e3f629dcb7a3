// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the reconvergence stacks: warps whose threads part and meet in random programs. Each
// thread knows by itself where it goes; a warp's groups have to be where their threads are, and
// threads that have parted have to meet where the program says.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

#include "hw/smx/divergence/formation.h"
#include "models/base/bits.h"
#include "tb/formation/structured_code.h"
#include "tb/kit/build_slots.h"
#include "tb/kit/testbench.h"

namespace {

using namespace heddle;
using namespace heddle::formation_tb;
using simt::transfer;

/// Calls that enclose each other, about: deep ones are rare, as each level is left by every second
/// thread.
constexpr std::size_t most_depth = 20;
constexpr unsigned slots = 64;
constexpr unsigned most_steps = 3000;  ///< of a warp; some programs would take very long

/// Threads that have parted and have to meet.
struct meeting {
    std::uint32_t pc;
    std::size_t depth;  ///< calls that enclose it
    isa::lane_mask lanes;
};

/// A thread on its own.
class thread {
public:
    thread() = default;
    thread(random_stream random, std::uint32_t pc) : random_(std::move(random)), pc_(pc) {}

    [[nodiscard]] std::uint32_t pc() const noexcept { return pc_; }
    [[nodiscard]] std::size_t depth() const noexcept { return returns_.size(); }
    /// Where the present function goes on in its caller.
    [[nodiscard]] std::uint32_t return_address() const { return returns_.back(); }
    std::vector<meeting> meetings;  ///< the innermost last

    /// Executes a step other than exit.
    void execute(const code_step& step) {
        const std::uint32_t next = pc_ + 4;
        switch (step.what) {
            case step_kind::jump:
                pc_ = step.target;
                return;
            case step_kind::branch:
                pc_ = random_.below(2) == 0 || (step.guard && depth() > most_depth) ? step.target
                                                                                    : next;
                return;
            case step_kind::call:
            case step_kind::any_call:
                returns_.push_back(next);
                pc_ = step.what == step_kind::call ? step.target : step.functions[random_.below(3)];
                return;
            case step_kind::ret:
                pc_ = return_address();
                returns_.pop_back();
                return;
            default:
                pc_ = next;
        }
    }

private:
    random_stream random_{0, ""};
    std::uint32_t pc_ = 0;
    std::vector<std::uint32_t> returns_;
};

/// A warp of threads, and the group that its formation runs.
struct warp {
    unsigned number = 0;
    std::optional<structured_code> code;
    std::array<thread, 64> threads;
    isa::lane_mask live = 0;
    warp_group group;
    unsigned steps_left = most_steps;
};

struct traffic {
    unsigned warps = 300;
    formation_setting setting{slots, 128};
    slot_implementation slot = slot_implementation::tlm;
};

/// Runs one step of one warp a cycle.
class pipeline final : public sc_core::sc_module, public clocked {
public:
    pipeline(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
             const traffic& what)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          bench_(bench),
          left_(what.warps),
          random_(bench.random(sc_module::name())),
          groups_(build_slots<formation_traits>(what.slot, domain, bench)
                      .make(what.setting, std::string(sc_module::name()) + ".formation")) {}

    void evaluate() override {
        auto slot = static_cast<unsigned>(random_.below(slots));
        // The next one that has something to do.
        for (unsigned tried = 0; tried < slots && warps_[slot].live == 0 && left_ == 0; ++tried) {
            slot = (slot + 1) % slots;
        }
        if (warps_[slot].live == 0) {
            begin(slot);
        } else if (random_.below(200) == 0) {
            move(slot);
        } else {
            step(slot);
        }
        bench_.progress();
        if (left_ == 0 && std::none_of(warps_.begin(), warps_.end(),
                                       [](const warp& each) { return each.live != 0; })) {
            bench_.finish();
        }
    }
    activity update() override { return activity::busy; }

    void print() const {
        std::printf("%llu steps, threads part %llu times, %llu warps move, %llu overflows\n",
                    steps_, parted_, moved_, overflows_);
    }

private:
    void begin(unsigned slot) {
        if (left_ == 0) return;
        warp& w = warps_[slot];
        w.number = --left_;
        w.code.emplace(bench_.random("code_" + std::to_string(w.number)));
        w.live = random_.next();
        w.steps_left = most_steps;
        if (w.live == 0) return;
        for (unsigned lane = 0; lane < 64; ++lane) {
            w.threads[lane] = thread(
                bench_.random("thread_" + std::to_string(64 * w.number + lane)), w.code->entry());
        }
        w.group = groups_->start(slot, w.code->entry(), w.live);
    }
    /// The warp goes on in another slot.
    void move(unsigned from) {
        const auto to = static_cast<unsigned>(random_.below(slots));
        if (warps_[to].live != 0) return;
        std::vector<std::uint32_t> words;
        groups_->save(from, words);
        warps_[to] = std::move(warps_[from]);
        warps_[from].live = 0;
        const std::uint32_t pc = warps_[to].group.pc;
        warps_[to].group = groups_->restore(to, words.data());
        warps_[to].group.pc = pc;  // it may have run straight on
        ++moved_;
    }
    void step(unsigned slot) {
        warp& w = warps_[slot];
        check_place(w);
        const code_step& step = w.code->at(w.group.pc);
        ++steps_;
        if (--w.steps_left == 0) {
            w.live = 0;
            return;
        }
        if (step.what == step_kind::exit) {
            w.live &= ~w.group.lanes;
            w.group = groups_->exit(slot, w.group.lanes);
        } else {
            go(slot, transfer_of(w, step));
        }
        if (!bench_.check((w.group.lanes != 0) == (w.live != 0),
                          "warp " + std::to_string(w.number) + " has threads and no group")) {
            w.live = 0;
        }
    }
    void go(unsigned slot, const transfer& to) {
        warp& w = warps_[slot];
        if (to.what == transfer::kind::together) {
            w.group.pc = to.groups[0].pc;
            if (w.group.pc == w.group.limit) w.group = groups_->advance(slot, w.group.pc);
            return;
        }
        parted_ += to.count > 1 ? 1 : 0;
        if (const auto next = groups_->follow(slot, to)) {
            w.group = *next;
        } else {
            ++overflows_;
            w.live = 0;
            w.group = {};
        }
    }
    /// The group is where its threads are, and has all that have to meet there.
    void check_place(warp& w) {
        bits::for_each(w.group.lanes, [&](unsigned lane) {
            thread& t = w.threads[lane];
            const std::string who =
                "warp " + std::to_string(w.number) + ", thread " + std::to_string(lane);
            bench_.check(t.pc() == w.group.pc, who + " is at " + std::to_string(t.pc()) +
                                                   ", its group at " + std::to_string(w.group.pc));
            while (!t.meetings.empty() && t.meetings.back().pc == t.pc() &&
                   t.meetings.back().depth == t.depth()) {
                bench_.check((t.meetings.back().lanes & w.live & ~w.group.lanes) == 0,
                             who + " does not meet all others at " + std::to_string(t.pc()));
                t.meetings.pop_back();
            }
        });
    }
    /// Executes the step for the group's threads, and says where they go.
    static transfer transfer_of(warp& w, const code_step& step) {
        transfer to;
        to.count = 0;
        const isa::lane_mask lanes = w.group.lanes;
        bits::for_each(lanes, [&](unsigned lane) {
            thread& t = w.threads[lane];
            t.execute(step);
            unsigned g = 0;
            while (g < to.count && to.groups[g].pc != t.pc()) ++g;
            if (g == to.count) to.groups[to.count++] = {t.pc(), 0};
            to.groups[g].lanes |= isa::lane_mask{1} << lane;
        });
        to.what = transfer::kind::together;
        to.return_address = w.group.pc + 4;
        to.reconvergence_pc = step.join;
        if (step.what == step_kind::call || step.what == step_kind::any_call) {
            to.what = transfer::kind::call;
        } else if (step.what == step_kind::ret) {
            to.what = transfer::kind::ret;
        } else if (to.count > 1) {
            to.what = transfer::kind::part;
            // The fall-through comes first.
            if (to.groups[0].pc != w.group.pc + 4) std::swap(to.groups[0], to.groups[1]);
            bits::for_each(lanes, [&](unsigned lane) { meet(w.threads[lane], step.join, lanes); });
        }
        return to;
    }
    static void meet(thread& t, std::uint32_t join, isa::lane_mask lanes) {
        if (join == program::function_exit) {
            t.meetings.push_back({t.return_address(), t.depth() - 1, lanes});
        } else {
            t.meetings.push_back({join, t.depth(), lanes});
        }
    }

    testbench& bench_;
    unsigned left_;
    random_stream random_;
    const std::unique_ptr<formation> groups_;
    std::array<warp, slots> warps_;
    unsigned long long steps_ = 0, parted_ = 0, moved_ = 0, overflows_ = 0;
};

}  // namespace

int sc_main(int argc, char** argv) {
    traffic what;
    testbench_description description;
    description.name = "formation_tb";
    description.summary = "Reconvergence stacks against threads that go their own ways";
    description.add_options = [&](command_line& line) {
        line.number("--warps", what.warps, "Warps that run", 1, 1'000'000);
        line.number("--entries", what.setting.stack_entries, "Entries of a stack", 1, 128);
        line.choice<slot_implementation>("--slot", what.slot, slot_choices(),
                                         "What keeps the stacks: the model, the RTL, or both in "
                                         "lock step");
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) {
        clock_domain core("core", frequency::megahertz(706), bench.domain_options());
        pipeline warps("warps", core, bench, what);
        if (bench.run(core) == error_kind::none) warps.print();
    });
}
