// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// RTL and C++ parts of the SMX scheduler in lock step under random inputs.
#include <gmock/gmock.h>

#include "hw/smx_scheduler/chain/fcfs_chain.h"
#include "hw/top/exchangeable_parts.h"
#include "models/base/bits.h"
#include "models/base/error.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"

namespace heddle {
namespace {

/// Kernels and groups of ranks, some of them refused; the order is that of nobody but the chain.
void drive_chain(kde_chain& chain, unsigned entries, slot_rig& rig) {
    random_stream random(entries, "chain_rtl");
    std::uint64_t used = 0;  ///< a kernel has come into the entry
    std::uint32_t groups = 0;
    for (int step = 0; step < 10'000; ++step) {
        rig.clock.now = static_cast<std::uint64_t>(step);
        const kde_index entry(random.below(entries));
        // Long times in which more comes than goes, and the other way round.
        const std::uint64_t kind = random.below(step / 200 % 2 == 0 ? 5 : 8);
        if (kind < 2) {
            const auto rank = static_cast<std::uint32_t>(random.below(4));
            used |= bits::one(entry.value());
            (void)chain.start(entry, rank, random.below(2) == 0);
        } else if (kind < 4 && bits::test(used, entry.value())) {
            (void)chain.append(entry, group_index(agt_entry(groups++)));
        } else if (!chain.empty()) {
            const bool more = random.below(2) == 0;
            chain.advance(more ? group_index(agt_entry(groups++)) : null_group);
        }
        ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
        ASSERT_EQ(chain.empty(), chain.marks()[0] == 0);
    }
}

TEST(kde_chain_rtl, agrees_on_random_kernels_and_groups) {
    for (const unsigned entries : {1U, 2U, 5U, 32U, 64U}) {
        slot_rig rig;
        const auto part = rig.maker(exchangeable_parts().kde_chain, slot_implementation::shadow)
                              .make({entries}, "gpu.smx_scheduler.kde_chain");
        drive_chain(*part, entries, rig);
        EXPECT_FALSE(part->start(kde_index(entries), 0, true)) << "there is no such entry";
    }
}

/// The RTL alone answers what the C++ part does, also where the lock step does not ask.
TEST(kde_chain_rtl, shows_the_registers_of_each_entry) {
    slot_rig rig;
    const auto rtl = rig.maker(exchangeable_parts().kde_chain, slot_implementation::rtl)
                         .make({4}, "gpu.smx_scheduler.kde_chain");
    fcfs_chain tlm(4);
    random_stream random(1, "registers");
    for (std::uint32_t step = 0; step < 2000; ++step) {
        const kde_index entry(random.below(4));
        if (random.below(3) == 0) {
            EXPECT_EQ(rtl->start(entry, 0, true), tlm.start(entry, 0, true));
        } else if (random.below(2) == 0) {
            EXPECT_EQ(rtl->append(entry, group_index(agt_entry(step))),
                      tlm.append(entry, group_index(agt_entry(step))));
        } else if (!tlm.empty()) {
            rtl->advance(null_group);
            tlm.advance(null_group);
        }
        ASSERT_EQ(rtl->empty(), tlm.empty());
        ASSERT_EQ(rtl->marks()[0], tlm.marks()[0]);
        if (!tlm.empty()) {
            ASSERT_EQ(rtl->head().kde, tlm.head().kde);
            ASSERT_EQ(rtl->head().group, tlm.head().group);
        }
        for (unsigned e = 0; e < 4; ++e) {
            const kde_chain::registers got = (*rtl)[kde_index(e)];
            const kde_chain::registers wanted = tlm[kde_index(e)];
            ASSERT_EQ(got.first_time, wanted.first_time);
            ASSERT_EQ(got.next_group, wanted.next_group);
            ASSERT_EQ(got.last_group, wanted.last_group);
        }
    }
}

TEST(kde_chain_rtl, more_entries_than_the_rtl_has_are_refused) {
    slot_rig rig;
    try {
        (void)rig.maker(exchangeable_parts().kde_chain, slot_implementation::rtl)
            .make({65}, "gpu.smx_scheduler.kde_chain");
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_STREQ(error.what(),
                     "slot.kde_chain: kernel_distributor.entries = 65; the RTL has at most 64");
    }
}

/// Threads that launch, and blocks of their groups.
TEST(group_allocator_rtl, agrees_on_random_groups) {
    for (const unsigned entries : {1U, 2U, 64U, 1024U, 65536U}) {
        slot_rig rig;
        const auto part =
            rig.maker(exchangeable_parts().group_allocator, slot_implementation::shadow)
                .make({entries}, "gpu.smx_scheduler.group_allocator");
        random_stream random(entries, "group_rtl");
        struct group {
            agt_entry entry;
            std::uint32_t left;     ///< blocks that have not been distributed
            std::uint32_t running;  ///< blocks
            bool exhausted;
        };
        std::vector<group> groups;
        unsigned refused = 0;
        const auto ask = [&](group_operation what, std::uint32_t thread, agt_entry entry) {
            const group_answer answer = part->decide({what, thread, entry});
            part->clock_edge();
            return answer;
        };
        for (int step = 0; step < 20'000; ++step) {
            rig.clock.now = static_cast<std::uint64_t>(step);
            const auto thread =
                static_cast<std::uint32_t>(random.below(entries < 100 ? 100 : 4096));
            if (groups.empty() || random.below(4) == 0) {
                const group_answer answer = ask(group_operation::allocate, thread, {});
                if (answer.granted) {
                    groups.push_back({answer.entry, 1 + std::uint32_t(random.below(3)), 0, false});
                }
                refused += answer.granted ? 0 : 1;
            } else {
                const std::size_t at = random.below(groups.size());
                group& g = groups[at];
                bool released = false;
                if (g.left != 0) {
                    (void)ask(group_operation::start_block, 0, g.entry);
                    --g.left;
                    ++g.running;
                } else if (!g.exhausted) {
                    g.exhausted = true;
                    released = ask(group_operation::exhaust, 0, g.entry).released;
                    ASSERT_EQ(released, g.running == 0);
                }
                if (!released && g.running != 0 && random.below(2) == 0) {
                    --g.running;
                    released = ask(group_operation::end_block, 0, g.entry).released;
                    ASSERT_EQ(released, g.exhausted && g.running == 0);
                }
                if (released) {
                    g = groups.back();
                    groups.pop_back();
                }
            }
            ASSERT_FALSE(rig.status.stop_requested()) << rig.status.text();
        }
        EXPECT_GT(refused, 50U);
    }
}

}  // namespace
}  // namespace heddle
