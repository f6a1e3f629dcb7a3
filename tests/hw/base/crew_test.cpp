// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Threads share the edges of made-up parts: every part sees what it sees with one thread.
#include "hw/base/crew.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/run_control.h"
#include "hw/base/turn.h"
#include "tests/hw/base/child_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t crew_parts = 9;

struct crew_note {
    std::uint32_t who = 0;
    std::uint64_t edge = 0;
};

/// Writes down what comes, and when.
class note_reader final : public clocked {
public:
    note_reader(clock_domain& domain, const std::string& name)
        : clocked(domain, name), notes(*this, 1000), boxes(*this, 1000) {}
    void evaluate() override {
        text += "\n" + std::to_string(domain().edge()) + " +" + std::to_string(skipped_edges());
        while (notes.ready() != nullptr) {
            const crew_note got = notes.pop();
            text += " " + std::to_string(got.who) + "@" + std::to_string(got.edge);
        }
        while (boxes.ready() != nullptr) text += " [" + std::to_string(*boxes.pop()) + "]";
    }
    activity update() override {
        return domain().edge() % 9 == 4 ? activity::busy : activity::idle;
    }

    inbox<crew_note> notes;
    inbox<std::unique_ptr<std::uint64_t>> boxes;
    std::string text;
};

/// The machine of the test: parts in two domains that write to each other, to a reader that is
/// shared, and to one that is not.
class crew_machine {
public:
    class part;

    explicit crew_machine(unsigned threads, std::uint64_t seed, std::uint32_t weight = 8);

    std::string run(std::uint64_t nanoseconds = 200) {
        control.run_ahead();
        run_limits limits;
        limits.max_time = sc_core::sc_time(static_cast<double>(nanoseconds), sc_core::SC_NS);
        control.run(limits);
        return text();
    }
    [[nodiscard]] std::string text() const;

    run_status status;
    run_control control{status};
    clock_domain core{"core", frequency::megahertz(1000), {&control}};
    clock_domain memory{"memory", frequency::megahertz(1500), {&control}};
    note_reader clerk{core, "clerk"};
    note_reader reader{memory, "reader"};
    std::vector<std::unique_ptr<part>> parts;
    std::string calls;  ///< each comes after in_order()
    std::unique_ptr<crew> threads_;
};

class crew_machine::part final : public clocked {
public:
    part(crew_machine& machine, clock_domain& domain, std::uint32_t number)
        : clocked(domain, "part " + std::to_string(number)),
          letters(*this, 1000),
          machine_(machine),
          number_(number) {}
    void evaluate() override {
        const std::uint64_t edge = domain().edge();
        text += "\n" + std::to_string(edge) + " +" + std::to_string(skipped_edges());
        while (letters.ready(edge) != nullptr) {
            const crew_note got = letters.pop();
            text += " " + std::to_string(got.who) + "@" + std::to_string(got.edge);
        }
        const std::uint64_t draw = edge * 7 + number_ * 5;
        if (draw % 3 != 0) {
            (void)machine_.reader.notes.push({number_, edge}, 1 + draw % 4);
        }
        part& next = *machine_.parts[(number_ + 1) % crew_parts];
        if (draw % 4 == 0) (void)next.letters.push({number_, edge}, 1 + draw % 3);
        if (draw % 11 == 0) next.wake();
        if (draw % 5 == 0) {
            crew::in_order();
            machine_.calls += " " + std::to_string(number_) + "@" + std::to_string(edge);
            (void)machine_.clerk.notes.push({number_, edge});
            (void)machine_.clerk.boxes.push(std::make_unique<std::uint64_t>(draw), 2);
        }
        if (on_evaluate) on_evaluate(edge);
    }
    activity update() override {
        if (on_update) on_update(domain().edge());
        const std::uint64_t draw = domain().edge() * 3 + number_;
        if (draw % 4 != 0) return activity::busy;
        wake_at(domain().edge() + 2 + draw % 3);
        return activity::idle;
    }

    inbox<crew_note> letters;
    std::string text;
    std::function<void(std::uint64_t edge)> on_evaluate, on_update;

private:
    crew_machine& machine_;
    const std::uint32_t number_;
};

crew_machine::crew_machine(unsigned threads, std::uint64_t seed, std::uint32_t weight) {
    for (std::uint32_t i = 0; i < crew_parts; ++i) {
        parts.push_back(std::make_unique<part>(*this, i % 3 == 2 ? memory : core, i));
    }
    if (threads == 1) return;
    threads_ = std::make_unique<crew>(crew::settings{threads, seed});
    for (const auto& each : parts) threads_->share(*each, weight);
    threads_->share(reader, weight);
    control.edges().hire(threads_.get());
}

std::string crew_machine::text() const {
    std::string all = status.text() + clerk.text + reader.text + calls;
    for (const auto& each : parts) all += "\n" + each->part_name() + each->text;
    return all;
}

/// What a machine writes down, in a process of its own.
std::string written_with(unsigned threads, std::uint64_t seed,
                         const std::function<void(crew_machine&)>& change = {}) {
    const process_result result = run_in_child([&](std::string& output) {
        crew_machine machine(threads, seed);
        if (change) change(machine);
        output = machine.run();
        if (threads > 1 && machine.threads_->shared_instants() == 0) return 99;
        return 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.output;
}

TEST(crew, threads_write_down_what_one_writes_down) {
    const std::string one = written_with(1, 0);
    EXPECT_THAT(one, HasSubstr("\n199 +"));
    EXPECT_THAT(one, HasSubstr(" ["));
    for (const unsigned threads : {2U, 3U, 5U, 13U}) {
        for (const std::uint64_t seed : {0U, 1U}) {
            EXPECT_EQ(one, written_with(threads, seed))
                << threads << " threads, delays of seed " << seed;
        }
    }
}

TEST(crew, the_first_part_that_throws_decides) {
    const auto change = [](crew_machine& machine) {
        for (const std::size_t i : {7U, 3U, 4U}) {
            machine.parts[i]->on_evaluate = [i](std::uint64_t edge) {
                if (edge == 50) throw std::runtime_error("thrown by " + std::to_string(i));
            };
        }
    };
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        EXPECT_THAT(written_with(5, seed, change), HasSubstr("thrown by 3"));
    }
}

/// As with one thread: all parts are evaluated before one is updated.
TEST(crew, what_an_evaluate_throws_comes_first) {
    const auto change = [](crew_machine& machine) {
        machine.parts[0]->on_update = [](std::uint64_t edge) {
            if (edge == 50) throw std::runtime_error("thrown by an update");
        };
        machine.parts[4]->on_evaluate = [](std::uint64_t edge) {
            if (edge == 50) throw std::runtime_error("thrown by an evaluate");
        };
    };
    for (const unsigned threads : {1U, 2U, 5U}) {
        EXPECT_THAT(written_with(threads, 1, change), HasSubstr("thrown by an evaluate"));
    }
}

TEST(crew, an_error_ends_the_run_after_the_same_edge) {
    const auto change = [](crew_machine& machine) {
        for (const std::size_t i : {6U, 0U}) {
            machine.parts[i]->on_evaluate = [&machine, i](std::uint64_t edge) {
                if (edge != 70) return;
                crew::in_order();
                machine.status.report(error_kind::kernel_fault, "part " + std::to_string(i));
            };
        }
    };
    const std::string one = written_with(1, 0, change);
    EXPECT_THAT(one, HasSubstr("part 0\npart 6"));
    for (const std::uint64_t seed : {1U, 2U, 3U}) EXPECT_EQ(one, written_with(3, seed, change));
}

TEST(crew, reports_an_inbox_without_room) {
    const auto change = [](crew_machine& machine) {
        machine.parts[0]->on_evaluate = [&machine](std::uint64_t edge) {
            if (edge != 20) return;
            for (int i = 0; i < 2000; ++i) (void)machine.reader.notes.push({});
        };
    };
    EXPECT_THAT(written_with(2, 1, change), HasSubstr("an inbox got more than it has room for"));
}

TEST(crew, reports_who_touches_the_state_of_another_lane) {
    const auto change = [](crew_machine& machine) {
        machine.parts[1]->on_evaluate = [&machine](std::uint64_t edge) {
            crew::check_lane(*machine.parts[1]);
            if (edge == 20) crew::check_lane(*machine.parts[4]);
        };
    };
    EXPECT_THAT(written_with(2, 1, change),
                HasSubstr("the state of part 4 was touched from outside, by part 1"));
}

TEST(crew, reports_who_does_not_wait_for_its_turn) {
    for (const bool waits : {false, true}) {
        const auto change = [waits](crew_machine& machine) {
            machine.parts[7]->on_evaluate = [waits](std::uint64_t edge) {
                if (waits) crew::in_order();
                if (edge > 50) expect_turn();  // the part had its turn at earlier edges
            };
        };
        const std::string text = written_with(5, 1, change);
        const bool reported =
            text.find("a part that has not waited for its turn") != std::string::npos;
        EXPECT_EQ(reported, !waits) << text;
    }
}

TEST(crew, reports_an_update_that_sends) {
    const auto change = [](crew_machine& machine) {
        machine.parts[1]->on_update = [&machine](std::uint64_t edge) {
            if (edge == 20) (void)machine.reader.notes.push({});
        };
    };
    EXPECT_THAT(written_with(2, 1, change),
                HasSubstr("something is sent to reader by an update()"));
}

TEST(crew, little_work_stays_on_one_thread) {
    crew_machine machine(2, 0, 1);
    machine.run();
    EXPECT_EQ(machine.threads_->shared_instants(), 0U);
    EXPECT_GT(machine.threads_->lone_instants(), 150U);
}

TEST(crew, shares_what_is_worth_it) {
    crew_machine machine(2, 0, 8);
    machine.run();
    EXPECT_GT(machine.threads_->shared_instants(), 0U);  // the cores may be busy
    EXPECT_GT(machine.threads_->lone_instants(), 10U) << "the reader alone is not worth it";
}

}  // namespace
}  // namespace heddle
