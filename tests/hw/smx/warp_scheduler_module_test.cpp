// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/waveform.h"
#include "hw/protocol/protocol_checker.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx/warp_scheduler/slot_assignment.h"
#include "hw/smx/warp_scheduler/warp_scheduler.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"
#include "tests/hw/base/vcd_reader.h"
#include "tests/hw/protocol/scripted_link.h"

/// The warp scheduler as a module: ownership, errors, statistics, waveform, configuration.
namespace heddle {
namespace {

using protocol::warp_cycle;
using protocol::warp_link;
using protocol::warp_mask;
using protocol::warp_phase;
using protocol::testing::report_catcher;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr unsigned none = 99;

warp_scheduler_configuration configured(selection_policy policy) {
    warp_scheduler_configuration configuration;
    configuration.scheduler = policy;
    return configuration;
}

/// A scheduler behind a checker; one call per cycle of 1 ns.
struct scheduler_link {
    protocol::testing::scripted_initiator<warp_link> initiator;
    protocol::protocol_checker<warp_link> checker;
    slot_rig slots;
    warp_scheduler scheduler;
    warp_cycle cycle;

    explicit scheduler_link(const std::string& name, unsigned index = 0, unsigned schedulers = 1,
                            selection_policy policy = selection_policies::key<greedy_then_oldest>,
                            waveform* waves = nullptr)
        : initiator((name + "_pipeline").c_str()),
          checker((name + "_checker").c_str()),
          scheduler(name.c_str(), index,
                    slots_of_scheduler(scheduler_assignment::modulo, index, schedulers, 64),
                    configured(policy), slots.tlm<warp_selection_traits>(), waves) {
        initiator.socket.bind(checker.target_socket);
        checker.initiator_socket.bind(scheduler.socket);
        cycle.scheduler = index;
    }
    unsigned call(warp_mask issuable, warp_mask started = 0, warp_mask ended = 0) {
        protocol::warp_status& s = cycle.status;
        s.resident = (s.resident & ~ended) | started;
        s.ready = s.issuable = issuable;
        s.started = started;
        return call();
    }
    unsigned call() {
        warp_phase phase = warp_phase::select;
        sc_core::sc_time time;
        EXPECT_EQ(initiator.socket->nb_transport_fw(cycle, phase, time), tlm::TLM_COMPLETED);
        EXPECT_EQ(time, sc_core::SC_ZERO_TIME);
        return cycle.decision.valid ? cycle.decision.warp.value() : none;
    }
};

void next_cycle() {
    sc_core::sc_start(1, sc_core::SC_NS);
}

TEST(warp_scheduler_module, owns_the_slots_of_its_parity) {
    report_catcher reports;
    std::vector<std::unique_ptr<scheduler_link>> links;
    for (unsigned i = 0; i < 3; ++i) {
        links.push_back(std::make_unique<scheduler_link>(
            "s" + std::to_string(i), i, 3, selection_policies::key<loose_round_robin>));
    }
    EXPECT_EQ(links[0]->scheduler.own() | links[1]->scheduler.own() | links[2]->scheduler.own(),
              ~warp_mask{0});
    EXPECT_EQ(links[1]->scheduler.own() & 0xfff, 0b010'010'010'010U);
    std::vector<std::vector<unsigned>> issued(3);
    for (unsigned cycle = 0; cycle < 5; ++cycle) {
        next_cycle();
        for (unsigned i = 0; i < 3; ++i) {
            // 0, 1, 3, 4, 6, 7: the third scheduler has none of them
            issued[i].push_back(
                links[i]->call(cycle == 0 ? 0 : 0b11011011, cycle == 0 ? 0b11011011 : 0));
        }
    }
    EXPECT_THAT(issued[0], ElementsAre(none, 0, 3, 6, 0));
    EXPECT_THAT(issued[1], ElementsAre(none, 1, 4, 7, 1));
    EXPECT_THAT(issued[2], ElementsAre(none, none, none, none, none));
    EXPECT_TRUE(report_catcher::reports().empty()) << report_catcher::text();
}

TEST(slot_assignment, divides_the_slots) {
    using assignment = scheduler_assignment;
    EXPECT_EQ(slots_of_scheduler(assignment::modulo, 1, 3, 8), 0b1001'0010U);
    EXPECT_EQ(slots_of_scheduler(assignment::contiguous, 0, 2, 6), 0b000'111U);
    EXPECT_EQ(slots_of_scheduler(assignment::contiguous, 1, 2, 6), 0b111'000U);
    EXPECT_EQ(slots_of_scheduler(assignment::modulo, 63, 64, 64), warp_mask{1} << 63);
    for (const auto how : {assignment::modulo, assignment::contiguous}) {
        for (unsigned schedulers = 1; schedulers <= 64; ++schedulers) {
            for (const unsigned warps : {1U, 7U, 48U, 64U}) {
                warp_mask all = 0;
                for (unsigned i = 0; i < schedulers; ++i) {
                    const warp_mask own = slots_of_scheduler(how, i, schedulers, warps);
                    EXPECT_EQ(all & own, 0U) << "two have a slot";
                    EXPECT_LE(__builtin_popcountll(own), (warps + schedulers - 1) / schedulers);
                    all |= own;
                }
                EXPECT_EQ(__builtin_popcountll(all), warps);
            }
        }
    }
}

TEST(slot_assignment, refuses_a_scheduler_that_does_not_exist) {
    for (const auto how : {scheduler_assignment::modulo, scheduler_assignment::contiguous}) {
        EXPECT_THROW((void)slots_of_scheduler(how, 2, 2, 64), configuration_error);
        EXPECT_THROW((void)slots_of_scheduler(how, 0, 0, 64), configuration_error);
        EXPECT_THROW((void)slots_of_scheduler(how, 0, 65, 64), configuration_error);
    }
}

TEST(warp_scheduler_module, reports_a_call_that_is_not_for_it) {
    report_catcher reports;
    scheduler_link link("s", 1, 2);
    next_cycle();
    link.call(0, 0b11);
    next_cycle();
    link.cycle.scheduler = 0;
    EXPECT_EQ(link.call(0b11), none);
    EXPECT_THAT(report_catcher::ids(), ElementsAre(warp_scheduler_report::address));
    EXPECT_THAT(report_catcher::text(), HasSubstr("s: called as scheduler 0, it is 1"));
}

TEST(warp_scheduler_module, reports_an_unknown_phase) {
    protocol::testing::scripted_initiator<warp_link> pipeline("pipeline");
    slot_rig slots;
    warp_scheduler scheduler("s", 0, 1, {}, slots.tlm<warp_selection_traits>(), nullptr);
    pipeline.socket.bind(scheduler.socket);
    report_catcher reports;
    next_cycle();
    warp_cycle cycle;
    cycle.decision.valid = true;
    auto phase = static_cast<warp_phase>(7);
    sc_core::sc_time time;
    pipeline.socket->nb_transport_fw(cycle, phase, time);
    EXPECT_FALSE(cycle.decision.valid);
    EXPECT_THAT(report_catcher::ids(), ElementsAre(warp_scheduler_report::phase));
    EXPECT_THAT(report_catcher::text(), HasSubstr("phase 7"));
}

TEST(warp_scheduler_module, counts_issues_and_switches) {
    scheduler_link link("s");
    const auto cycle = [&](warp_mask issuable, warp_mask started = 0, warp_mask ended = 0) {
        next_cycle();
        link.call(issuable, started, ended);
    };
    cycle(0, 0b111);
    cycle(0b001);  // the first issue is no switch
    cycle(0b011);
    cycle(0);
    cycle(0b110);  // to 1
    cycle(0b111);
    cycle(0b100, 0b010, 0b010);  // to 2, while slot 1 gets a new warp
    cycle(0b010);                // to 1
    cycle(0, 0b010, 0b010);
    cycle(0b010);  // the same slot, another warp: to 1
    EXPECT_EQ(link.scheduler.issues(), 7U);
    EXPECT_EQ(link.scheduler.switches(), 4U);
    statistics values;
    link.scheduler.collect(values, "smx.2.scheduler.0");
    EXPECT_EQ(values.entries().size(), 3U);
    ASSERT_NE(values.find("smx.2.scheduler.0.switches"), nullptr);
    EXPECT_EQ(std::get<std::uint64_t>(values.find("smx.2.scheduler.0.issues")->value), 7U);
    EXPECT_EQ(std::get<std::uint64_t>(values.find("smx.2.scheduler.0.switches")->value), 4U);
}

/// A pipeline that calls only when it must gets the same decisions as one that calls always.
void leave_out_calls(selection_policy policy) {
    const std::string name = "policy_" + std::to_string(static_cast<unsigned>(policy));
    scheduler_link always(name + "_always", 0, 2, policy);
    scheduler_link sometimes(name + "_sometimes", 0, 2, policy);
    random_stream random(3, name);
    warp_mask resident = 0, started = 0;
    for (unsigned cycle = 0; cycle < 20000; ++cycle) {
        next_cycle();
        const warp_mask ended = resident & random.next() & random.next() & random.next();
        resident &= ~ended;
        started = random.chance(0.3) ? random.next() & ~resident & random.next() : 0;
        const warp_mask issuable =
            random.chance(0.5) ? resident & random.next() & random.next() : 0;
        protocol::warp_status& status = always.cycle.status;
        status.memory = random.next();
        status.long_latency = random.next();
        status.memory_done = random.chance(0.3) ? random.next() & random.next() & resident : 0;
        status.cycle = cycle;
        const unsigned expected = always.call(issuable, started, ended);
        resident |= started;
        sometimes.cycle.status = always.cycle.status;
        const warp_mask own = sometimes.scheduler.own();
        const warp_mask events = started | ended | status.memory_done;
        if ((events & (needs_of(configured(policy)).follows_smx ? ~warp_mask{0} : own)) != 0 ||
            (issuable & own) != 0) {
            ASSERT_EQ(sometimes.call(), expected) << cycle;
        } else {
            ASSERT_EQ(expected, none);
        }
    }
    EXPECT_GT(always.scheduler.issues(), 2000U);
    EXPECT_EQ(always.scheduler.switches(), sometimes.scheduler.switches());
}

TEST(warp_scheduler_module, calls_that_the_link_allows_to_leave_out_change_nothing) {
    leave_out_calls(selection_policies::key<loose_round_robin>);
}
TEST(warp_scheduler_module, calls_that_the_link_allows_to_leave_out_change_nothing_with_ages) {
    leave_out_calls(selection_policies::key<greedy_then_oldest>);
}
TEST(warp_scheduler_module, calls_that_the_link_allows_to_leave_out_change_nothing_with_recency) {
    leave_out_calls(selection_policies::key<memory_then_recent>);
}
TEST(warp_scheduler_module, calls_that_the_link_allows_to_leave_out_change_nothing_with_groups) {
    leave_out_calls(selection_policies::key<two_level>);
}

TEST(warp_scheduler_module, counts_cycles_in_which_it_holds_back) {
    scheduler_link link("s", 0, 1, selection_policies::key<cache_conscious>);
    next_cycle();
    link.call(0, 0b11);
    next_cycle();
    EXPECT_EQ(link.call(0b01), 0U);
    link.cycle.status.lost_locality = 0b01;
    link.cycle.status.cycle = 2;
    next_cycle();
    EXPECT_EQ(link.call(0), none);  // nothing could issue anyway
    link.cycle.status.lost_locality = 0;
    link.cycle.status.memory = 0b11;
    for (unsigned cycle = 3; cycle < 6; ++cycle) {
        next_cycle();
        link.cycle.status.cycle = cycle;
        EXPECT_EQ(link.call(0b10), none);
    }
    EXPECT_EQ(link.scheduler.held_back(), 3U);
    EXPECT_EQ(link.scheduler.issues(), 1U);
}

TEST(warp_scheduler_module, shows_the_queues_and_the_recency_register) {
    const std::string file = ::testing::TempDir() + "warp_scheduler_recency_test.vcd";
    {
        waveform waves(file);
        scheduler_link link("s", 0, 1, selection_policies::key<memory_then_recent>, &waves);
        const auto cycle = [&](warp_mask issuable, warp_mask started = 0, warp_mask ended = 0) {
            next_cycle();
            link.call(issuable, started, ended);
            link.cycle.status.memory_done = 0;
        };
        cycle(0, 0b1111);  // 1 ns
        link.cycle.status.memory_done = 0b0010;
        cycle(0);  // 2 ns
        link.cycle.status.memory = 0b0100;
        cycle(0b1111);  // 3 ns
        link.cycle.status.memory_done = 0b1000;
        cycle(0b1011);        // 4 ns
        cycle(0, 0, 0b1000);  // 5 ns: three are left, one in the group
        next_cycle();
        waves.close();
    }
    const vcd_reader vcd(file);
    std::remove(file.c_str());
    using change = std::pair<std::uint64_t, std::string>;
    EXPECT_THAT(vcd["s.recency"].values, ElementsAre(testing::_, change(2000, "10"),
                                                     change(4000, "1010"), change(5000, "10")));
    EXPECT_THAT(vcd["s.memory_queue"].values,
                ElementsAre(testing::_, change(3000, "100"), change(4000, "0")));
    EXPECT_EQ(vcd["s.computation_queue"].values.back(), change(3000, "1011"));
    EXPECT_EQ(vcd["s.last_warp"].values.back(), change(4000, "1"));
    const auto counter = [&](const std::string& slot) {
        return vcd["s.recency_counter_" + slot].values.back();
    };
    EXPECT_EQ(counter("0"), change(1000, "111111"));
    EXPECT_EQ(counter("1"), change(4000, "1"));
    EXPECT_EQ(counter("3").first, 5000U);
}

TEST(warp_scheduler_module, shows_its_state_in_the_waveform) {
    const std::string file = ::testing::TempDir() + "warp_scheduler_test.vcd";
    {
        waveform waves(file);
        scheduler_link link("s1", 1, 2, selection_policies::key<greedy_then_oldest>, &waves);
        const auto cycle = [&](warp_mask issuable, warp_mask started = 0, warp_mask ended = 0) {
            next_cycle();
            link.call(issuable, started, ended);
        };
        cycle(0, 0b1000);                         // 1 ns
        cycle(0, 0b0011);                         // 2 ns: slot 0 is not its own
        cycle(0b1011);                            // 3 ns
        cycle(0b0010);                            // 4 ns
        cycle(0b0010, 0b1000'0000, 0b0000'1000);  // 5 ns
        next_cycle();
        waves.close();
    }
    const vcd_reader vcd(file);
    std::remove(file.c_str());
    using changes = vcd_reader::changes;
    const auto from = [](const changes& all, std::uint64_t time) {
        std::vector<std::uint64_t> times;
        for (const auto& change : all) {
            if (change.first >= time) times.push_back(change.first);
        }
        return times;
    };
    EXPECT_EQ(vcd["s1.rank_1"].values.size(), 3U);  // -1, 1, 0
    EXPECT_THAT(from(vcd["s1.rank_1"].values, 1), ElementsAre(2000, 5000));
    EXPECT_THAT(from(vcd["s1.rank_3"].values, 1), ElementsAre(1000, 5000));
    EXPECT_THAT(from(vcd["s1.rank_7"].values, 1), ElementsAre(5000));
    EXPECT_EQ(vcd["s1.last_warp"].values.front(), vcd["s1.rank_1"].values.front());  // -1
    EXPECT_THAT(from(vcd["s1.last_warp"].values, 1), ElementsAre(3000, 4000));
    EXPECT_THAT(from(vcd["s1.issues"].values, 1), ElementsAre(3000, 4000, 5000));
    EXPECT_EQ(vcd["s1.issuable"].values.back().second, "10");
    EXPECT_EQ(vcd["s1.rank_7"].values.back().second, "1");
    EXPECT_EQ(vcd.variables().count("s1.rank_0"), 0U);
}

TEST(warp_scheduler_configuration, chooses_the_policy) {
    warp_scheduler_configuration configuration;
    parameter_list parameters(configuration);
    parameters.assign_text("scheduler", "lrr", "--set", "--set scheduler=lrr");
    EXPECT_EQ(configuration.scheduler, selection_policies::key<loose_round_robin>);
    EXPECT_THAT(parameters.find("scheduler")->description, HasSubstr("; gto = greedy, "));
}

TEST(warp_scheduler_configuration, refuses_a_policy_that_this_build_does_not_have) {
    warp_scheduler_configuration configuration;
    parameter_list parameters(configuration);
    try {
        parameters.assign_text("scheduler", "oldest", "--set", "--set scheduler=oldest");
        FAIL();
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("lrr, gto"));
    }
}

}  // namespace
}  // namespace heddle
