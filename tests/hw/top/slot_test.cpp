// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Second implementations of every slot in the whole machine. A right one changes nothing; a wrong
// one stops the run, and the message says where and when it was wrong.
#include <gmock/gmock.h>

#include <cstdio>
#include <sstream>

#include "hw/memory_controller/request_scheduler.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "models/workloads/registry.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::HasSubstr;

/// The one answer that the RTL gets wrong, over all instances of its kind.
struct mistake {
    unsigned left = 0;     ///< right answers before it; 0: never wrong
    std::string expected;  ///< what the message has to say

    /// Whether this answer is to be wrong.
    bool is_now() { return left != 0 && --left == 0; }
    void made(const char* slot, const slot_context& where, const std::string& difference) {
        expected = where.path() + ": the implementations of slot." + slot + " differ in cycle " +
                   std::to_string(where.clock().cycle()) + " of " + where.clock().clock_name() +
                   ": " + difference;
    }
};

class selection_rtl final : public warp_selection {
public:
    selection_rtl(const selection_setting& setting, slot_context context, mistake& wrong)
        : part_(make_warp_selection(setting)), context_(std::move(context)), wrong_(wrong) {}
    outputs decide(const inputs& in) override {
        outputs out = part_->decide(in);
        if (!out.valid || !wrong_.is_now()) return out;
        wrong_.made("warp_scheduler", context_,
                    "warp: tlm " + std::to_string(out.warp) + ", rtl " +
                        std::to_string(out.warp ^ 1U) + "; asked with {resident 0x");
        out.warp ^= 1U;
        return out;
    }
    void clock_edge() override { part_->clock_edge(); }
    void reset() override { part_->reset(); }

private:
    std::unique_ptr<warp_selection> part_;
    slot_context context_;
    mistake& wrong_;
};

class allocator_rtl final : public allocator {
public:
    allocator_rtl(const allocator_setting& setting, const slot_context& context, mistake& wrong)
        : part_(
              allocator_traits::implementations().make(slot_implementation::tlm, setting, context)),
          context_(context),
          wrong_(wrong) {}
    matching decide(const request_matrix& in) override {
        const matching right = part_->decide(in);
        if (right.end() == 0 || !wrong_.is_now()) return right;
        const std::uint32_t row = port_bits::first_from(right.rows(), in.row_words(), 0);
        wrong_.made("crossbar_allocator", context_,
                    "grant[" + std::to_string(row) + "]: tlm " + std::to_string(right.column(row)) +
                        ", rtl none; asked with {");
        return {};
    }
    void clock_edge() override { part_->clock_edge(); }
    void reset() override { part_->reset(); }

private:
    std::unique_ptr<allocator> part_;
    slot_context context_;
    mistake& wrong_;
};

class request_scheduler_rtl final : public request_scheduler {
public:
    request_scheduler_rtl(const memory_controller_configuration& configuration,
                          slot_context context, mistake& wrong)
        : part_(make_request_scheduler(configuration)),
          context_(std::move(context)),
          wrong_(wrong) {}
    request_queue::index pick(scheduler_view& view) override {
        const request_queue::index right = part_->pick(view);
        if (right == request_queue::none || !wrong_.is_now()) return right;
        wrong_.made("dram_scheduler", context_,
                    "bank: tlm " + std::to_string(view.queue[right].bank) +
                        ", rtl none; asked with {free banks 0x");
        return request_queue::none;
    }
    [[nodiscard]] bool in_order() const override { return part_->in_order(); }

private:
    std::unique_ptr<request_scheduler> part_;
    slot_context context_;
    mistake& wrong_;
};

class formation_rtl final : public formation {
public:
    formation_rtl(const formation_setting& setting, slot_context context, mistake& wrong)
        : part_(make_formation(setting)), context_(std::move(context)), wrong_(wrong) {}
    warp_group start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) override {
        return part_->start(warp, pc, lanes);
    }
    warp_group advance(unsigned warp, std::uint32_t pc) override {
        return part_->advance(warp, pc);
    }
    std::optional<warp_group> follow(unsigned warp, const simt::transfer& to) override {
        std::optional<warp_group> group = part_->follow(warp, to);
        if (!wrong_.is_now()) return group;
        std::ostringstream text;
        text << std::hex << "pc: tlm 0x" << group->pc << ", rtl 0x" << group->pc + 4
             << "; asked with {follow, warp " << std::dec << warp << ", pc 0x";
        wrong_.made("formation", context_, text.str());
        group->pc += 4;
        return group;
    }
    warp_group exit(unsigned warp, isa::lane_mask lanes) override {
        return part_->exit(warp, lanes);
    }
    void save(unsigned warp, std::vector<std::uint32_t>& words) const override {
        part_->save(warp, words);
    }
    warp_group restore(unsigned warp, const std::uint32_t* words) override {
        return part_->restore(warp, words);
    }
    void mark(unsigned warp, std::uint32_t pc) override { part_->mark(warp, pc); }
    [[nodiscard]] bool at_mark(unsigned warp) const override { return part_->at_mark(warp); }
    warp_group leave(unsigned warp, isa::lane_mask lanes) override {
        return part_->leave(warp, lanes);
    }
    warp_group rewind(unsigned warp, isa::lane_mask lanes) override {
        return part_->rewind(warp, lanes);
    }
    warp_group release(unsigned warp, std::uint32_t pc) override {
        return part_->release(warp, pc);
    }
    [[nodiscard]] warp_group waiting(unsigned warp, isa::lane_mask live) const override {
        return part_->waiting(warp, live);
    }

private:
    std::unique_ptr<formation> part_;
    slot_context context_;
    mistake& wrong_;
};

/// How to fill a slot with RTL, and how many right answers come before the wrong one.
struct slot_case {
    const char* key;
    unsigned answers;
    void (*add)(exchangeable_parts& parts, mistake& wrong);
};

const slot_case slot_cases[] = {
    {"warp_scheduler", 100,
     [](exchangeable_parts& parts, mistake& wrong) {
         parts.warp_scheduler = warp_selection_traits::implementations();
         parts.warp_scheduler.add_rtl([&](const selection_setting& s, const slot_context& c) {
             return std::make_unique<selection_rtl>(s, c, wrong);
         });
     }},
    {"formation", 10,
     [](exchangeable_parts& parts, mistake& wrong) {
         parts.formation = formation_traits::implementations();
         parts.formation.add_rtl([&](const formation_setting& s, const slot_context& c) {
             return std::make_unique<formation_rtl>(s, c, wrong);
         });
     }},
    {"crossbar_allocator", 50,
     [](exchangeable_parts& parts, mistake& wrong) {
         parts.crossbar_allocator = allocator_traits::implementations();
         parts.crossbar_allocator.add_rtl([&](const allocator_setting& s, const slot_context& c) {
             return std::make_unique<allocator_rtl>(s, c, wrong);
         });
     }},
    {"dram_scheduler", 20,
     [](exchangeable_parts& parts, mistake& wrong) {
         parts.dram_scheduler = request_scheduler_traits::implementations();
         parts.dram_scheduler.add_rtl(
             [&](const memory_controller_configuration& s, const slot_context& c) {
                 return std::make_unique<request_scheduler_rtl>(s, c, wrong);
             });
     }},
};

void PrintTo(const slot_case& one, std::ostream* out) {
    *out << one.key;
}

/// The key is set here and not by its parameter, which accepts what the build has.
void choose(gpu_configuration& configuration, const std::string& key, slot_implementation which) {
    slot_configuration& slots = configuration.slots;
    if (key == "warp_scheduler") slots.warp_scheduler = which;
    if (key == "formation") slots.formation = which;
    if (key == "crossbar_allocator") slots.crossbar_allocator = which;
    if (key == "dram_scheduler") slots.dram_scheduler = which;
}

class every_slot : public testing::TestWithParam<slot_case> {
protected:
    /// A small workload in a process of its own; `examine` gets the machine after it.
    static std::string run(slot_implementation which, unsigned answers,
                           const std::function<void(timed_machine&, error_kind, const mistake&,
                                                    std::string&)>& examine) {
        const process_result result = run_in_child([&](std::string& output) {
            gpu_configuration configuration =
                configuration_of("tiny", {"dram.model=gddr", "dram.row_mask=2147418112"});
            choose(configuration, GetParam().key, which);
            mistake wrong{answers, ""};
            exchangeable_parts parts;
            GetParam().add(parts, wrong);
            timed_machine machine(configuration, false, parts);
            workloads::workload_options options;
            options.values = {{"n", "1000"}, {"blocks", "2"}};
            const error_kind end = machine.run([&](device& gpu) {
                workloads::run_workload(workloads::find_workload("reduction"), gpu, options)
                    .require_correct("reduction");
            });
            examine(machine, end, wrong, output);
            std::fflush(stdout);
            return testing::Test::HasFailure() ? 1 : 0;
        });
        EXPECT_EQ(result.exit_code, 0) << result.output;
        return result.output;
    }
    static std::string statistics_with(slot_implementation which) {
        return run(which, 0,
                   [](timed_machine& machine, error_kind end, const mistake&, std::string& output) {
                       EXPECT_EQ(end, error_kind::none) << machine.status().text();
                       output = to_csv(machine.collected());
                   });
    }
};

TEST_P(every_slot, a_right_second_implementation_changes_no_statistic) {
    const std::string tlm = statistics_with(slot_implementation::tlm);
    EXPECT_THAT(tlm, HasSubstr("gpu.cycles,"));
    EXPECT_EQ(statistics_with(slot_implementation::rtl), tlm);
    EXPECT_EQ(statistics_with(slot_implementation::shadow), tlm);
}

TEST_P(every_slot, a_wrong_second_implementation_stops_the_run_and_is_named) {
    run(slot_implementation::shadow, GetParam().answers,
        [](timed_machine& machine, error_kind end, const mistake& wrong, std::string&) {
            EXPECT_EQ(end, error_kind::wrong_result);
            EXPECT_NE(wrong.expected, "") << "the RTL was not asked often enough";
            ASSERT_FALSE(machine.status().messages().empty());
            EXPECT_THAT(machine.status().messages().front(), HasSubstr(wrong.expected));
        });
}

INSTANTIATE_TEST_SUITE_P(slots, every_slot, testing::ValuesIn(slot_cases),
                         [](const auto& info) { return std::string(info.param.key); });

TEST(slot_parameters, accept_what_the_build_has) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    for (const slot_case& each : slot_cases) {
        const std::string key = std::string("slot.") + each.key;
        parameters.assign_text(key, "tlm", "--set", "--set");
        EXPECT_THROW(parameters.assign_text(key, "verilog", "--set", "--set"), configuration_error);
    }
}

}  // namespace
}  // namespace heddle
