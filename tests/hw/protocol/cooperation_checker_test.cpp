// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gtest/gtest.h>

#include "hw/protocol/cooperation.h"
#include "tests/hw/protocol/violation_table.h"

/// The rules of cooperation_link, each on the mistake that it is for.
namespace heddle::protocol::testing {
namespace {

using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;

/// Call 1 offers block 3, call 2 forks for block 0.
struct cooperation_fixture : checked_link<cooperation_link> {
    pool<cooperation_call> calls{"calls"};
    std::array<pool_ptr<cooperation_call>, 2> made{calls.make(), calls.make()};

    cooperation_fixture() {
        for (const auto& each : made) each->launch = launch_id(1);
        made[0]->block = 3;
        made[1]->request = cooperation_request::request_fork;
        made[1]->origin.pc = 0x10000;
    }
    cooperation_call& at(unsigned id) { return *made[id - 1]; }
};

struct cooperation_table : violation_table<cooperation_fixture> {
    static step request(unsigned id) { return forward(id, cooperation_phase::request); }
    static step answer(unsigned id, cooperation_answer what, std::uint32_t groups = 4) {
        return [=](cooperation_fixture& f) {
            f.at(id).answer = what;
            f.at(id).groups = groups;
            f.initiator_answers(TLM_COMPLETED, {});
            f.backward(f.at(id), cooperation_phase::answer);
            f.initiator_answers(TLM_ACCEPTED, {});
        };
    }
    static row wrong(const char* name, unsigned id, void (*change)(cooperation_call&),
                     const char* text) {
        const step spoil = [=](cooperation_fixture& f) { change(f.at(id)); };
        return {name, {spoil, request(id)}, {rule::attributes}, {text}};
    }

    static std::vector<row> phases() {
        using what = cooperation_answer;
        return {
            {"two_that_overlap",
             {request(1), request(2), answer(1, what::die), answer(2, what::go_on), end_of_run(),
              ended(2)}},
            {"answer_without_a_call", {answer(1, what::go_on)}, {rule::not_open}},
            {"two_answers",
             {request(1), answer(1, what::go_on), clean_so_far(), answer(1, what::go_on)},
             {rule::not_open}},
            {"no_answer_in_it",
             {request(1), answer(1, what::none)},
             {rule::response_missing},
             {"the answer is not set"}},
            {"leaves_at_an_offer",
             {request(1), answer(1, what::leave)},
             {rule::response_missing},
             {"legal: at a barrier"}},
            {"block_0_dies",
             {request(2), answer(2, what::die)},
             {rule::response_missing},
             {"block 0 dies"}},
            {"nobody_is_left",
             {request(1), answer(1, what::go_on, 0)},
             {rule::response_missing},
             {"groups is 0"}},
            {"never_answered", {request(1), end_of_run()}, {rule::lost}},
            {"block_changed_under_way",
             {request(1), [](cooperation_fixture& f) { f.at(1).block = 2; },
              answer(1, what::go_on)},
             {rule::attribute_changed},
             {"block changed"}},
        };
    }
    static std::vector<row> attributes() {
        return {
            wrong(
                "no_launch", 1, [](auto& c) { c.launch = {}; }, "launch id is 0"),
            wrong(
                "answer_is_known", 1, [](auto& c) { c.answer = cooperation_answer::go_on; },
                "the answer is set before the call"),
            wrong(
                "fork_to_nowhere", 2, [](auto& c) { c.origin.pc = 0; }, "say where blocks start"),
            wrong(
                "offer_that_forks", 1, [](auto& c) { c.origin.pc = 4; }, "the others do not"),
        };
    }
};

class cooperation_rules : public ::testing::TestWithParam<cooperation_table::row> {};
TEST_P(cooperation_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(phases, cooperation_rules,
                         ::testing::ValuesIn(cooperation_table::phases()), cooperation_table::name);
INSTANTIATE_TEST_SUITE_P(attributes, cooperation_rules,
                         ::testing::ValuesIn(cooperation_table::attributes()),
                         cooperation_table::name);

}  // namespace
}  // namespace heddle::protocol::testing
