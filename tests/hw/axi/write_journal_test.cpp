// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/write_journal.h"

#include <gtest/gtest.h>

#include "tests/hw/axi/core_pair.h"

namespace heddle::axi {
namespace {

struct filled : test_access {
    filled(std::uint64_t address, std::size_t bytes, std::uint8_t value)
        : test_access(true, address, bytes) {
        std::fill(data.begin(), data.end(), value);
    }
};

TEST(write_journal, overlays_the_newest_answered_bytes_until_they_are_settled) {
    write_journal journal(10);
    {
        filled first(0x10, 8, 1), second(0x14, 8, 2);
        second.enable({true, false});
        journal.answered(first.payload);
        journal.answered(second.payload);
    }  // it has copies
    test_access read(false, 0x12, 8);
    journal.overlay_answered(read.payload);
    EXPECT_EQ(read.data, (std::vector<std::uint8_t>{1, 1, 2, 1, 2, 1, 2, 0}));
    journal.settled();
    test_access later(false, 0x12, 8);
    journal.overlay_answered(later.payload);
    EXPECT_EQ(later.data, std::vector<std::uint8_t>(8));
}

TEST(write_journal, a_read_gets_enabled_bytes_only) {
    write_journal journal(10);
    journal.answered(filled(0x10, 4, 1).payload);
    test_access read(false, 0x10, 4);
    read.enable({false, true, true, false});
    journal.overlay_answered(read.payload);
    EXPECT_EQ(read.data, (std::vector<std::uint8_t>{0, 1, 1, 0}));
}

TEST(write_journal, changes_are_done_once_more_in_their_order) {
    write_journal journal(10);
    journal.changed(filled(0x10, 4, 1).payload);
    journal.changed(filled(0x12, 4, 2).payload);
    journal.settled();
    EXPECT_TRUE(journal.has_changes());
    std::vector<std::uint8_t> memory(8);
    journal.redo_changes([&](tlm::tlm_generic_payload& change) {
        ASSERT_TRUE(change.is_write());
        std::copy_n(change.get_data_ptr(), change.get_data_length(),
                    memory.begin() + static_cast<std::ptrdiff_t>(change.get_address() - 0x10));
    });
    EXPECT_EQ(memory, (std::vector<std::uint8_t>{1, 1, 2, 2, 2, 2, 0, 0}));
    EXPECT_FALSE(journal.has_changes());
}

TEST(write_journal, is_full_with_as_many_answered_writes_as_it_may_keep) {
    write_journal journal(2);
    journal.answered(filled(0, 1, 1).payload);
    EXPECT_FALSE(journal.full());
    journal.answered(filled(1, 1, 1).payload);
    EXPECT_TRUE(journal.full());
    journal.settled();
    EXPECT_FALSE(journal.full());
}

}  // namespace
}  // namespace heddle::axi
