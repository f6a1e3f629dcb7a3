// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Work-item functions of OpenCL C 1.2 (6.12.1), for launches of one to three dimensions.
#include <gmock/gmock.h>

#include "tests/opencl/built_ins.h"

namespace heddle::opencl::test {
namespace {

using testing::ElementsAre;

constexpr const char* source = R"(
// What the last item of all says.
kernel void ask(global uint* out, uint dimension) {
    for (uint d = 0; d < 3; ++d) {
        if (get_global_id(d) - get_global_offset(d) + 1 != get_global_size(d)) return;
    }
    out[0] = get_work_dim();
    out[1] = get_global_size(dimension);
    out[2] = get_global_id(dimension);
    out[3] = get_local_size(dimension);
    out[4] = get_local_id(dimension);
    out[5] = get_num_groups(dimension);
    out[6] = get_group_id(dimension);
    out[7] = get_global_offset(dimension);
}
)";

class opencl_work_items : public testing::Test {
protected:
    std::vector<std::uint32_t> ask(const launch_shape& shape, std::uint32_t dimension) {
        const device_buffer<std::uint32_t> out(kernels_.gpu(), 8, "out");
        launch(kernels_.gpu(), "ask", shape, out.get(), dimension);
        return out.read();
    }
    static launch_shape shape(const dim3& grid, const dim3& block, const dim3& offset = {0, 0, 0},
                              std::uint32_t dimensions = 0) {
        launch_shape made{grid, block};
        made.offset = offset;
        made.dimensions = dimensions;
        return made;
    }

private:
    built_ins kernels_{source};
};

TEST_F(opencl_work_items, sizes_and_ids) {
    const launch_shape three = shape({4, 3, 2}, {8, 2, 2});
    EXPECT_THAT(ask(three, 0), ElementsAre(3, 32, 31, 8, 7, 4, 3, 0));
    EXPECT_THAT(ask(three, 1), ElementsAre(3, 6, 5, 2, 1, 3, 2, 0));
    EXPECT_THAT(ask(three, 2), ElementsAre(3, 4, 3, 2, 1, 2, 1, 0));
    EXPECT_THAT(ask(three, 3), ElementsAre(3, 1, 0, 1, 0, 1, 0, 0)) << "there is no such dimension";
}

TEST_F(opencl_work_items, ids_begin_at_the_offset) {
    const launch_shape moved = shape({2, 2, 2}, {4, 1, 1}, {100, 20, 3});
    EXPECT_THAT(ask(moved, 0), ElementsAre(3, 8, 107, 4, 3, 2, 1, 100));
    EXPECT_THAT(ask(moved, 1), ElementsAre(3, 2, 21, 1, 0, 2, 1, 20));
    EXPECT_THAT(ask(moved, 2), ElementsAre(3, 2, 4, 1, 0, 2, 1, 3));
}

TEST_F(opencl_work_items, dimensions_are_those_of_the_host_or_those_with_items) {
    EXPECT_EQ(ask(shape({4, 1, 1}, {8, 1, 1}), 0)[0], 1U);
    EXPECT_EQ(ask(shape({4, 1, 1}, {8, 2, 1}), 0)[0], 2U);
    EXPECT_EQ(ask(shape({4, 1, 2}, {8, 1, 1}), 0)[0], 3U);
    EXPECT_EQ(ask(shape({4, 1, 1}, {8, 1, 1}, {0, 0, 0}, 3), 0)[0], 3U);
}

}  // namespace
}  // namespace heddle::opencl::test
