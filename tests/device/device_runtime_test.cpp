// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/device_runtime.h"

#include <gmock/gmock.h>

#include "models/device/program_table.h"
#include "models/program/image.h"
#include "tb/kit/paths.h"

namespace heddle {
namespace {

constexpr std::uint32_t granule = launch_pool::granule_bytes;
constexpr std::uint32_t kernel_record = 1000;
constexpr std::uint32_t group_record = 30;

machine_configuration with_launches() {
    machine_configuration machine;
    machine.smx_count = 2;
    machine.launch.enabled = true;
    machine.launch.pool_bytes = 1 << 16;
    machine.launch.kernel_record_bytes = kernel_record;
    machine.launch.group_record_bytes = group_record;
    machine.launch.pending_limit = 3;
    machine.launch.depth_limit = 2;
    return machine;
}

/// The runtime, and launch 1 by the host, of which block 5 launches `add`.
class device_runtime_test : public testing::Test {
protected:
    device_runtime_test() {
        prepared_launch host;
        host.id = launch_id(1);
        host.program = &held;
        (void)launches.enter(host);
    }
    std::uint32_t buffer(unsigned sm = 0) {
        return runtime.allocate_buffer(sm_id(sm),
                                       launch_request::parameters_offset + kernel.parameter_bytes);
    }
    launch_answer launch(std::uint32_t of, launch_kind kind = launch_kind::kernel,
                         std::uint32_t stream = 0, launch_id parent = launch_id(1)) {
        launch_request request;
        request.function = kernel.function;
        request.parameters = of + launch_request::parameters_offset;
        request.grid = {1, 1, 1};
        request.block = {32, 1, 1};
        return runtime.launch({sm_id(0), parent, 5}, kind, of, request, stream);
    }
    launch_answer launch_new(launch_kind kind = launch_kind::kernel, std::uint32_t stream = 0,
                             launch_id parent = launch_id(1)) {
        return launch(buffer(), kind, stream, parent);
    }

    program_table programs;
    const held_program& held = programs.add(std::make_shared<program::image>(
        program::image::load(build_path("kernels/iss_launch.elf"))));
    const program::kernel& kernel = held.image->get_kernel("add");
    launch_table launches;
    device_runtime runtime{with_launches(), launches};
};

TEST_F(device_runtime_test, footprint_is_that_of_buffers_and_of_records_until_the_first_block) {
    const std::uint32_t first = buffer();
    const std::uint32_t second = buffer();
    EXPECT_EQ(runtime.footprint(), 2 * granule) << "from the allocation on";
    const prepared_launch* const by_kernel = launch(first).launch;
    EXPECT_EQ(runtime.footprint(), 2 * granule + kernel_record);
    const prepared_launch* const group = launch(second, launch_kind::group).launch;
    ASSERT_TRUE(by_kernel != nullptr && group != nullptr);
    EXPECT_EQ(runtime.footprint(), 2 * granule + kernel_record + group_record);
    EXPECT_EQ(runtime.pending(), 2U);
    runtime.first_block_begins(group->id);
    EXPECT_EQ(runtime.footprint(), granule + kernel_record);
    EXPECT_EQ(runtime.pending(), 1U);
    runtime.first_block_begins(by_kernel->id);
    EXPECT_EQ(runtime.footprint(), 0U);
    EXPECT_EQ(runtime.pending(), 0U);
    EXPECT_EQ(runtime.footprint_peak(), 2 * granule + kernel_record + group_record);
    EXPECT_EQ(runtime.pool().used_bytes(), 2 * granule) << "the blocks read their parameters";
    runtime.blocks_ended(group->id);
    EXPECT_EQ(runtime.pool().used_bytes(), granule);
    runtime.first_block_begins(launch_id(1));  // of the host: nothing waits, nothing is held
    runtime.blocks_ended(launch_id(1));
    EXPECT_EQ(runtime.footprint(), 0U);
    EXPECT_EQ(runtime.pool().used_bytes(), granule);
}

TEST_F(device_runtime_test, refused_launch_leaves_nothing) {
    const launch_answer refused = launch_new(launch_kind::kernel, 7);
    EXPECT_EQ(refused.error, launch_error::invalid_resource_handle);
    EXPECT_EQ(refused.launch, nullptr);
    EXPECT_EQ(runtime.footprint(), 0U);
    EXPECT_EQ(runtime.pool().used_bytes(), 0U);
    EXPECT_EQ(runtime.pending(), 0U);
    EXPECT_EQ(runtime.footprint_peak(), granule);
    EXPECT_EQ(launches.size(), 1U);
}

TEST_F(device_runtime_test, streams_are_those_that_were_made_on_any_smx) {
    const std::uint32_t first = runtime.create_stream(sm_id(0));
    const std::uint32_t other = runtime.create_stream(sm_id(1));
    EXPECT_NE(first, other);
    for (const std::uint32_t stream : {0U, first, other}) {
        const launch_answer made = launch_new(launch_kind::kernel, stream);
        ASSERT_EQ(made.error, launch_error::none) << stream;
        EXPECT_EQ(made.launch->shape.stream, stream_id(stream));
        runtime.first_block_begins(made.launch->id);
    }
    for (const std::uint32_t stream : {first - 1, first + 1, other - 1, other + 1}) {
        if (stream == 0) continue;
        EXPECT_EQ(launch_new(launch_kind::kernel, stream).error,
                  launch_error::invalid_resource_handle)
            << stream;
    }
    // Groups have none: what stands there is ignored.
    const launch_answer group = launch_new(launch_kind::group, other + 1);
    ASSERT_EQ(group.error, launch_error::none);
    EXPECT_EQ(group.launch->shape.stream, stream_id(0));
}

TEST_F(device_runtime_test, as_many_wait_and_as_deep_as_the_limits_say) {
    std::vector<const prepared_launch*> made;
    for (unsigned n = 0; n < 3; ++n) made.push_back(launch_new().launch);
    ASSERT_NE(made.back(), nullptr);
    EXPECT_EQ(made[0]->depth, 1U);
    EXPECT_EQ(made[0]->parent_block, 5U);
    EXPECT_EQ(launch_new().error, launch_error::pending_count_exceeded);
    runtime.first_block_begins(made[0]->id);
    const launch_answer deeper = launch_new(launch_kind::group, 0, made[0]->id);
    ASSERT_EQ(deeper.error, launch_error::none);
    EXPECT_EQ(deeper.launch->depth, 2U);
    runtime.first_block_begins(deeper.launch->id);
    EXPECT_EQ(launch_new(launch_kind::kernel, 0, deeper.launch->id).error,
              launch_error::max_depth_exceeded);
}

TEST_F(device_runtime_test, ids_are_of_the_smx_that_launches) {
    const launch_answer first = launch_new();
    const launch_answer second = launch_new();
    EXPECT_NE(first.launch->id, second.launch->id);
    EXPECT_FALSE(first.launch->id.by_host());
    EXPECT_EQ(runtime.find(first.launch->id), first.launch);
    runtime.ended(first.launch->id);
    EXPECT_EQ(launches.size(), 2U);
    runtime.ended(launch_id(1));  // the host removes its own
    EXPECT_EQ(launches.size(), 2U);
}

}  // namespace
}  // namespace heddle
