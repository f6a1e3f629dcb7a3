// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Our own machine as a core that is not ours: its records, in parts, go through the lock-step of
// foreign cores, which must accept them, and must name what is changed in any of them.
#include "models/iss/foreign/foreign_core.h"

#include <gmock/gmock.h>

#include <cstring>
#include <optional>

#include "models/base/random.h"
#include "tests/hw/top/small_workloads.h"
#include "tests/hw/top/told_simulation.h"

namespace heddle {
namespace {

/// Workloads with launches by kernels, transactions or cooperative kernels are not followed.
bool can_be_followed(const std::string& name) {
    static const std::vector<std::string> not_followed{
        "audit",  "uts", "children", "bfs_pockets", "octree_pockets", "l_bfs", "l_sssp",
        "p_sssp", "clr", "game",     "amr",         "color",          "mis",   "octree"};
    return std::find(not_followed.begin(), not_followed.end(), name) == not_followed.end();
}

class foreign_core : public testing::TestWithParam<std::string> {};
std::vector<std::string> followed_workloads() {
    std::vector<std::string> names;
    for (const std::string& name : workload_names()) {
        if (can_be_followed(name)) names.push_back(name);
    }
    return names;
}
INSTANTIATE_TEST_SUITE_P(accepts, foreign_core, testing::ValuesIn(followed_workloads()),
                         [](const auto& info) { return info.param; });

void expect_accepted(const std::string& name, iss::foreign_rules rules) {
    const gpu_configuration configuration = configuration_of("tiny");
    rules.stale_loads = configuration.l1d.cache_global;
    told_simulation core(configuration, rules);
    const auto program = [&](device& gpu) {
        workloads::run_workload(workloads::find_workload(name), gpu, small_options(name));
    };
    EXPECT_EQ(core.run(program), error_kind::none) << core.status().text();
    EXPECT_EQ(core.refused(), "");
    EXPECT_EQ(core.finding() ? core.finding()->text : "", "");
    EXPECT_GT(core.steps(), 50U);
    EXPECT_EQ(core.counts().instructions, core.steps());
}

TEST_P(foreign_core, our_own_machine) {
    expect_accepted(GetParam(), strict());
}

TEST_P(foreign_core, our_own_machine_without_promises) {
    expect_accepted(GetParam(), {});
}

TEST_P(foreign_core, our_own_machine_with_threads_apart) {
    iss::foreign_rules rules = strict();
    rules.threads_apart = true;
    expect_accepted(GetParam(), rules);
}

/// One bit of one field that a step or a data record has, drawn.
struct changed_field {
    const char* name;
    bool (*meaningful)(const heddle_retired&);
    void (*change)(heddle_retired&, unsigned lane, std::uint32_t bit);
};

bool is_step(const heddle_retired& r) {
    return r.kind == HEDDLE_STEP;
}

const changed_field fields[] = {
    {"pc", is_step, [](auto& r, unsigned, std::uint32_t bit) { r.pc ^= bit; }},
    {"word", is_step, [](auto& r, unsigned, std::uint32_t bit) { r.word ^= bit; }},
    {"lanes", is_step,
     [](auto& r, unsigned lane, std::uint32_t) {
         r.lanes ^= std::uint64_t{1} << lane;
         r.known &= r.lanes;
         if (r.known != 0) r.known = r.lanes;
     }},
    {"n", is_step, [](auto& r, unsigned, std::uint32_t bit) { r.n ^= bit; }},
    {"rd", is_step, [](auto& r, unsigned, std::uint32_t) { r.rd ^= 1; }},
    {"access", is_step, [](auto& r, unsigned, std::uint32_t) { r.access ^= 1; }},
    {"warp", is_step, [](auto& r, unsigned, std::uint32_t) { r.warp ^= 1; }},
    {"block", is_step, [](auto& r, unsigned, std::uint32_t) { r.block ^= 1; }},
    {"value", [](const auto& r) { return is_step(r) && r.rd != 0 && r.access == 0; },
     [](auto& r, unsigned lane, std::uint32_t bit) { r.value[lane] ^= bit; }},
    {"loaded value", [](const auto& r) { return r.kind == HEDDLE_DATA && r.rd != 0; },
     [](auto& r, unsigned lane, std::uint32_t bit) { r.value[lane] ^= bit; }},
    {"address", [](const auto& r) { return is_step(r) && r.access != 0; },
     [](auto& r, unsigned lane, std::uint32_t bit) { r.address[lane] ^= bit; }},
    {"data", [](const auto& r) { return is_step(r) && r.access == HEDDLE_STORE; },
     [](auto& r, unsigned lane, std::uint32_t bit) { r.data[lane] ^= bit; }},
    {"lanes of data", [](const auto& r) { return r.kind == HEDDLE_DATA; },
     [](auto& r, unsigned lane, std::uint32_t) { r.lanes &= ~(std::uint64_t{1} << lane); }},
    {"fault", is_step, [](auto& r, unsigned, std::uint32_t) { r.fault = 1; }},
    {"live", is_step,
     [](auto& r, unsigned lane, std::uint32_t) { r.live ^= std::uint64_t{1} << lane; }},
};

class changed_record : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(of, changed_record, testing::Range<std::size_t>(0, std::size(fields)));

/// The record number `which` of those that have the field is changed. What is found then is about
/// that warp, or the record is refused with the warp's name.
TEST_P(changed_record, is_named) {
    const changed_field& field = fields[GetParam()];
    told_simulation core(configuration_of("tiny"), strict());
    random_stream random(GetParam(), "changed records");
    std::optional<heddle_retired> changed;
    unsigned which = static_cast<unsigned>(random.below(20));
    core.change = [&](heddle_retired& r) {
        if (changed || !field.meaningful(r) || which-- != 0) return;
        unsigned lane = static_cast<unsigned>(random.below(32));
        while ((r.lanes >> lane & 1) == 0) lane = (lane + 1) % 32;
        const heddle_retired before = r;
        field.change(r, lane, 1U << random.below(32));
        changed = before;
    };
    (void)core.run([](device& gpu) {
        workloads::run_workload(workloads::find_workload("matrix"), gpu, small_options("matrix"));
    });
    ASSERT_TRUE(changed) << field.name;
    if (core.finding() && core.finding()->place) {
        const iss::lockstep_place& at = *core.finding()->place;
        EXPECT_EQ(at.launch.value(), changed->launch);
        const bool elsewhere =
            std::strcmp(field.name, "warp") == 0 || std::strcmp(field.name, "block") == 0;
        if (!elsewhere) {
            EXPECT_EQ(at.block, changed->block) << field.name << ": " << core.finding()->text;
            EXPECT_EQ(at.warp, changed->warp) << field.name << ": " << core.finding()->text;
        }
        EXPECT_FALSE(core.finding()->last_steps.empty());
        EXPECT_LE(core.finding()->last_steps.size(), iss::foreign_core::steps_kept);
        EXPECT_EQ(core.finding()->last_steps.back().warp, at.warp);
    } else {
        EXPECT_THAT(core.finding() ? core.finding()->text : core.refused(),
                    testing::HasSubstr("block "))
            << field.name;
    }
}

}  // namespace
}  // namespace heddle
