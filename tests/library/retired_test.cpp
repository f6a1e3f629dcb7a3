// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Records of instructions: the lines of --retire, in numbers.
#include <map>

#include "tests/base/temporary_directory.h"
#include "tests/library/lockstep_kit.h"

namespace heddle {
namespace {

std::string text_of(const heddle_retired& record) {
    char text[4096];
    EXPECT_GOOD(heddle_retired_text(&record, text, sizeof text), nullptr);
    return text;
}

/// All records of what is launched, in pieces of up to `most`.
records all_of(const machine_of_test& machine, std::size_t most) {
    records all;
    for (std::size_t count = most; count != 0;) {
        records some(most);
        some[0].size = sizeof some[0];
        EXPECT_GOOD(heddle_next_retired(machine, some.data(), most, &count), machine);
        all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return all;
}

class library_retired : public testing::Test {
protected:
    /// A machine that keeps records, and writes them into a file.
    void start() {
        EXPECT_GOOD(heddle_keep_retired(machine), machine);
        EXPECT_GOOD(heddle_attach_retire(machine, (files / "retired.txt").c_str()), machine);
        machine.load();
    }
    std::string file() {
        machine.close();
        return contents_of(files / "retired.txt");
    }

    const temporary_directory files;
    machine_of_test machine{tiny(), /*loaded=*/false};
};

TEST_F(library_retired, their_lines_are_those_of_the_file) {
    start();
    (void)machine.launch_add(300);
    std::string text = heddle_retired_columns();
    for (const heddle_retired& one : all_of(machine, 7)) text += text_of(one);
    EXPECT_GT(text.size(), 10000U);
    EXPECT_EQ(text, file());
}

TEST_F(library_retired, the_size_of_pieces_changes_nothing) {
    start();
    (void)machine.launch_add(300);
    const records small = all_of(machine, 1);
    (void)machine.launch_add(300);
    EXPECT_EQ(all_of(machine, 100000).size(), small.size());
    EXPECT_EQ(static_cast<double>(2 * small.size()), machine.statistic("gpu.warp_instructions"));
}

TEST_F(library_retired, values_addresses_and_data_are_those_of_the_lanes) {
    start();
    const std::uint32_t sum = machine.launch_add(40);  // the second warp has 8 lanes
    std::map<std::uint32_t, std::uint32_t> stored;
    unsigned loads = 0;
    for (const heddle_retired& one : all_of(machine, 50)) {
        EXPECT_EQ(one.size, sizeof one);
        EXPECT_GE(one.cycle, one.issued);
        for (unsigned lane = 0; lane < HEDDLE_LANES; ++lane) {
            if ((one.lanes >> lane & 1) == 0) {
                EXPECT_EQ(one.address[lane] | one.value[lane] | one.data[lane], 0U);
            } else if (one.access == HEDDLE_STORE) {
                stored[one.address[lane]] = one.data[lane];
                EXPECT_EQ(one.rd, 0U);
            } else if (one.access == HEDDLE_LOAD && one.address[lane] + 512 == sum + 4 * lane) {
                EXPECT_EQ(one.value[lane], 1U);  // of `a`, two allocations before
                EXPECT_GT(one.cycle, one.issued);
                ++loads;
            }
        }
    }
    EXPECT_EQ(stored.size(), 40U);
    EXPECT_EQ(stored[sum + 39 * 4], 3U);
    EXPECT_EQ(loads, 32U);
}

TEST_F(library_retired, atomics_have_operands) {
    start();
    const heddle_shape shape = shape_of(1, 2);
    EXPECT_GOOD(heddle_launch(machine, "count_up", &shape, nullptr, 0), machine);
    unsigned found = 0;
    for (const heddle_retired& one : all_of(machine, 10)) {
        if (one.access != HEDDLE_ATOMIC) continue;
        ++found;
        EXPECT_EQ(one.lanes, 3U);
        EXPECT_EQ(one.address[0], one.address[1]);
        EXPECT_EQ(one.data[1], 1U);
    }
    EXPECT_EQ(found, 1U);
}

TEST_F(library_retired, a_swap_has_what_it_compares_with) {
    start();
    const heddle_shape shape = shape_of(1, 3);
    EXPECT_GOOD(heddle_launch(machine, "swap_once", &shape, nullptr, 0), machine);
    unsigned found = 0;
    for (const heddle_retired& one : all_of(machine, 10)) {
        if (one.access != HEDDLE_ATOMIC) continue;
        ++found;
        for (unsigned lane = 0; lane < 3; ++lane) {
            EXPECT_EQ(one.compare[lane], 5U);
            EXPECT_EQ(one.data[lane], 10 + lane);
        }
        EXPECT_EQ(one.compare[3] | one.data[3], 0U);
    }
    EXPECT_EQ(found, 1U);
}

TEST(library_retired_parts, come_with_their_own_lanes_only) {
    known_core core("gather", 1, 32);
    std::map<std::uint64_t, std::uint64_t> missing;  // lanes by number of the load
    unsigned parts = 0;
    for (const heddle_retired& one : core.told) {
        if (one.kind == HEDDLE_STEP && one.access == HEDDLE_LOAD) {
            EXPECT_EQ(one.known, 0U);
            missing[one.n] = one.lanes;
        }
        if (one.kind != HEDDLE_DATA) continue;
        ++parts;
        EXPECT_EQ(one.known, one.lanes);
        EXPECT_EQ(one.lanes & ~missing[one.n], 0U);
        EXPECT_EQ(one.pc | one.word | one.access | one.address[0] | one.given | one.live, 0U);
        missing[one.n] &= ~one.lanes;
        for (unsigned lane = 0; lane < HEDDLE_LANES; ++lane) {
            EXPECT_TRUE((one.lanes >> lane & 1) != 0 || one.value[lane] == 0);
        }
    }
    EXPECT_GT(parts, missing.size());
    for (const auto& [n, lanes] : missing) EXPECT_EQ(lanes, 0U) << n;
}

TEST_F(library_retired, scopes_choose_warps) {
    EXPECT_GOOD(heddle_keep_retired(machine), machine);
    EXPECT_GOOD(heddle_retire_scope(machine, "block=3,warp=1"), machine);
    machine.load();
    (void)machine.launch_add(300);
    const records all = all_of(machine, 100);
    EXPECT_GT(all.size(), 10U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].block, 3U);
        EXPECT_EQ(all[i].warp, 1U);
        EXPECT_LE(all[i].n, all.size());
    }
}

TEST_F(library_retired, those_before_a_fault_come_before_the_fault) {
    start();
    const heddle_shape shape = shape_of(1, 32);
    const heddle_argument nowhere = heddle_pointer(machine.filled({0}));
    EXPECT_GOOD(heddle_launch(machine, "far_away", &shape, &nowhere, 1), machine);
    records some(100);
    some[0].size = sizeof some[0];
    std::size_t count = 0;
    EXPECT_GOOD(heddle_next_retired(machine, some.data(), 2, &count), machine);
    EXPECT_EQ(count, 2U);
    EXPECT_GOOD(heddle_next_retired(machine, some.data(), 100, &count), machine);
    EXPECT_GT(count, 0U);
    EXPECT_LT(count, 100U);
    expect_failure(heddle_next_retired(machine, some.data(), 100, &count), HEDDLE_KERNEL_FAULT,
                   machine, "illegal write");
    EXPECT_EQ(count, 0U);
}

TEST_F(library_retired, after_the_end_the_rest_is_there) {
    start();
    (void)machine.launch_add(40);
    EXPECT_GOOD(heddle_finish(machine), machine);
    EXPECT_EQ(static_cast<double>(all_of(machine, 9).size()),
              machine.statistic("gpu.warp_instructions"));
}

TEST_F(library_retired, what_was_not_kept_is_not_there) {
    machine.load();
    heddle_retired one{};
    one.size = sizeof one;
    std::size_t count = 0;
    expect_failure(heddle_next_retired(machine, &one, 1, &count), HEDDLE_USAGE, machine,
                   "heddle_keep_retired() comes first");
    expect_failure(heddle_keep_retired(machine), HEDDLE_USAGE, machine, "built already");
    expect_failure(heddle_next_retired(machine, &one, 0, &count), HEDDLE_USAGE, machine,
                   "'most' is 0");
    machine.expect_working();
}

TEST(library_retired_text, a_record_of_anybody_is_checked) {
    heddle_retired one{};
    char text[200];
    expect_failure(heddle_retired_text(&one, text, sizeof text), HEDDLE_USAGE, nullptr,
                   "'record'.size is 0");
    one.size = sizeof one;
    one.warp_size = 32;
    one.lanes = 0x11;
    one.word = 0x00b50533;  // add a0, a0, a1
    one.rd = 10;
    one.value[0] = 5;
    one.value[4] = 6;
    one.launch = 0x04000002;
    const std::string expected =
        "0\t0\t0\t3.2\t0\t0\t0\t0x00000000\t00000011\tadd a0, a0, a1\t-\ta0=5,6\n";
    EXPECT_EQ(text_of(one), expected);
    EXPECT_GOOD(heddle_retired_text(&one, text, expected.size() + 1), nullptr);
    expect_failure(heddle_retired_text(&one, text, expected.size()), HEDDLE_USAGE, nullptr,
                   "this record needs " + std::to_string(expected.size() + 1));
    one.rd = 32;
    expect_failure(heddle_retired_text(&one, text, sizeof text), HEDDLE_USAGE, nullptr,
                   "'record'.rd is 32; legal: 0 to 31");
    one.rd = 0;
    one.warp_size = 65;
    expect_failure(heddle_retired_text(&one, text, sizeof text), HEDDLE_USAGE, nullptr,
                   "'record'.warp_size is 65");
    one.warp_size = 0;
    one.access = 4;
    expect_failure(heddle_retired_text(&one, text, sizeof text), HEDDLE_USAGE, nullptr,
                   "'record'.access is 4");
    one.access = HEDDLE_STORE;
    one.lanes = 0;
    EXPECT_GOOD(heddle_retired_text(&one, text, sizeof text), nullptr);
}

TEST(library_retired_text, fields_are_those_of_the_struct) {
    heddle_field field{};
    field.size = sizeof field;
    std::size_t index = 0;
    std::size_t end = sizeof(std::size_t);
    for (; heddle_get_retired_field(index, &field) == HEDDLE_OK; ++index) {
        EXPECT_EQ(field.offset, end) << field.name;  // without gaps
        EXPECT_GT(std::string(field.meaning).size(), 5U);
        end += std::size_t{field.bytes} * field.count;
    }
    EXPECT_EQ(end, sizeof(heddle_retired));
    EXPECT_GT(index, 15U);
}

}  // namespace
}  // namespace heddle
