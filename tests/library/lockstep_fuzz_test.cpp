// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Records that no core would tell, in the middle of those of a good one. What is refused leaves the
// machine as it was: the right record goes on. HEDDLE_FUZZ_CALLS: how many.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

#include "tests/library/lockstep_kit.h"

namespace heddle {
namespace {

unsigned calls_of_fuzz() {
    const char* const given = std::getenv("HEDDLE_FUZZ_CALLS");
    return given == nullptr ? 20000 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

class garbage {
public:
    explicit garbage(unsigned seed) : random_(seed) {}

    [[nodiscard]] bool wanted() { return random_() % 2 == 0; }
    /// One that is near to `right`, or all bits of which are drawn.
    heddle_retired of(const heddle_retired& right) {
        heddle_retired made = right;
        auto* const bytes = reinterpret_cast<std::uint8_t*>(&made);
        if (random_() % 20 == 0) {
            for (std::size_t i = sizeof made.size; i < sizeof made; ++i) {
                bytes[i] = static_cast<std::uint8_t>(random_());
            }
            return made;
        }
        static const auto fields = all_fields();
        for (unsigned left = 1 + random_() % 3; left != 0; --left) {
            const heddle_field& field = fields[random_() % fields.size()];
            std::uint8_t* const to = bytes + field.offset;
            switch (random_() % 4) {
                case 0:  // a small number
                    std::memset(to, 0, field.bytes);
                    to[0] = static_cast<std::uint8_t>(random_() % 12);
                    break;
                case 1:
                    std::memset(to, 0xff, field.bytes);
                    break;
                default:
                    to[random_() % (field.bytes * field.count)] ^=
                        static_cast<std::uint8_t>(1U << random_() % 8);
            }
        }
        return made;
    }

private:
    static std::vector<heddle_field> all_fields() {
        std::vector<heddle_field> all;
        heddle_field one{};
        one.size = sizeof one;
        while (heddle_get_retired_field(all.size(), &one) == HEDDLE_OK) all.push_back(one);
        return all;
    }

    std::mt19937 random_;
};

TEST(lockstep_fuzz, what_is_refused_changes_nothing) {
    known_core core("exchange", 2, 64);
    garbage drawn(7);
    unsigned refused = 0;
    unsigned different = 0;
    unsigned harmless = 0;
    for (unsigned calls = 0; calls < calls_of_fuzz();) {
        heddle_lockstep_options options{};
        options.tells_drained = calls % 2;
        options.ordered = calls % 3 == 0 ? 1 : 0;
        options.threads_apart = calls % 5 == 0 ? 1 : 0;
        const lockstep_of_test machine("exchange", 2, 64, options);
        bool ended = false;
        for (std::size_t i = 0; i < core.told.size() && !ended; ++calls) {
            const bool wrong = drawn.wanted() && drawn.wanted() && drawn.wanted();
            const heddle_retired record = wrong ? drawn.of(core.told[i]) : core.told[i];
            const heddle_status status = heddle_lockstep_step(machine, &record, 1, nullptr);
            if (status == HEDDLE_OK) {
                ++i;
                if (!wrong) continue;
                // It may be another record that is legal here, with which the core's don't go on.
                ended = std::memcmp(&record, &core.told[i - 1], sizeof record) != 0;
                ++harmless;
                continue;
            }
            EXPECT_TRUE(wrong) << heddle_error_text(machine);
            if (!wrong) return;
            EXPECT_NE(std::string(heddle_error_text(machine)), "");
            ASSERT_NE(status, HEDDLE_FAILED) << heddle_error_text(machine);
            ended = status != HEDDLE_USAGE;
            ++(ended ? different : refused);
            EXPECT_EQ(machine.difference().status, ended ? status : HEDDLE_OK);
        }
        if (ended) {
            const heddle_status after = heddle_lockstep_step(machine, core.told.data(), 1, nullptr);
            EXPECT_NE(after, HEDDLE_FAILED);
            continue;
        }
        EXPECT_GOOD(heddle_lockstep_finish(machine), machine);
    }
    EXPECT_GT(refused, 100U);
    EXPECT_GT(different, 100U);
    EXPECT_GT(harmless, 100U);
}

TEST(lockstep_fuzz, handles_and_pointers_may_be_null) {
    const lockstep_of_test machine("exchange", 1, 64);
    heddle_retired record{};
    expect_failure(heddle_lockstep_step(nullptr, &record, 1, nullptr), HEDDLE_USAGE, nullptr,
                   "the machine is NULL");
    expect_failure(heddle_lockstep_step(machine, nullptr, 1, nullptr), HEDDLE_USAGE, machine,
                   "'records' is NULL");
    expect_failure(heddle_lockstep_step(machine, &record, 1, nullptr), HEDDLE_USAGE, machine,
                   "'records'.size is 0");
    expect_failure(heddle_lockstep_packed(machine, 32, nullptr, 1), HEDDLE_USAGE, machine,
                   "'words' is NULL");
    expect_failure(heddle_lockstep_memory(machine, machine.buffer(), nullptr, 4), HEDDLE_USAGE,
                   machine, "'data' is NULL");
    expect_failure(heddle_lockstep_memory(machine, 4, &record, 4), HEDDLE_USAGE, machine,
                   "not within one allocation");
    expect_failure(heddle_lockstep_memory(machine, machine.buffer() + 2, &record, 4), HEDDLE_USAGE,
                   machine, "whole words");
    expect_failure(heddle_lockstep_launch_count(machine, nullptr), HEDDLE_USAGE, machine,
                   "'count' is NULL");
    expect_failure(heddle_lockstep_get_launch(machine, 0, nullptr), HEDDLE_USAGE, machine,
                   "'launch' is NULL");
    expect_failure(heddle_lockstep_difference(machine, nullptr), HEDDLE_USAGE, machine,
                   "'difference' is NULL");
    expect_failure(heddle_lockstep_get_counts(machine, nullptr), HEDDLE_USAGE, machine,
                   "'counts' is NULL");
    expect_failure(heddle_lockstep_fetch(machine, 1, 0, nullptr, 1), HEDDLE_USAGE, machine,
                   "'words' is NULL");
    std::uint32_t word = 0;
    expect_failure(heddle_lockstep_fetch(machine, 1, 0xfffffffcU, &word, 2), HEDDLE_USAGE, machine,
                   "beyond the address space");
    expect_failure(heddle_lockstep_create(nullptr, nullptr, nullptr), HEDDLE_USAGE, nullptr,
                   "'machine' is NULL");
    heddle_lockstep_options options{};
    heddle_machine* made = nullptr;
    expect_failure(heddle_lockstep_create(nullptr, &options, &made), HEDDLE_USAGE, nullptr,
                   "'lockstep'.size is 0");
    EXPECT_EQ(heddle_dpi_create("no such", 0, 0, 0, 0), nullptr);
    EXPECT_THAT(heddle_dpi_text(nullptr), testing::HasSubstr("no such"));
    EXPECT_NE(heddle_dpi_retire(nullptr, 32, nullptr), 0);
    EXPECT_EQ(heddle_dpi_launch(machine, "exchange", 1, 64, "x"), 0);
    EXPECT_EQ(heddle_dpi_launch(machine, nullptr, 1, 64, nullptr), 0);
    EXPECT_EQ(heddle_dpi_entry(machine, 7), 0);
    expect_failure(heddle_lockstep_block(machine, 1, 0, 1, 9, 0), HEDDLE_USAGE, machine,
                   "'block' is 9, but launch 1 has blocks 0 to 0");
    expect_failure(heddle_lockstep_block(machine, 1, 2, 1, 0, 0), HEDDLE_USAGE, machine,
                   "'smx' is 2; legal: 0 to 1");
    expect_failure(heddle_lockstep_block(machine, 1, 0, 1, 0, 1), HEDDLE_USAGE, machine,
                   "block 0 of launch 1 has not begun");
    EXPECT_GOOD(heddle_lockstep_block(machine, 1, 0, 1, 0, 0), machine);
    expect_failure(heddle_lockstep_finish(machine), HEDDLE_USAGE, machine,
                   "block 0 of launch 1 is on SMX 0; HEDDLE_BLOCK_END comes first");
    expect_failure(heddle_finish(machine), HEDDLE_USAGE, machine,
                   "launches of the core have not ended");
}

TEST(lockstep_fuzz, other_machines_follow_no_core) {
    const machine_of_test machine(tiny(/*functional=*/true));
    expect_failure(heddle_lockstep_finish(machine), HEDDLE_USAGE, machine,
                   "the machine follows no core");
    machine.expect_working();
}

}  // namespace
}  // namespace heddle
