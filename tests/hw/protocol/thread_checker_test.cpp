// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gtest/gtest.h>

#include "hw/protocol/thread_turn.h"
#include "tests/hw/protocol/violation_table.h"

/// The rules of the link between an SMX and its thread pool, each on the mistake that it is for.
namespace heddle::protocol::testing {
namespace {

using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;

/// Two threads come, and the first one issues.
struct turn_fixture : checked_link<thread_link> {
    std::array<thread_arrival, 2> arrivals{};
    thread_turn turn;

    turn_fixture() {
        for (unsigned n = 0; n < arrivals.size(); ++n) {
            arrivals[n].pc = 4 * n;
            arrivals[n].lanes = 1U << n;
        }
        turn.cycle = 100;
        turn.arrivals = arrivals.data();
        turn.arrival_count = 2;
        turn.issue.outcome = turn_outcome::issued;
        turn.issue.count = 1;
        turn.issue.parts[0] = {block_slot(0), 0, 1};
        target_answers(TLM_COMPLETED, {});
    }
    thread_turn& at(unsigned) { return turn; }
};

struct turn_table : violation_table<turn_fixture> {
    /// Something about the turn is otherwise, before the call.
    static step with(void (*change)(turn_fixture&)) {
        return [=](turn_fixture& f) { change(f); };
    }
    static row wrong_request(const char* name, void (*change)(turn_fixture&), const char* text) {
        return {name, {with(change), call()}, {rule::attributes}, {text}};
    }
    static row wrong_answer(const char* name, void (*change)(turn_fixture&), const char* text) {
        return {name, {with(change), call()}, {rule::response_missing}, {text}};
    }
    static step call() { return forward(1, thread_phase::turn); }

    static std::vector<row> calls() {
        return {
            {"one_call_per_instant", {call(), wait(1), call()}},
            {"turn_without_an_issue",
             {with([](auto& f) {
                  f.turn.issue.outcome = turn_outcome::forming;
                  f.turn.issue.count = 0;
              }),
              call()}},
            {"turn_without_arrivals",
             {with([](auto& f) {
                  f.turn.arrivals = nullptr;
                  f.turn.arrival_count = 0;
              }),
              call()}},
            {"two_calls_at_once",
             {call(), wait(1), call(), with([](auto& f) {
                  f.turn.calls_before = 1;
                  f.turn.arrivals = nullptr;
                  f.turn.arrival_count = 0;
              }),
              call()}},
            {"call_that_is_not_answered",
             {target_answers(TLM_ACCEPTED), call()},
             {rule::return_status},
             {"TLM_ACCEPTED as the answer to turn"}},
            {"unknown_phase", {forward(1, static_cast<thread_phase>(3))}, {rule::unknown_phase}},
            {"blocking_call", {blocking(1)}, {rule::transport_style}},
            {"pool_takes_arrivals_away",
             {with([](turn_fixture& f) {
                  f.target.on_forward = [](thread_turn& t, thread_phase&, sc_time&) {
                      t.arrival_count = 0;
                      return TLM_COMPLETED;
                  };
              }),
              call()},
             {rule::attribute_changed},
             {"arrivals changed"}},
        };
    }
    static std::vector<row> requests() {
        return {
            wrong_request(
                "arrivals_that_are_not_given", [](auto& f) { f.turn.arrivals = nullptr; },
                "arrivals are counted but not given"),
            wrong_request(
                "arrivals_in_a_later_call", [](auto& f) { f.turn.calls_before = 1; },
                "arrivals in a later call of a cycle"),
            wrong_request(
                "arrival_of_nobody", [](auto& f) { f.arrivals[1].lanes = 0; },
                "no thread arrives in an arrival"),
            wrong_request(
                "pc_between_words", [](auto& f) { f.arrivals[1].pc = 6; }, "pc"),
        };
    }
    static std::vector<row> answers() {
        return {
            wrong_answer(
                "issue_without_a_part", [](auto& f) { f.turn.issue.count = 0; },
                "the count of parts contradicts the outcome"),
            wrong_answer(
                "part_without_an_issue",
                [](auto& f) { f.turn.issue.outcome = turn_outcome::nothing; },
                "the count of parts contradicts the outcome"),
            wrong_answer(
                "more_parts_than_lanes", [](auto& f) { f.turn.issue.count = 65; }, "count"),
            wrong_answer(
                "part_without_threads", [](auto& f) { f.turn.issue.parts[0].lanes = 0; },
                "a part without threads issues"),
            wrong_answer(
                "two_threads_in_a_lane",
                [](auto& f) {
                    f.turn.issue.count = 2;
                    f.turn.issue.parts[1] = {block_slot(0), 4, 0b11};
                },
                "two threads issue in one lane"),
            wrong_answer(
                "next_change_that_has_passed", [](auto& f) { f.turn.next_change = 100; },
                "the next change is not later than this cycle"),
        };
    }
};

class thread_rules : public ::testing::TestWithParam<turn_table::row> {};
TEST_P(thread_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(calls, thread_rules, ::testing::ValuesIn(turn_table::calls()),
                         turn_table::name);
INSTANTIATE_TEST_SUITE_P(requests, thread_rules, ::testing::ValuesIn(turn_table::requests()),
                         turn_table::name);
INSTANTIATE_TEST_SUITE_P(answers, thread_rules, ::testing::ValuesIn(turn_table::answers()),
                         turn_table::name);

}  // namespace
}  // namespace heddle::protocol::testing
