// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// RTL and C++ state of a bank under transactions in lock step under random accesses.
#include <gmock/gmock.h>

#include <cstring>

#include "hw/smx/tm/conflict_detectors.h"
#include "hw/top/exchangeable_parts.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

using protocol::bank_check;
using protocol::bank_command;

bank_setting setting_of(unsigned hashes, unsigned slots, std::uint32_t rows) {
    bank_setting setting;
    setting.configuration.detection = conflict_detectors::of<prw_sig>;
    setting.configuration.hashes = hashes;
    setting.block_slots = slots;
    setting.rows = rows;
    return setting;
}

/// Random items of a block.
protocol::item_set some_items(random_stream& random) {
    protocol::item_set items;
    const std::uint64_t density = 1 + random.below(200);
    for (unsigned item = 0; item < transaction_configuration::maximum_items; ++item) {
        if (random.below(256) < density) items.insert(item);
    }
    return items;
}

class tm_bank_rtl : public testing::TestWithParam<unsigned> {};

TEST_P(tm_bank_rtl, agrees_on_random_accesses) {
    constexpr unsigned slots = 16;
    constexpr std::uint32_t rows = 1024;
    slot_rig rig;
    const auto part = rig.maker(exchangeable_parts().tm_bank, slot_implementation::shadow)
                          .make(setting_of(GetParam(), slots, rows), "gpu.bank");
    random_stream random(GetParam(), "tm_bank_rtl");
    std::vector<restored_word> restored;
    std::uint64_t lost = 0, owned = 0, words = 0;
    for (int step = 0; step < 60'000; ++step) {
        rig.clock.now = static_cast<std::uint64_t>(step);
        bank_check check;
        check.block = block_slot(random.below(step % 3 == 0 ? slots : 2));
        check.item = static_cast<std::uint32_t>(random.below(256));
        // Few rows often, so that items meet; all of them now and then.
        check.row = static_cast<std::uint32_t>(random.below(random.below(4) == 0 ? rows : 40));
        const auto word = static_cast<std::uint32_t>(random.next());
        std::uint8_t memory[4];
        std::memcpy(memory, &word, sizeof(memory));
        const std::uint64_t kind = random.below(100);
        if (kind < 90) {
            check.command = kind < 45 ? bank_command::load : bank_command::store;
            part->access(check, memory);
            lost += check.lost ? 1 : 0;
        } else {
            check.command = kind < 94   ? bank_command::plain
                            : kind < 97 ? bank_command::undo
                            : kind < 99 ? bank_command::forget
                                        : bank_command::settled;
            check.items = some_items(random);
            restored.clear();
            part->tell(check, restored);
            owned += check.owned ? 1 : 0;
            words += restored.size();
        }
        ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
    }
    EXPECT_GT(lost, 1000U);
    EXPECT_GT(owned, 20U);
    EXPECT_GT(words, 500U);
}

INSTANTIATE_TEST_SUITE_P(hashes, tm_bank_rtl, testing::Values(1U, 2U));

TEST(tm_bank_setting, what_the_rtl_lacks_is_named) {
    slot_rig rig;
    const auto failure_with = [&](const bank_setting& setting) -> std::string {
        try {
            (void)rig.maker(exchangeable_parts().tm_bank, slot_implementation::shadow)
                .make(setting, "gpu.bank");
        } catch (const configuration_error& error) {
            return error.what();
        }
        return "no error";
    };
    bank_setting directory = setting_of(2, 1, 32);
    directory.configuration.detection = conflict_detectors::of<dcd>;
    EXPECT_EQ(failure_with(directory),
              "slot.tm_bank: the RTL has no such tm.detection; legal with rtl and shadow: prw_sig");
    EXPECT_EQ(failure_with(setting_of(2, 17, 32)),
              "slot.tm_bank: smx.max_blocks = 17; the RTL has at most 16");
    EXPECT_EQ(failure_with(setting_of(2, 1, 1025)),
              "slot.tm_bank: smx.shared_bytes makes 1025 rows of a bank; the RTL has at most 1024");
    EXPECT_EQ(failure_with(setting_of(1, 16, 1024)), "no error");
}

}  // namespace
}  // namespace heddle
