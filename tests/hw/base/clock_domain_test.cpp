// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/clock_domain.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/has_process.h"
#include "hw/base/inbox.h"
#include "hw/base/run_control.h"
#include "models/base/error.h"
#include "tests/hw/base/simulate.h"

namespace heddle {
namespace {

using sc_core::SC_FS;
using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;

/// A part whose behaviour is given by the test; records the edges at which it was evaluated.
class probe : public clocked {
public:
    explicit probe(clock_domain& domain, std::string name = "probe")
        : clocked(domain, std::move(name)) {}
    void evaluate() override {
        edges.push_back(domain().edge());
        skipped.push_back(skipped_edges());
        if (on_evaluate) on_evaluate();
    }
    activity update() override { return on_update ? on_update() : activity::idle; }
    void reset() override { ++resets; }

    std::vector<std::uint64_t> edges;
    std::vector<std::uint64_t> skipped;
    int resets = 0;
    std::function<void()> on_evaluate;
    std::function<activity()> on_update;
};

/// Calls a function at given times from a SystemC process that is no clock domain.
class caller : public sc_core::sc_module {
public:
    HEDDLE_HAS_PROCESS(caller);
    caller(const sc_core::sc_module_name& name, std::vector<sc_time> times,
           std::function<void()> call)
        : sc_module(name), times_(std::move(times)), call_(std::move(call)) {
        SC_THREAD(run);
    }

private:
    void run() {
        for (const sc_time& time : times_) {
            if (time > sc_core::sc_time_stamp()) {
                wait(time - sc_core::sc_time_stamp());
            }
            call_();
        }
    }
    std::vector<sc_time> times_;
    std::function<void()> call_;
};

TEST(clock_domain, runs_every_part_at_edge_0_and_then_only_who_has_work) {
    clock_domain core("core", frequency::megahertz(1000));
    probe busy(core);
    probe idle(core);
    busy.on_update = [&] { return core.edge() < 3 ? activity::busy : activity::idle; };
    simulate();
    EXPECT_THAT(busy.edges, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(idle.edges, ElementsAre(0));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(3, SC_NS));
    EXPECT_EQ(core.executed_edges(), 4U);
    EXPECT_EQ(core.evaluations(), 5U);
}

TEST(clock_domain, evaluates_all_then_updates_all_in_netlist_order) {
    clock_domain core("core", frequency::megahertz(1000));
    std::string order;
    std::vector<std::unique_ptr<probe>> parts;
    for (char name = 'a'; name < 'd'; ++name) {
        parts.push_back(std::make_unique<probe>(core));
        parts.back()->on_evaluate = [&order, name] { order += name; };
        parts.back()->on_update = [&order, name] {
            order += static_cast<char>(name - 'a' + 'A');
            return activity::idle;
        };
    }
    simulate();
    EXPECT_EQ(order, "abcABC");
}

TEST(clock_domain, resets_before_time_0) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    part.on_evaluate = [&] { EXPECT_EQ(part.resets, 1); };
    simulate();
    EXPECT_EQ(part.resets, 1);
}

TEST(clock_domain, wake_takes_effect_at_the_next_edge_from_evaluate_and_update) {
    clock_domain core("core", frequency::megahertz(1000));
    probe first(core);
    probe second(core);
    probe third(core);
    // Wakes from evaluate and from update, of a part before and of one behind in netlist order:
    // all of them are seen at the next edge, never at this one.
    second.on_evaluate = [&] {
        if (core.edge() == 10) {
            first.wake(), third.wake();
        }
        if (core.edge() == 0) {
            second.wake_at(std::uint64_t{10});
        }
    };
    second.on_update = [&] {
        if (core.edge() == 20) {
            first.wake(), third.wake();
        }
        if (core.edge() == 10) {
            second.wake_at(std::uint64_t{20});
        }
        return activity::idle;
    };
    simulate();
    EXPECT_THAT(first.edges, ElementsAre(0, 11, 21));
    EXPECT_THAT(second.edges, ElementsAre(0, 10, 20));
    EXPECT_THAT(third.edges, ElementsAre(0, 11, 21));
}

TEST(clock_domain, wake_from_another_process_is_seen_strictly_after_now) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    // At an edge (5 ns, also 0), between edges (7.3 ns), just before one (8.999 ns).
    caller host("host",
                {sc_time(0, SC_NS), sc_time(5, SC_NS), sc_time(7300, SC_PS), sc_time(8999, SC_PS)},
                [&] { part.wake(); });
    simulate();
    EXPECT_THAT(part.edges, ElementsAre(0, 1, 6, 8, 9));
}

TEST(clock_domain, wake_before_the_start_means_edge_0) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    part.wake();
    part.wake_at(std::uint64_t{0});
    part.wake_at(std::uint64_t{4});
    part.wake_at(sc_time(6500, SC_PS));
    EXPECT_EQ(core.next_edge(), 0U);
    EXPECT_EQ(core.edge_count(), 0U);
    simulate();
    EXPECT_THAT(part.edges, ElementsAre(0, 4, 7));
}

TEST(clock_domain, earlier_wake_overtakes_a_later_due_time) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    part.wake_at(std::uint64_t{1000});
    caller host("host", {sc_time(20, SC_NS)}, [&] { part.wake_at(sc_time(30, SC_NS)); });
    simulate();
    EXPECT_THAT(part.edges, ElementsAre(0, 30, 1000));
}

TEST(clock_domain, past_due_times_mean_the_next_edge) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    part.on_update = [&] {
        if (core.edge() == 0) {
            part.wake_at(std::uint64_t{5});
        }
        if (core.edge() == 5) {
            part.wake_at(std::uint64_t{5});
        }
        if (core.edge() == 6) {
            part.wake_at(sc_time(2, SC_NS));
        }
        return activity::idle;
    };
    simulate();
    EXPECT_THAT(part.edges, ElementsAre(0, 5, 6, 7));
}

TEST(clock_domain, due_times_near_and_far_come_in_order_and_once) {
    clock_domain core("core", frequency::megahertz(706));
    std::vector<std::unique_ptr<probe>> parts;
    for (int i = 0; i < 200; ++i) {
        parts.push_back(std::make_unique<probe>(core));
    }
    const std::vector<std::uint64_t> due = {1,   63,   64,     255,    256,
                                            257, 1000, 100000, 100255, 5000000};
    for (const std::uint64_t edge : due) {
        for (int repeat = 0; repeat < 3; ++repeat) {
            parts[70]->wake_at(edge);
        }
        parts[199]->wake_at(edge + 1);
    }
    simulate();
    std::vector<std::uint64_t> expected = {0};
    expected.insert(expected.end(), due.begin(), due.end());
    EXPECT_EQ(parts[70]->edges, expected);
    for (std::size_t i = 1; i < expected.size(); ++i) {
        ++expected[i];
    }
    EXPECT_EQ(parts[199]->edges, expected);
    EXPECT_EQ(parts[0]->edges.size(), 1U);
}

TEST(clock_domain, counts_skipped_edges_exactly) {
    clock_domain core("core", frequency::megahertz(706));
    probe part(core);
    part.wake_at(std::uint64_t{1});
    part.wake_at(std::uint64_t{5});
    part.wake_at(std::uint64_t{12345678});
    std::uint64_t at_call = 0;
    caller host("host", {core.rate().edge_time(100) * sc_time(1, SC_PS)},
                [&] { at_call = core.edge(); });
    simulate();
    EXPECT_THAT(part.skipped, ElementsAre(0, 0, 3, 12345672));
    EXPECT_EQ(part.skipped_edges(), 0U);
    EXPECT_EQ(at_call, 100U);
    EXPECT_EQ(core.edge(), 12345678U);
    EXPECT_EQ(core.edge_count(), 12345679U);
}

TEST(clock_domain, no_sleep_evaluates_at_every_edge) {
    run_status status;
    run_control control(status);
    clock_domain core("core", frequency::megahertz(1000), {&control, true});
    probe part(core);
    part.wake_at(std::uint64_t{7});
    part.on_update = [&] {
        if (core.edge() == 9) {
            control.finish();
        }
        return activity::idle;
    };
    EXPECT_EQ(control.run(), error_kind::none);
    EXPECT_EQ(part.edges.size(), 10U);
    EXPECT_THAT(part.skipped, testing::Each(0));
}

TEST(clock_domain, items_between_domains_are_seen_strictly_after_they_were_sent) {
    // 1000 and 500 MHz share every other edge.
    clock_domain slow("slow", frequency::megahertz(500));
    clock_domain fast("fast", frequency::megahertz(1000));
    probe receiver(slow);
    probe sender(fast);
    inbox<int> box(receiver, 16);
    std::vector<std::pair<int, std::uint64_t>> seen;
    receiver.on_evaluate = [&] {
        while (box.ready() != nullptr) {
            seen.emplace_back(box.pop(), slow.edge());
        }
    };
    sender.on_evaluate = [&] { ASSERT_TRUE(box.push(static_cast<int>(fast.edge()))); };
    sender.on_update = [&] { return fast.edge() < 5 ? activity::busy : activity::idle; };
    simulate();
    EXPECT_THAT(seen, ElementsAre(std::pair(0, 1U), std::pair(1, 1U), std::pair(2, 2U),
                                  std::pair(3, 2U), std::pair(4, 3U), std::pair(5, 3U)));
}

TEST(inbox, blocks_until_t_minus_1_and_is_ready_at_t) {
    clock_domain core("core", frequency::megahertz(1000));
    probe sender(core);
    probe receiver(core);
    probe poll(core);
    inbox<int> box(receiver, 4);
    sender.on_evaluate = [&] {
        if (core.edge() == 0) {
            EXPECT_TRUE(box.push(42, 300));
            EXPECT_TRUE(box.push(43, 1));
            EXPECT_TRUE(box.push(44, 299));
            EXPECT_EQ(box.first_due(), 1U);
        }
    };
    std::vector<std::pair<std::uint64_t, int>> seen;
    poll.on_update = [&] {
        if (core.edge() == 298) {
            EXPECT_EQ(box.ready(), nullptr);
        }
        return core.edge() < 310 ? activity::busy : activity::idle;
    };
    receiver.on_evaluate = [&] {
        while (box.ready() != nullptr) {
            seen.emplace_back(core.edge(), box.pop());
        }
    };
    simulate();
    EXPECT_THAT(seen, ElementsAre(std::pair(1U, 43), std::pair(299U, 44), std::pair(300U, 42)));
    EXPECT_THAT(receiver.edges, ElementsAre(0, 1, 299, 300));
}

TEST(inbox, refuses_what_does_not_fit) {
    clock_domain core("core", frequency::megahertz(1000));
    probe receiver(core);
    inbox<int> box(receiver, 2);
    EXPECT_TRUE(box.push(1));
    EXPECT_TRUE(box.push(2));
    EXPECT_TRUE(box.full());
    EXPECT_FALSE(box.push(3));
    EXPECT_EQ(box.size(), 2U);
}

TEST(clock_domain, works_with_a_finer_time_resolution) {
    sc_core::sc_set_time_resolution(1, SC_FS);
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    caller host("host", {sc_time(5, SC_NS), sc_time(8000001, SC_FS)}, [&] { part.wake(); });
    part.wake_at(sc_time(20000001, SC_FS));
    simulate();
    EXPECT_THAT(part.edges, ElementsAre(0, 6, 9, 21));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(21, SC_NS));
}

TEST(clock_domain, rejects_a_coarse_time_resolution) {
    sc_core::sc_set_time_resolution(10, SC_PS);
    run_status status;
    run_control control(status);
    clock_domain core("core", frequency::megahertz(1000), {&control, false});
    EXPECT_EQ(control.run(), error_kind::configuration);
    EXPECT_THAT(status.text(), HasSubstr("10 ps"));
    EXPECT_THAT(status.text(), HasSubstr("'core'"));
}

TEST(clock_domain, leaves_the_time_resolution_alone) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    // Legal only as long as nobody has fixed the resolution.
    EXPECT_NO_THROW(sc_core::sc_set_time_resolution(100, SC_FS));
}

TEST(clock_domain, rejects_parts_after_the_start) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    simulate();
    EXPECT_THROW(probe(core, "late"), configuration_error);
}

TEST(clock_domain, edges_are_exact_in_simulation) {
    clock_domain core("core", frequency::megahertz(706));
    probe part(core);
    bool exact = true;
    part.on_evaluate = [&] {
        exact = exact && sc_core::sc_time_stamp().value() == core.edge() * 1000000 / 706;
    };
    part.on_update = [&] { return core.edge() < 20000 ? activity::busy : activity::idle; };
    part.wake_at(std::uint64_t{1000000000});
    part.wake_at(std::uint64_t{1000000001});
    simulate();
    EXPECT_TRUE(exact);
    EXPECT_EQ(part.edges.back(), 1000000001U);
}

TEST(clock_domain, edges_behind_a_sleep_are_exact) {
    clock_domain core("core", frequency::megahertz(706));
    probe part(core);
    part.on_update = [&] {
        const std::uint64_t edge = core.edge();
        EXPECT_EQ(sc_core::sc_time_stamp(), core.edge_time(edge)) << "edge " << edge;
        if (edge % 10 != 0) return activity::busy;
        if (edge < 1000) part.wake_at(edge + 1 + edge % 70);
        return activity::idle;
    };
    simulate();
    EXPECT_GT(part.edges.size(), 100U);
}

TEST(clock_domain, a_part_may_sleep_for_one_edge) {
    clock_domain core("core", frequency::megahertz(1000));
    probe part(core);
    part.on_evaluate = [&] {
        if (core.edge() < 6) part.wake_at(core.edge() + 2);
    };
    simulate();
    EXPECT_THAT(part.edges, ElementsAre(0, 2, 4, 6));
}

}  // namespace
}  // namespace heddle
