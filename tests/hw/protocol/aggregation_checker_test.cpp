// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gtest/gtest.h>

#include "hw/protocol/aggregation.h"
#include "tests/hw/protocol/violation_table.h"

/// The rules of aggregation_link, each on the mistake that it is for.
namespace heddle::protocol::testing {
namespace {

using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;

/// Two aggregations of two groups each.
struct aggregation_fixture : checked_link<aggregation_link> {
    pool<kernel_launch> launches{"launches"};
    pool<aggregation> aggregations{"aggregations"};
    std::array<pool_ptr<aggregation>, 2> made{aggregations.make(), aggregations.make()};

    aggregation_fixture() {
        std::uint32_t next = 2;
        for (const auto& each : made) {
            each->parent = launch_id(1);
            each->count = 2;
            for (std::uint32_t n = 0; n < 2; ++n) {
                each->groups[n].launch = launches.make();
                each->groups[n].launch->launch = launch_id(next++);
                each->groups[n].launch->parent = launch_id(1);
                each->groups[n].launch->group = true;
                each->groups[n].thread = 5 + n;
            }
        }
    }
    aggregation& at(unsigned id) { return *made[id - 1]; }
};

struct aggregation_table : violation_table<aggregation_fixture> {
    static step request(unsigned id) { return forward(id, aggregation_phase::request); }
    static step accepted(unsigned id) { return backward(id, aggregation_phase::accepted); }
    static step completed(unsigned id) {
        return [=](aggregation_fixture& f) {
            f.initiator_answers(TLM_COMPLETED, {});
            f.backward(f.at(id), aggregation_phase::completed);
            f.initiator_answers(TLM_ACCEPTED, {});
        };
    }
    static step outcomes(unsigned id, unsigned groups) {
        return [=](aggregation_fixture& f) {
            for (unsigned n = 0; n < groups; ++n) {
                f.at(id).groups[n].launch->outcome = launch_outcome::completed;
            }
        };
    }
    static row wrong(const char* name, void (*change)(aggregation&), const char* text) {
        const step spoil = [=](aggregation_fixture& f) { change(f.at(1)); };
        return {name, {spoil, request(1)}, {rule::attributes}, {text}};
    }

    static std::vector<row> phases() {
        return {
            {"two_that_overlap",
             {request(1), accepted(1), request(2), accepted(2), outcomes(2, 2), completed(2),
              outcomes(1, 2), completed(1), end_of_run(), ended(2)}},
            {"second_request_before_acceptance",
             {request(1), clean_so_far(), request(2)},
             {rule::exclusion}},
            {"end_before_acceptance",
             {request(1), outcomes(1, 2), completed(1)},
             {rule::phase_order}},
            {"end_while_a_group_is_pending",
             {request(1), accepted(1), outcomes(1, 1), completed(1)},
             {rule::response_missing},
             {"the outcome of a group is still pending"}},
            {"never_ends", {request(1), accepted(1), end_of_run()}, {rule::lost}},
            {"count_changed_under_way",
             {request(1), accepted(1), [](aggregation_fixture& f) { f.at(1).count = 1; },
              outcomes(1, 1), completed(1)},
             {rule::attribute_changed},
             {"count changed"}},
        };
    }
    static std::vector<row> attributes() {
        return {
            wrong(
                "no_group", [](auto& a) { a.count = 0; }, "count"),
            wrong(
                "kernel", [](auto& a) { a.groups[1].launch->group = false; },
                "a group carries no launch of a group"),
            wrong(
                "no_launch", [](auto& a) { a.groups[1].launch = {}; },
                "a group carries no launch of a group"),
            wrong(
                "other_parent", [](auto& a) { a.groups[1].launch->parent = launch_id(9); },
                "a group has another parent than its warp"),
            wrong(
                "outcome_is_known",
                [](auto& a) { a.groups[0].launch->outcome = launch_outcome::completed; },
                "outcome is set before the launch began"),
            wrong(
                "threads_out_of_order", [](auto& a) { a.groups[1].thread = 5; },
                "the groups are not in ascending order of threads"),
        };
    }
};

class aggregation_rules : public ::testing::TestWithParam<aggregation_table::row> {};
TEST_P(aggregation_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(phases, aggregation_rules,
                         ::testing::ValuesIn(aggregation_table::phases()), aggregation_table::name);
INSTANTIATE_TEST_SUITE_P(attributes, aggregation_rules,
                         ::testing::ValuesIn(aggregation_table::attributes()),
                         aggregation_table::name);

}  // namespace
}  // namespace heddle::protocol::testing
