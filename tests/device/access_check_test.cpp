// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/access_check.h"

#include <gtest/gtest.h>

#include <utility>

namespace heddle {
namespace {

class access_check : public testing::Test {
protected:
    access_check() {
        ranges.place({0x10000, 0x100, false, "program code", true});
        (void)ranges.allocate(12, "values");
    }
    [[nodiscard]] std::string text(std::uint32_t address) const {
        return illegal_access_text("write", address, 4, {32, 64, ranges});
    }
    allocation_table ranges{0x40000000, 0x10000};
};

TEST_F(access_check, every_reason) {
    EXPECT_EQ(text(0x10), "illegal write of 4 bytes at 0x00000010: null pointer");
    EXPECT_EQ(text(0x1ffffff0),
              "illegal write of 4 bytes at 0x1ffffff0: stack overflow: a thread has 64 bytes of "
              "private memory");
    EXPECT_EQ(text(0x10000020),
              "illegal write of 4 bytes at 0x10000020: out of bounds: the block has 32 bytes of "
              "shared memory at 0x10000000");
    EXPECT_EQ(text(0x20000040),
              "illegal write of 4 bytes at 0x20000040: out of bounds: a thread has 64 bytes of "
              "private memory at 0x20000000");
    EXPECT_EQ(text(0x10004), "illegal write of 4 bytes at 0x00010004: 'program code' is read-only");
    EXPECT_EQ(text(0x4000000c),
              "illegal write of 4 bytes at 0x4000000c: out of bounds: 0 bytes past 'values' "
              "[0x40000000, 0x4000000c)");
    EXPECT_EQ(
        text(0xc0000000),
        "illegal write of 4 bytes at 0xc0000000: out of bounds: the memory from 0xc0000000 on "
        "is the machine's own");
}

TEST_F(access_check, a_negative_index_is_measured_from_shared_memory) {
    EXPECT_EQ(text(0x0ffffffc),
              "illegal write of 4 bytes at 0x0ffffffc: out of bounds: 4 bytes before the block's "
              "shared memory at 0x10000000");
    EXPECT_EQ(illegal_access_text("read", 0x0fffffff, 1, {32, 64, ranges}),
              "illegal read of 1 byte at 0x0fffffff: out of bounds: 1 byte before the block's "
              "shared memory at 0x10000000");
    // Further away it is any pointer.
    EXPECT_EQ(text(0x0fe00000),
              "illegal write of 4 bytes at 0x0fe00000: out of bounds: 266272512 bytes past "
              "'program code' [0x00010000, 0x00010100)");
}

TEST_F(access_check, sizes_and_alignment) {
    EXPECT_EQ(illegal_access_text("read", 0, 1, {0, 0, ranges}),
              "illegal read of 1 byte at 0x00000000: null pointer");
    EXPECT_EQ(misaligned_access_text("atomic", 0x40000002, 4, ranges),
              "misaligned atomic of 4 bytes at 0x40000002: the address must be a multiple of 4; it "
              "is 2 bytes into 'values' [0x40000000, 0x4000000c)");
    EXPECT_EQ(misaligned_access_text("read", 0x10000002, 4, ranges),
              "misaligned read of 4 bytes at 0x10000002: the address must be a multiple of 4");
}

TEST_F(access_check, the_table_tells_that_it_has_changed) {
    std::uint64_t version = ranges.version();
    const auto changed = [&] { return std::exchange(version, ranges.version()) != version; };
    const std::uint32_t at = ranges.allocate(4, "a");
    EXPECT_TRUE(changed());
    (void)ranges.find(at, 4);
    EXPECT_FALSE(changed());
    ranges.release(at);
    EXPECT_TRUE(changed());
    ranges.remove(0x10000);
    EXPECT_TRUE(changed());
    ranges.place({0x20000, 4, true, "b", true});
    EXPECT_TRUE(changed());
}

}  // namespace
}  // namespace heddle
