// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Edges of a memory's domain are evaluated late: every part sees, and everybody else sees of it,
// what one thread shows.
#include "hw/base/late_edges.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/credit_latch.h"
#include "hw/base/crew.h"
#include "hw/base/delay_edges.h"
#include "hw/base/inbox.h"
#include "hw/base/run_control.h"
#include "tests/hw/base/child_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;

struct late_note {
    std::uint32_t who = 0;
    std::uint64_t edge = 0;
};

class late_bank;

/// Answers requests after `lookahead` of its edges. A request takes one of `places` until it is
/// served, then one more an edge, up to three; later they become free one by one.
class late_store final : public clocked, public late_part {
public:
    static constexpr std::uint64_t ahead = 6;

    late_store(clock_domain& domain, std::uint32_t number, std::uint32_t places)
        : clocked(domain, "store " + std::to_string(number)),
          requests(*this, 100),
          credits(places),
          number_(number),
          places_(places) {}

    void evaluate() override;
    activity update() override {
        const std::uint64_t draw = domain().edge() * 5 + number_;
        if (domain().runs_late()) {
            unlatched_ = true;
        } else {
            latch();
        }
        if (draw % 3 == 0) return activity::busy;
        wake_at(domain().edge() + 1 + draw % 4);
        return activity::idle;
    }
    std::uint64_t lookahead() const override { return ahead; }
    bool may_be_late(std::uint64_t edges) const override { return credits.room() > edges; }
    void caught_up() override {
        if (unlatched_) latch();
        unlatched_ = false;
    }

    inbox<late_note> requests;
    credit_latch credits;
    late_bank* bank = nullptr;
    std::string text;
    std::uint64_t evaluations = 0;
    std::uint64_t last_edge = 0;  ///< of these
    std::function<void(std::uint64_t edge)> on_evaluate;

private:
    void latch() {
        credits.latch(places_ -
                      std::min(places_, static_cast<std::uint32_t>(requests.size()) + held_));
    }

    const std::uint32_t number_, places_;
    std::uint32_t held_ = 0;   ///< places of what is served
    std::uint32_t grows_ = 0;  ///< edges at which it takes one more
    std::uint64_t last_answer_ = 0;
    bool unlatched_ = false;
};

/// Sends requests where it has credits, and writes down whether it had.
class late_bank final : public clocked {
public:
    late_bank(clock_domain& domain, std::uint32_t number, late_store& store)
        : clocked(domain, "bank " + std::to_string(number)),
          answers(*this, 100),
          store_(store),
          number_(number) {
        store.bank = this;
    }
    void evaluate() override {
        const std::uint64_t edge = domain().edge();
        text += "\n" + std::to_string(edge);
        while (answers.ready() != nullptr) text += " <" + std::to_string(answers.pop().edge);
        if ((edge / 8 + number_) % 4 == 0 && (edge * 7 + number_ * 3) % 5 < 3) {
            const bool credit = store_.credits.take();
            text += credit ? " sent" : " full";
            if (credit) (void)store_.requests.push({number_, edge}, 2);
        }
        if (on_evaluate) on_evaluate(edge);
    }
    activity update() override { return activity::busy; }

    inbox<late_note> answers;
    std::string text;
    std::function<void(std::uint64_t edge)> on_evaluate;

private:
    late_store& store_;
    const std::uint32_t number_;
};

void late_store::evaluate() {
    const std::uint64_t edge = domain().edge();
    ++evaluations;
    last_edge = edge;
    text += "\n" + std::to_string(edge) + " +" + std::to_string(skipped_edges());
    if (on_evaluate) on_evaluate(edge);
    if (grows_ != 0) {
        --grows_, ++held_;
        return;
    }
    if (held_ != 0) --held_;
    if (requests.ready() == nullptr) return;
    const late_note request = requests.pop();
    ++held_, grows_ = 2;
    text += " " + std::to_string(request.edge);
    last_answer_ = std::max(edge + ahead, last_answer_ + 1);
    const sc_core::sc_time seen =
        domain().edge_time(last_answer_) + sc_core::sc_time(1, sc_core::SC_PS);
    (void)bank->answers.push({number_, last_answer_},
                             delay_edges(bank->domain(), seen - present::time()));
}

/// Not shared: looks at the stores now and then.
class late_clerk final : public clocked {
public:
    late_clerk(clock_domain& domain, const std::vector<std::unique_ptr<late_store>>& stores)
        : clocked(domain, "clerk"), stores_(stores) {}
    void evaluate() override { text += "\nclerk " + seen(); }
    activity update() override {
        wake_at(domain().edge() + 7);
        return activity::idle;
    }
    [[nodiscard]] std::string seen() const {
        std::string all;
        for (const auto& each : stores_) {
            // Which domain comes first where edges coincide is nobody's business.
            const bool now = each->domain().edge_time(each->last_edge) == present::time();
            all += " " + std::to_string(each->evaluations - (now ? 1 : 0));
        }
        return all;
    }
    std::string text;

private:
    const std::vector<std::unique_ptr<late_store>>& stores_;
};

struct late_machine {
    static constexpr std::uint32_t pairs = 5;

    late_machine(unsigned threads, std::uint64_t seed, bool late, std::uint64_t core_mhz,
                 std::uint32_t places) {
        core = std::make_unique<clock_domain>("core", frequency::megahertz(core_mhz),
                                              clock_domain_options{&control});
        clerk = std::make_unique<late_clerk>(*core, stores);
        for (std::uint32_t i = 0; i < pairs; ++i) {
            stores.push_back(std::make_unique<late_store>(memory, i, places));
            banks.push_back(std::make_unique<late_bank>(*core, i, *stores.back()));
        }
        if (threads == 1) return;
        threads_ = std::make_unique<crew>(crew::settings{threads, seed, nullptr, late});
        for (const auto& each : banks) threads_->share(*each, 20);
        for (const auto& each : stores) threads_->share(*each, *each, 2);
        control.edges().hire(threads_.get());
    }
    std::string run() {
        control.run_ahead();
        control.look_at(5'000, [this, due = std::uint64_t{5'000}]() mutable {
            looks += "\nlook " + clerk->seen();
            return due += 13'200;
        });
        run_limits limits;
        limits.max_time = sc_core::sc_time(120, sc_core::SC_NS);
        control.run(limits);
        std::string all = status.text() + clerk->text + looks + "\nend " + clerk->seen();
        for (const auto& each : banks) all += "\n" + each->part_name() + each->text;
        for (const auto& each : stores) all += "\n" + each->part_name() + each->text;
        return all + "\n" + std::to_string(memory.evaluations()) + " " +
               std::to_string(memory.executed_edges());
    }

    run_status status;
    run_control control{status};
    std::unique_ptr<clock_domain> core;
    clock_domain memory{"memory", frequency::megahertz(1500), {&control}};
    std::vector<std::unique_ptr<late_store>> stores;
    std::vector<std::unique_ptr<late_bank>> banks;
    std::unique_ptr<late_clerk> clerk;
    std::unique_ptr<crew> threads_;
    std::string looks;
};

struct late_way {
    unsigned threads = 1;
    std::uint64_t seed = 0;
    bool late = true;
    std::uint64_t core_mhz = 700;
    std::uint32_t places = 8;  ///< of a store
};

std::string late_run(const late_way& way, const std::function<void(late_machine&)>& change = {}) {
    const process_result result = run_in_child([&](std::string& output) {
        late_machine machine(way.threads, way.seed, way.late, way.core_mhz, way.places);
        if (change) change(machine);
        output = machine.run();
        if (way.threads == 1 || way.seed == 0 || way.core_mhz != 700) return 0;
        return (machine.threads_->late_instants() > 5) == way.late ? 0 : 99;
    });
    EXPECT_EQ(result.exit_code, 0) << way.threads << " threads, seed " << way.seed;
    return result.output;
}

TEST(late_edges, nobody_can_tell) {
    // The stores' edges are 0.67 ns apart, and 6 of them ahead. At 250 MHz the next edge of the
    // banks may be just as far away, at 240 a little further.
    for (const std::uint64_t core_mhz : {700U, 250U, 240U, 1600U}) {
        const std::string one = late_run({1, 0, true, core_mhz});
        EXPECT_THAT(one, HasSubstr(" sent"));
        EXPECT_EQ(one.find(" full") != std::string::npos, core_mhz > 300);
        EXPECT_THAT(one, HasSubstr("\nlook "));
        EXPECT_THAT(one, HasSubstr("\nclerk "));
        for (const late_way& way : {late_way{2, 0}, late_way{2, 1}, late_way{3, 2},
                                    late_way{3, 3, false}, late_way{5, 4}}) {
            EXPECT_EQ(one, late_run({way.threads, way.seed, way.late, core_mhz}))
                << way.threads << " threads, seed " << way.seed << ", core at " << core_mhz;
        }
    }
}

TEST(late_edges, an_answer_is_there_when_it_falls_due) {
    // With room for any number of requests, only the lookahead of 6 keeps edges from being late.
    // From the first one behind an edge of the banks to their next edge it is exactly 6 edges at
    // times at 240 MHz, and up to 6.5, 7.1 and 8.8 with the others.
    for (const std::uint64_t core_mhz : {240U, 230U, 210U, 170U}) {
        const std::string one = late_run({1, 0, true, core_mhz, 100});
        EXPECT_THAT(one, HasSubstr(" sent"));
        EXPECT_THAT(one, HasSubstr(" <"));
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            EXPECT_EQ(one, late_run({2, seed, true, core_mhz, 100}))
                << "seed " << seed << ", core at " << core_mhz;
        }
    }
}

/// No turn of a store lies between turns of banks at one edge.
bool banks_are_not_torn_apart(const std::string& text) {
    std::uint64_t last = ~std::uint64_t{0};
    bool store = false;
    for (std::size_t at = text.find('\n'); at < text.find("\nend "); at = text.find('\n', at + 1)) {
        store |= text.compare(at, 7, "\nstore ") == 0;
        if (text.compare(at, 6, "\nbank ") != 0) continue;
        const std::uint64_t edge = std::stoull(text.substr(at + 8));
        if (edge == last && store) return false;
        last = edge;
        store = false;
    }
    return true;
}

/// Late parts may come to a turn, too: behind all others, and one by one.
TEST(late_edges, turns_come_one_by_one) {
    const auto change = [](late_machine& machine) {
        // Of a late edge and of the banks, a line each; nothing else guards the text.
        for (std::uint32_t i = 0; i < late_machine::pairs; ++i) {
            machine.stores[i]->on_evaluate = [&machine, i](std::uint64_t edge) {
                crew::in_order();
                machine.looks += "\nstore " + std::to_string(i) + " " + std::to_string(edge) + ".";
            };
            machine.banks[i]->on_evaluate = [&machine, i](std::uint64_t edge) {
                crew::in_order();
                machine.looks += "\nbank " + std::to_string(i) + " " + std::to_string(edge) + ".";
            };
        }
    };
    const auto sorted = [](const std::string& text) {
        std::vector<std::string> lines;
        for (std::size_t at = text.find('\n'); at != std::string::npos;) {
            const std::size_t end = text.find('\n', at + 1);
            lines.push_back(text.substr(at, end - at));
            at = end;
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    };
    const std::string one = late_run({1, 0, true, 700, 100}, change);
    EXPECT_THAT(one, HasSubstr("\nstore 4 "));
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        // With as many threads as pairs, each has a store.
        const std::string several = late_run({late_machine::pairs, seed, true, 700, 100}, change);
        EXPECT_EQ(sorted(one), sorted(several)) << "seed " << seed;
        EXPECT_TRUE(banks_are_not_torn_apart(several)) << "seed " << seed;
        // A part that comes behind one with a higher number does so at a later edge.
        std::uint64_t last_store = 0, last_edge = 0;
        for (std::size_t at = several.find("\nstore "); at < several.find("\nend ");
             at = several.find("\nstore ", at + 1)) {
            if (several[at + 8] != ' ') continue;  // what the store itself has written
            const std::uint64_t store = several[at + 7] - '0';
            const std::uint64_t edge = std::stoull(several.substr(at + 9));
            EXPECT_TRUE(store >= last_store || edge > last_edge) << several.substr(at, 20);
            last_store = store, last_edge = edge;
        }
    }
}

TEST(late_edges, an_error_finds_them_done) {
    const auto change = [](late_machine& machine) {
        machine.banks[2]->on_evaluate = [&machine](std::uint64_t edge) {
            if (edge != 64) return;
            crew::in_order();
            machine.status.report(error_kind::kernel_fault, "bank 2");
        };
    };
    // At 750 MHz edges of both domains fall on the last instant.
    for (const std::uint64_t core_mhz : {700U, 750U}) {
        const std::string one = late_run({1, 0, true, core_mhz}, change);
        EXPECT_THAT(one, HasSubstr("bank 2"));
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            EXPECT_EQ(one, late_run({3, seed, true, core_mhz}, change));
        }
    }
}

}  // namespace
}  // namespace heddle
