// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/configuration.h"

#include <gmock/gmock.h>

#include "models/base/configuration_report.h"
#include "models/base/output_file.h"
#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::HasSubstr;

const std::filesystem::path configs = source_path("configs");

std::string refusal(const std::string& name, const settings& changes) {
    return message_of<configuration_error>([&] { (void)configuration_of(name, changes); });
}

TEST(gpu_configuration, every_shipped_file_loads) {
    const auto entries = list_configurations({configs});
    EXPECT_FALSE(entries.empty());
    const std::string page = contents_of(source_path("docs/configurations.md"));
    for (const configuration_entry& entry : entries) {
        EXPECT_FALSE(entry.description.empty()) << entry.name;
        EXPECT_THAT(page, HasSubstr("\n| `" + entry.name + "` | ")) << "has a line there";
        EXPECT_NO_THROW((void)configuration_of(entry.name)) << entry.name;
    }
}

TEST(gpu_configuration, the_defaults_are_the_k20c) {
    const machine_configuration defaults;
    const machine_configuration gk110 = configuration_of("gk110").machine;
    EXPECT_EQ(defaults.warp_size, gk110.warp_size);
    EXPECT_EQ(defaults.smx_count, gk110.smx_count);
    EXPECT_EQ(defaults.smx.max_blocks, gk110.smx.max_blocks);
    EXPECT_EQ(defaults.smx.max_threads, gk110.smx.max_threads);
    EXPECT_EQ(defaults.smx.registers, gk110.smx.registers);
    EXPECT_EQ(defaults.smx.register_granule, gk110.smx.register_granule);
    EXPECT_EQ(defaults.smx.shared_bytes, gk110.smx.shared_bytes);
    EXPECT_EQ(defaults.smx.private_bytes, gk110.smx.private_bytes);
}

TEST(gpu_configuration, the_reference_page_is_current) {
    if (exchangeable_parts().warp_scheduler.keys().names().size() == 1) {
        GTEST_SKIP() << "the page lists the slots of a build with Verilator";
    }
    gpu_configuration configuration;
    const std::string page = parameters_markdown(parameter_list(configuration));
    const std::string generated = build_path("configuration.md");
    write_file(generated, page);
    EXPECT_EQ(contents_of(source_path("docs/configuration.md")), page)
        << "the declarations have changed: cp " << generated << " docs/configuration.md";
}

TEST(gpu_configuration, a_line_of_l1_is_not_longer_than_one_of_l2) {
    EXPECT_EQ(refusal("gk110", {"l2.line=64"}).find("inconsistent configuration: "), 0U);
    for (const char* cache : {"l1d", "l1i"}) {
        const std::string text = refusal("g80", {std::string(cache) + ".line=128"});
        EXPECT_THAT(text, HasSubstr(std::string(cache) + ".line = 128 (--set)"));
        EXPECT_THAT(text, HasSubstr("the lines of an SMX's caches are at most l2.line"));
    }
    EXPECT_EQ(configuration_of("gk110", {"l1d.line=64", "l1i.line=64"}).l1d.line, 64U);
}

TEST(gpu_configuration, an_smx_has_at_most_64_warps) {
    EXPECT_THAT(refusal("gk110", {"smx.max_threads=2080", "smx.registers=66560"}),
                HasSubstr("at most 64, the warp slots of an SMX"));
    EXPECT_EQ(configuration_of("si").machine.smx.max_threads / 64, 40U);
}

TEST(gpu_configuration, private_memory_fits_its_window) {
    const std::string text = refusal("gf100", {"smx.private_bytes=65536"});
    EXPECT_THAT(text, HasSubstr("smx.private_bytes = 65536 (--set)"));
    EXPECT_THAT(text, HasSubstr("at most 768 MiB"));
    EXPECT_NO_THROW((void)configuration_of("gk110", {"smx.private_bytes=16384"}));
}

TEST(gpu_configuration, private_memory_leaves_room_for_launches_by_kernels) {
    EXPECT_NO_THROW((void)configuration_of("gk110", {"smx.private_bytes=16384"}));
    EXPECT_THROW((void)configuration_of("gk110", {"smx.private_bytes=24576"}), configuration_error);
    EXPECT_NO_THROW(
        (void)configuration_of("gk110", {"smx.private_bytes=24576", "launch.enabled=false"}));
    EXPECT_THROW((void)configuration_of("tiny", {"gpu.smx_count=256"}), configuration_error);
    EXPECT_THROW((void)configuration_of("gk110", {"agt.entries=1000"}), configuration_error);
}

TEST(gpu_configuration, address_masks_of_the_channels_fit) {
    EXPECT_THAT(refusal("gk110", {"dram.bank_mask=0xa100"}),
                HasSubstr("bits 7, 12 and 14 in no mask"));
    EXPECT_THAT(refusal("gf100", {"dram.bank_mask=24832"}), HasSubstr("bit 15 in no mask"));
    EXPECT_THAT(refusal("gf100", {"dram.column_mask=8191"}),
                HasSubstr("bit 8 in both the bank and the column mask"));
    EXPECT_THAT(refusal("gk110", {"l2.banks=2"}), HasSubstr("together hold 4 GiB"));
    EXPECT_NO_THROW((void)configuration_of("gk110", {"l2.banks=2", "dram.model=fixed"}));
}

TEST(gpu_configuration, unknown_keys_of_blocks_get_a_suggestion) {
    EXPECT_THAT(refusal("gk110", {"l2.bank=3"}), HasSubstr("did you mean 'l2.banks'?"));
    EXPECT_THAT(refusal("gk110", {"clock.cor=3"}), HasSubstr("did you mean 'clock.core'?"));
    EXPECT_THAT(refusal("gk110", {"smx.scheduler=fifo"}), HasSubstr("must be one of "));
}

}  // namespace
}  // namespace heddle
