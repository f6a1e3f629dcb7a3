// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_id.h"

#include <gmock/gmock.h>

#include <sstream>

#include "models/base/error.h"
#include "models/device/device_runtime.h"
#include "models/device/launch_table.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(launch_id, launches_by_the_host_are_plain_numbers) {
    const launch_id first(1);
    EXPECT_TRUE(first.by_host());
    EXPECT_EQ(first.value(), 1U);
    EXPECT_EQ(first.gridid(), 0U);
    EXPECT_EQ(to_text(first), "1");
    EXPECT_NE(first, launch_id{});
    EXPECT_EQ(launch_id{}.next(), first);
}

TEST(launch_id, launches_on_an_smx_name_it_in_the_top_byte) {
    const launch_id seventh(sm_id(3), 7);
    EXPECT_FALSE(seventh.by_host());
    EXPECT_EQ(seventh.value(), 0x0400'0007U);
    EXPECT_EQ(seventh.gridid(), 0x0400'0006U);
    std::ostringstream text;
    text << seventh;
    EXPECT_EQ(text.str(), "3.7");
    EXPECT_EQ(to_text(launch_id(sm_id(254), launch_id::most)), "254.16777215");
}

TEST(launch_id, each_launcher_counts_its_own) {
    EXPECT_EQ(to_text(launch_id(sm_id(0), 0).next()), "0.1");
    EXPECT_EQ(to_text(launch_id(9).next()), "10");
    EXPECT_LT(launch_id(launch_id::most), launch_id(sm_id(0), 1));
    EXPECT_LT(launch_id(sm_id(0), launch_id::most), launch_id(sm_id(1), 1));
}

TEST(launch_id, a_launcher_runs_out_of_ids) {
    EXPECT_EQ(launch_id(launch_id::most - 1).next().value(), launch_id::most);
    EXPECT_FALSE(launch_id(launch_id::most - 1).is_last());
    for (const launch_id last :
         {launch_id(launch_id::most), launch_id(sm_id(2), launch_id::most)}) {
        EXPECT_TRUE(last.is_last());
        EXPECT_THAT([&] { (void)last.next(); },
                    ThrowsMessage<configuration_error>(HasSubstr(to_text(last) + " is the last")));
    }
}

TEST(launch_id, an_smx_without_ids_refuses_streams) {
    machine_configuration machine;
    launch_table launches;
    device_runtime runtime(machine, launches);
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < launch_id::most; ++i) last = runtime.create_stream(sm_id(0));
    EXPECT_EQ(last, launch_id(sm_id(0), launch_id::most).value());
    EXPECT_EQ(runtime.create_stream(sm_id(0)), 0U) << "nothing throws in a process";
    EXPECT_EQ(runtime.create_stream(sm_id(1)), launch_id(sm_id(1), 1).value());
}

}  // namespace
}  // namespace heddle
